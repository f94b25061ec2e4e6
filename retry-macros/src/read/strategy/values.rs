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
mod tests;
