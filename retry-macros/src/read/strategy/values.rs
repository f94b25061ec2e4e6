//! The strategies that the numbers of a tree stand for. What they come to is asked of them, and
//! of the preview of a policy made of them; nothing is computed here.

use core::ops::Range;
use core::time::Duration;

use retry_core::stop::{self, Bounded, Limits, Stop};
use retry_core::wait::{self, Wait};
use retry_core::{Policy, State};
use syn::{BinOp, Expr, ExprCall, ExprMethodCall};

use super::{Form, Strategy};
use crate::read::duration::{bare, of_expr};
use crate::read::number::{count, number};

type AnyStop = Box<dyn Stop<Ends = Bounded>>;
type AnyWait = Box<dyn Wait>;

/// More waits than this are not added up.
const MOST_WAITS: u32 = 1_000;

/// A stop that gives up no earlier: what is not known in it never does. `None` if nothing is.
pub(crate) fn stop_value(strategy: &Strategy) -> Option<AnyStop> {
    value(strategy, false)
}

/// What a stop strategy allows, as far as literals say so: attempts, the time until no attempt may
/// start any more, and the time that remains.
pub(crate) fn allowed(stop: &Strategy) -> (Option<u32>, Option<Duration>, Option<Duration>) {
    let limits =
        |elapsed| value(stop, elapsed).map_or(Limits::none(), |stop| stop.limits(&State::new(1)));
    let (starting, all) = (limits(false), limits(true));
    (all.attempts, starting.remaining, all.remaining)
}

/// The numbers in the strategy, those of `elapsed` only where they are asked for: it does not keep
/// an attempt from starting.
fn value(strategy: &Strategy, elapsed: bool) -> Option<AnyStop> {
    match &strategy.form {
        Form::Joined(op, sides) => {
            let [a, b] = &**sides;
            match (op, value(a, elapsed), value(b, elapsed)) {
                (BinOp::BitOr(_), Some(a), Some(b)) => Some(Box::new(stop::or(a, b))),
                (BinOp::BitOr(_), a, b) => a.or(b),
                // A number joined with a time has no limit that can be told in advance.
                (BinOp::BitAnd(_), Some(a), Some(b)) => {
                    let both: AnyStop = Box::new(stop::and(a, b));
                    (both.limits(&State::new(1)) != Limits::none()).then_some(both)
                }
                _ => None,
            }
        }
        Form::Known(name, call) => {
            let arg = call.args.first()?;
            match *name {
                "attempts" => Some(Box::new(stop::attempts(count(arg)?))),
                "within" => Some(Box::new(stop::within(of_expr(arg)?))),
                "elapsed" if elapsed => Some(Box::new(stop::elapsed(of_expr(arg)?))),
                _ => None,
            }
        }
        _ => None,
    }
}

/// How long all waits of a call take at most; `None` if the numbers do not say. Where the time
/// cuts a call short, nobody knows how close to the limit it comes.
pub(crate) fn longest_waits(stop: AnyStop, wait: &Strategy) -> Option<Duration> {
    let attempts = stop.limits(&State::new(1)).attempts.filter(|n| *n <= MOST_WAITS)?;
    let preview = Policy::new(stop, Extreme::Longest.wait(wait)?, ()).preview();
    let is_cut = preview.attempts() != Some(attempts);
    preview.total_wait().filter(|_| !is_cut).map(|(_, most)| most)
}

/// What the first delay is not shorter than; zero if the numbers do not say.
pub(crate) fn first_delay_at_least(wait: &Strategy) -> Duration {
    let wait = Extreme::Shortest.wait(wait);
    let preview = wait.map(|wait| Policy::new(stop::attempts(2), wait, ()).preview());
    preview.and_then(|it| it.rows().get(1).map(|row| row.low)).unwrap_or_default()
}

/// Whether a second attempt may begin within `limit`.
pub(crate) fn fits(limit: Duration, wait: &Strategy) -> bool {
    let stop = stop::within(limit) | stop::attempts(2);
    let wait = Extreme::Shortest.wait(wait);
    wait.is_none_or(|wait| Policy::new(stop, wait, ()).preview().attempts() != Some(1))
}

/// Which end of the delays a strategy stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extreme {
    /// None is shorter in truth: what is not known counts as nothing.
    Shortest,
    /// None is longer in truth: what is not known makes the whole unknown.
    Longest,
}

impl Extreme {
    fn wait(self, strategy: &Strategy) -> Option<AnyWait> {
        let known = match &strategy.form {
            Form::Known(name, call) => self.unshaped(name, call),
            Form::Joined(BinOp::Add(_), sides) => {
                let [a, b] = &**sides;
                Some(Box::new(wait::add(self.wait(a)?, self.wait(b)?)) as AnyWait)
            }
            Form::Shaped(inner, call, others) => self.shaped(inner, call, others),
            _ => None,
        };
        known.or_else(|| self.or_nothing(None).map(|none| Box::new(wait::fixed(none)) as AnyWait))
    }

    /// What stands for a duration that is not known.
    fn or_nothing(self, duration: Option<Duration>) -> Option<Duration> {
        duration.or((self == Self::Shortest).then_some(Duration::ZERO))
    }

    fn duration(self, expr: Option<&Expr>) -> Option<Duration> {
        self.or_nothing(expr.and_then(of_expr))
    }

    /// A number, or what changes nothing in its place.
    fn number(self, expr: Option<&Expr>, nothing: f64) -> Option<f64> {
        expr.and_then(number).or((self == Self::Shortest).then_some(nothing))
    }

    fn unshaped(self, name: &str, call: &ExprCall) -> Option<AnyWait> {
        let first = call.args.first();
        let arg = |index: usize| self.duration(call.args.get(index));
        Some(match name {
            "none" => Box::new(wait::none()),
            "fixed" => Box::new(wait::fixed(arg(0)?)),
            "linear" => Box::new(wait::linear(arg(0)?, arg(1)?)),
            "exponential" => Box::new(wait::exponential(arg(0)?)),
            "fibonacci" => Box::new(wait::fibonacci(arg(0)?)),
            "random" => {
                let Some(Expr::Range(range)) = first.map(bare) else { return None };
                let start = self.duration(range.start.as_deref())?;
                let end = range.end.as_deref().and_then(of_expr);
                let range: Range<_> = match (self, end) {
                    (Self::Shortest, None) => start..start,
                    (_, end) => start..end?,
                };
                Box::new(wait::random(range))
            }
            "decorrelated" => Box::new(wait::decorrelated(arg(0)?, arg(1)?)),
            "sequence" => {
                let Some(Expr::Array(array)) = first.map(bare) else { return None };
                let delays = array.elems.iter().map(|delay| self.duration(Some(delay)));
                Box::new(wait::sequence(delays.collect::<Option<Vec<_>>>()?))
            }
            _ => return None,
        })
    }

    fn shaped(
        self,
        inner: &Strategy,
        call: &ExprMethodCall,
        others: &[Strategy],
    ) -> Option<AnyWait> {
        let (arg, method) = (call.args.first(), call.method.to_string());
        // The first delay is the base, whatever it grows by; `times` lets its strategy begin.
        match (method.as_str(), &inner.form) {
            ("factor", Form::Known("exponential", base)) => {
                let base = self.duration(base.args.first())?;
                let factor = self.number(arg, 1.0)?;
                return Some(Box::new(wait::exponential(base).factor(factor)));
            }
            ("factor", Form::Known("decorrelated", bounds)) => {
                let (base, cap) = (bounds.args.first(), bounds.args.get(1));
                let (base, cap) = (self.duration(base)?, self.duration(cap)?);
                return Some(Box::new(
                    wait::decorrelated(base, cap).factor(self.number(arg, 1.0)?),
                ));
            }
            ("then", Form::Shaped(first, times, _)) if times.method == "times" => {
                let (first, next) = (self.wait(first)?, self.wait(others.first()?)?);
                let times = times.args.first().and_then(count);
                let times = times.or((self == Self::Shortest).then_some(1))?;
                return Some(Box::new(first.times(times).then(next)));
            }
            _ => {}
        }
        let wait = self.wait(inner)?;
        Some(match method.as_str() {
            "cap" => Box::new(wait.cap(self.duration(arg)?)),
            "floor" => Box::new(wait.floor(self.duration(arg)?)),
            "jitter" => Box::new(wait.jitter(self.duration(arg)?)),
            "full_jitter" => Box::new(wait.full_jitter()),
            "equal_jitter" => Box::new(wait.equal_jitter()),
            "jitter_factor" => Box::new(wait.jitter_factor(self.number(arg, 1.0)?)),
            "max" => Box::new(wait.max(self.wait(others.first()?)?)),
            "min" => Box::new(wait.min(self.wait(others.first()?)?)),
            // A hint may be as short as it likes, and is no wait of the policy's.
            "unless_hinted" => match self {
                Self::Shortest => Box::new(wait::none()),
                Self::Longest => wait,
            },
            // A failure may be throttled or not, and each side counts its own. None is longer than
            // the longer of the two only as long as both grow.
            "throttled" => match self {
                Self::Shortest => Box::new(wait.min(self.wait(others.first()?)?)),
                Self::Longest if may_shrink(inner) || may_shrink(others.first()?) => return None,
                Self::Longest => Box::new(wait.max(self.wait(others.first()?)?)),
            },
            _ => return None,
        })
    }
}

/// Whether a wait may be longer than a later one, whatever is drawn.
fn may_shrink(strategy: &Strategy) -> bool {
    let mut may = false;
    strategy.walk(&mut |strategy| {
        may |= match &strategy.form {
            Form::Known("sequence", call) => match call.args.first().map(bare) {
                Some(Expr::Array(delays)) => !delays.elems.iter().map(of_expr).is_sorted(),
                _ => true,
            },
            Form::Shaped(_, call, _) => call.method == "then",
            _ => false,
        }
    });
    may
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a fixture that is no Rust is a mistake of the test

    use super::*;
    use crate::read::strategy::Kind;

    fn read(kind: Kind, text: &str) -> Strategy {
        Strategy::read(kind, syn::parse_str(text).unwrap())
    }

    /// What all waits come to at most, and the limit in time.
    fn worst(stop: &str, wait: &str) -> (Option<Duration>, Option<Duration>) {
        let Some(stop) = stop_value(&read(Kind::Stop, stop)) else { return (None, None) };
        let limit = stop.limits(&State::new(1)).remaining;
        (longest_waits(stop, &read(Kind::Wait, wait)), limit)
    }

    fn at_most(stop: &str, wait: &str, millis: u64) {
        assert_eq!(worst(stop, wait).0, Some(Duration::from_millis(millis)), "{stop}, {wait}");
    }

    #[test]
    fn the_waits_of_every_strategy_are_added_up() {
        at_most("attempts(5)", "fixed(1s)", 4_000);
        at_most("attempts(4)", "linear(1s, 500ms)", 1_000 + 1_500 + 2_000);
        at_most("attempts(5)", "exponential(100ms)", 100 + 200 + 400 + 800);
        at_most("attempts(4)", "exponential(100ms).factor(3)", 100 + 300 + 900);
        at_most("attempts(4)", "exponential(100ms).factor(1.5)", 100 + 150 + 225);
        at_most("attempts(7)", "fibonacci(10ms)", 10 + 10 + 20 + 30 + 50 + 80);
        at_most("attempts(3)", "random(50ms..200ms)", 400);
        at_most("attempts(5)", "sequence([1s, 5s])", 1_000 + 5_000 * 3);
        at_most("attempts(5)", "decorrelated(100ms, 1s)", 300 + 900 + 1_000 + 1_000);
        at_most("attempts(4)", "decorrelated(100ms, 1s).factor(2)", 200 + 400 + 800);
    }

    #[test]
    fn shapers_count_as_far_as_they_lengthen() {
        at_most("attempts(6)", "exponential(1s).cap(3s)", 1_000 + 2_000 + 3_000 * 3);
        at_most("attempts(3)", "exponential(1s).full_jitter().cap(1s)", 2_000);
        at_most("attempts(3)", "fixed(1s).equal_jitter()", 2_000);
        at_most("attempts(3)", "fixed(1s).jitter_factor(0.2)", 2_000);
        at_most("attempts(3)", "fixed(1s).jitter(100ms)", 2_200);
        at_most("attempts(3)", "fixed(1s).jitter(100ms).cap(500ms)", 1_200);
        at_most("attempts(3)", "exponential(1s).floor(1500ms)", 3_500);
        at_most("attempts(3)", "fixed(1s).floor(3s).cap(2s)", 6_000);
        at_most("attempts(3)", "none().jitter(10ms)", 20);
    }

    #[test]
    fn joined_waits_are_joined() {
        at_most("attempts(3)", "fixed(1s) + random(0ms..500ms)", 3_000);
        at_most("attempts(4)", "exponential(1s).max(fixed(2s))", 2_000 + 2_000 + 4_000);
        at_most("attempts(4)", "exponential(1s).min(fixed(2s))", 1_000 + 2_000 + 2_000);
        at_most("attempts(3)", "fixed(100ms).throttled(exponential(1s)).cap(1s)", 2_000);
        at_most("attempts(3)", "fixed(3s).throttled(sequence([1s, 5s]))", 3_000 + 5_000);
        at_most("attempts(5)", "fixed(100ms).times(2).then(exponential(1s))", 200 + 1_000 + 2_000);
        at_most("attempts(3)", "fixed(1s).floor(1s) + fixed(1s)", 4_000);
        at_most("attempts(3)", "decorrelated(1s, 9s) + fixed(1s)", 3_000 + 9_000 + 2_000);
    }

    #[test]
    fn a_limit_in_time_bounds_what_is_longer_or_unknown() {
        let less = |secs| (None, Some(Duration::from_secs(secs)));
        assert_eq!(worst("attempts(5) | within(3s)", "fixed(1s)"), less(3));
        assert_eq!(worst("attempts(4) | within(3s)", "fixed(1s)"), less(3));
        at_most("attempts(3) | within(3s)", "fixed(1s)", 2_000);
        assert_eq!(worst("within(30s)", "fixed(1s)"), less(30));
        assert_eq!(worst("within(30s) | attempts(n)", "self.wait"), less(30));
        assert_eq!(worst("within(30s) & within(1m)", "fixed(1s)"), less(60));
        at_most("attempts(3) & attempts(5)", "fixed(1s)", 4_000);
        at_most("(attempts(3) | |state| state.x()) | attempts(9)", "fixed(1s)", 2_000);
    }

    #[test]
    fn nothing_is_guessed() {
        for (stop, wait) in [
            ("attempts(n)", "fixed(1s)"),
            ("attempts(3)", "fixed(d)"),
            ("attempts(3)", "exponential(1s).cap(d)"),
            ("attempts(3)", "exponential(1s).factor(f)"),
            ("attempts(3)", "decorrelated(1s, 9s).factor(f)"),
            // Waits of 5 s and 4 s, then 5 s and 3 s, …: each side has its own first one.
            ("attempts(3)", "sequence([5s, 1s]).throttled(sequence([4s, 1s]))"),
            ("attempts(3)", "fixed(5s).times(1).then(none()).throttled(fixed(1s))"),
            ("attempts(3)", "|state| state.x()"),
            ("attempts(3)", "self::fixed(1s)"),
            ("attempts(3)", "fixed(1s).by_mine()"),
            ("attempts(3)", "sequence(self.waits)"),
            ("attempts(3)", "sequence([1s; 3])"),
            ("attempts(3)", "if fast { fixed(1s) } else { fixed(2s) }"),
            ("attempts(3) & within(30s)", "fixed(1s)"),
            ("attempts(3) & |state| state.x()", "fixed(1s)"),
            ("elapsed(30s)", "fixed(1s)"),
            ("until(end)", "fixed(1s)"),
            ("attempts(4000000000)", "fixed(1s)"),
        ] {
            assert_eq!(worst(stop, wait), (None, None), "{stop}, {wait}");
        }
    }

    #[test]
    fn the_first_delay_is_at_least_what_is_known_of_it() {
        for (wait, millis) in [
            ("fixed(2s)", 2_000),
            ("fixed(d)", 0),
            ("linear(2s, d)", 2_000),
            ("exponential(2s).factor(f)", 2_000),
            ("decorrelated(2s, d)", 2_000),
            ("decorrelated(2s, d).factor(f)", 2_000),
            ("random(2s..d)", 2_000),
            ("random(2s..3s)", 2_000),
            ("sequence([2s, d])", 2_000),
            ("fixed(2s).full_jitter()", 0),
            ("fixed(2s).equal_jitter()", 1_000),
            ("fixed(2s).jitter(1s)", 2_000),
            ("fixed(2s).jitter_factor(0.25)", 1_500),
            ("fixed(2s).jitter_factor(f)", 0),
            ("fixed(2s).cap(1s)", 1_000),
            ("fixed(2s).cap(d)", 0),
            ("fixed(2s).cap(1s).floor(3s)", 3_000),
            ("fixed(2s).floor(d)", 2_000),
            ("fixed(2s) + mine()", 2_000),
            ("fixed(2s).max(self.wait)", 2_000),
            ("fixed(2s).min(fixed(1s))", 1_000),
            ("fixed(2s).throttled(fixed(1s))", 1_000),
            ("fixed(2s).throttled(self.wait)", 0),
            ("fixed(2s).unless_hinted()", 0),
            ("fixed(2s).unless_hinted().floor(1s)", 1_000),
            ("fixed(2s).times(n).then(none())", 2_000),
            ("if fast { none() } else { fixed(2s) }", 0),
            ("|state| state.x()", 0),
        ] {
            let least = first_delay_at_least(&read(Kind::Wait, wait));
            assert_eq!(least, Duration::from_millis(millis), "{wait}");
        }
    }

    #[test]
    fn a_delay_that_reaches_the_limit_does_not_fit() {
        let (second, wait) = (Duration::from_secs(1), read(Kind::Wait, "fixed(1s).jitter(1s)"));
        assert!(!fits(second, &wait));
        assert!(fits(second + Duration::from_nanos(1), &wait));
        assert!(fits(second, &read(Kind::Wait, "self.wait")));
    }
}
