//! The longest that a call can wait, from what is written as literals.
//!
//! The arithmetic is that of the runtime crate's `wait` and `delay`, of which it takes the upper
//! end: jitter is drawn from below the delay, additive jitter comes on top, a floor beats a cap.

use core::time::Duration;

use syn::{BinOp, Expr, ExprCall, ExprMethodCall, Lit};

use crate::read::duration::{bare, of_expr, of_literal};
use crate::read::strategy::{Kind, is_shaper, known};
use crate::read::tokens;

/// More waits than this are not added up.
const MOST_WAITS: u32 = 1_000;

/// A century says no more than that nothing bounds it in practice.
const CENTURY: Duration = Duration::from_secs(100 * 365 * 86_400);

/// What all waits of a call add up to, in the worst case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Worst {
    AtMost(Duration),
    LessThan(Duration),
}

/// `None` where it is not known, or there is no wait.
pub(super) fn waiting(stop: &Expr, wait: &Expr) -> Option<Worst> {
    let Bounds { attempts, time } = bounds(stop);
    let sum = attempts.and_then(|attempts| sum(wait, attempts)).filter(|sum| *sum < CENTURY);
    match (sum, time) {
        (Some(Duration::ZERO), _) | (None, None) => None,
        // A wait that would end at the limit is not begun.
        (Some(sum), Some(time)) if sum >= time => Some(Worst::LessThan(time)),
        (Some(sum), _) => Some(Worst::AtMost(sum)),
        (None, Some(time)) => Some(Worst::LessThan(time)),
    }
}

/// Where a stop is sure to give up, each by itself.
#[derive(Clone, Copy, Default)]
struct Bounds {
    attempts: Option<u32>,
    time: Option<Duration>,
}

fn bounds(stop: &Expr) -> Bounds {
    match bare(stop) {
        Expr::Binary(binary) => {
            let (a, b) = (bounds(&binary.left), bounds(&binary.right));
            match binary.op {
                BinOp::BitOr(_) => Bounds {
                    attempts: a.attempts.into_iter().chain(b.attempts).min(),
                    time: a.time.into_iter().chain(b.time).min(),
                },
                BinOp::BitAnd(_) => Bounds {
                    attempts: a.attempts.zip(b.attempts).map(|(a, b)| a.max(b)),
                    time: a.time.zip(b.time).map(|(a, b)| a.max(b)),
                },
                _ => Bounds::default(),
            }
        }
        Expr::Call(call) => match (known(call, Kind::Stop).as_deref(), call.args.first()) {
            (Some("attempts"), Some(n)) => Bounds { attempts: count(n), time: None },
            (Some("within"), Some(limit)) => Bounds { attempts: None, time: of_expr(limit) },
            _ => Bounds::default(),
        },
        _ => Bounds::default(),
    }
}

fn sum(wait: &Expr, attempts: u32) -> Option<Duration> {
    if attempts > MOST_WAITS || shares_state(wait) {
        return None;
    }
    (1..attempts).try_fold(Duration::ZERO, |sum, attempt| {
        Some(sum.saturating_add(longest(wait, attempt)?.total()))
    })
}

/// Whether two decorrelated waits may draw on each other's value, which makes them grow faster.
fn shares_state(wait: &Expr) -> bool {
    let mut decorrelated = 0;
    let tokens = quote::ToTokens::to_token_stream(wait);
    tokens::find::<()>(tokens, &mut |tree| {
        let named = matches!(tree, proc_macro2::TokenTree::Ident(it) if it == "decorrelated");
        decorrelated += u32::from(named);
        None
    });
    decorrelated > 1
}

/// The upper ends of the parts of a delay.
#[derive(Clone, Copy, Default)]
struct Longest {
    most: Duration,
    extra: Duration,
    floor: Duration,
}

impl Longest {
    fn of(most: Duration) -> Self {
        Self { most, ..Self::default() }
    }

    fn total(self) -> Duration {
        self.most.saturating_add(self.extra).max(self.floor)
    }

    /// The delay, if it consists of one part.
    fn plain(self) -> Option<Duration> {
        (self.extra.is_zero() && self.floor.is_zero()).then_some(self.most)
    }
}

/// The longest delay after this attempt.
fn longest(wait: &Expr, attempt: u32) -> Option<Longest> {
    match bare(wait) {
        Expr::Call(call) => unshaped(call, attempt).map(Longest::of),
        Expr::Binary(binary) if matches!(binary.op, BinOp::Add(_)) => {
            let (a, b) = (longest(&binary.left, attempt)?, longest(&binary.right, attempt)?);
            // With floors it depends on what is drawn which of the parts they raise.
            (a.floor.is_zero() && b.floor.is_zero()).then(|| Longest {
                most: a.most.saturating_add(b.most),
                extra: a.extra.saturating_add(b.extra),
                floor: Duration::ZERO,
            })
        }
        Expr::MethodCall(call) if call.method == "then" => then(call, attempt),
        Expr::MethodCall(call) if is_shaper(&call.method) => {
            shaped(call, longest(&call.receiver, attempt)?, attempt)
        }
        _ => None,
    }
}

fn unshaped(call: &ExprCall, attempt: u32) -> Option<Duration> {
    let arg = |index: usize| of_expr(call.args.get(index)?);
    match known(call, Kind::Wait)?.as_str() {
        "none" => Some(Duration::ZERO),
        "fixed" => arg(0),
        "linear" => Some(arg(0)?.saturating_add(arg(1)?.saturating_mul(attempt - 1))),
        "exponential" => Some(scale(arg(0)?, 2.0, attempt - 1)),
        "fibonacci" => {
            let (mut a, mut b) = (1_u128, 1_u128);
            for _ in 1..attempt.min(186) {
                (a, b) = (b, a.saturating_add(b));
            }
            Some(from_nanos(arg(0)?.as_nanos().saturating_mul(a)))
        }
        "random" => match bare(call.args.first()?) {
            Expr::Range(range) => {
                let (start, end) = (range.start.as_deref()?, range.end.as_deref()?);
                Some(of_expr(start)?.max(of_expr(end)?))
            }
            _ => None,
        },
        "decorrelated" => Some(scale(arg(0)?, 3.0, attempt).min(arg(1)?).max(arg(0)?)),
        "sequence" => match bare(call.args.first()?) {
            Expr::Array(array) => {
                let index = usize::try_from(attempt - 1).unwrap_or(usize::MAX);
                of_expr(array.elems.get(index).or(array.elems.last())?)
            }
            _ => None,
        },
        _ => None,
    }
}

fn shaped(call: &ExprMethodCall, delay: Longest, attempt: u32) -> Option<Longest> {
    let arg = call.args.first();
    let other = || longest(arg?, attempt)?.plain();
    let method = call.method.to_string();
    Some(match method.as_str() {
        "cap" => Longest { most: delay.most.min(of_expr(arg?)?), ..delay },
        "floor" => Longest { floor: delay.floor.max(of_expr(arg?)?), ..delay },
        "jitter" => Longest { extra: delay.extra.saturating_add(of_expr(arg?)?), ..delay },
        "full_jitter" | "equal_jitter" | "jitter_factor" => delay,
        // A failure may be throttled or not.
        "max" | "throttled" => Longest::of(delay.plain()?.max(other()?)),
        "min" => Longest::of(delay.plain()?.min(other()?)),
        "factor" => match bare(&call.receiver) {
            Expr::Call(call) if known(call, Kind::Wait).as_deref() == Some("exponential") => {
                let factor = number(arg?)?.max(1.0);
                Longest::of(scale(of_expr(call.args.first()?)?, factor, attempt - 1))
            }
            _ => return None,
        },
        _ => return None,
    })
}

/// `first.times(n).then(next)`
fn then(call: &ExprMethodCall, attempt: u32) -> Option<Longest> {
    let Expr::MethodCall(times) = bare(&call.receiver) else { return None };
    if times.method != "times" {
        return None;
    }
    match attempt.checked_sub(count(times.args.first()?)?) {
        None | Some(0) => longest(&times.receiver, attempt),
        Some(attempt) => longest(call.args.first()?, attempt),
    }
}

/// `base * factor^power`, rounded as the runtime crate does, saturating.
fn scale(base: Duration, factor: f64, power: u32) -> Duration {
    if base.is_zero() {
        return Duration::ZERO;
    }
    #[allow(clippy::cast_precision_loss)] // as in the runtime crate
    let nanos = base.as_nanos() as f64 * factor.powf(f64::from(power));
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturates
    from_nanos(nanos.round() as u128)
}

fn from_nanos(nanos: u128) -> Duration {
    #[allow(clippy::cast_possible_truncation)] // below 10^9
    u64::try_from(nanos / 1_000_000_000)
        .map_or(Duration::MAX, |secs| Duration::new(secs, (nanos % 1_000_000_000) as u32))
}

/// A number of attempts.
pub(super) fn count(expr: &Expr) -> Option<u32> {
    match bare(expr) {
        Expr::Lit(lit) if of_literal(&lit.lit).is_none() => match &lit.lit {
            Lit::Int(n) => n.base10_parse().ok(),
            _ => None,
        },
        _ => None,
    }
}

/// A plain number, whole or not.
pub(super) fn number(expr: &Expr) -> Option<f64> {
    match bare(expr) {
        Expr::Lit(lit) if of_literal(&lit.lit).is_none() => match &lit.lit {
            Lit::Int(n) => n.base10_parse::<u32>().ok().map(f64::from),
            Lit::Float(n) => n.base10_parse().ok(),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a fixture that is no Rust is a mistake of the test

    use super::*;

    fn worst(stop: &str, wait: &str) -> Option<Worst> {
        waiting(&syn::parse_str(stop).unwrap(), &syn::parse_str(wait).unwrap())
    }

    fn at_most(stop: &str, wait: &str, millis: u64) {
        let expected = Some(Worst::AtMost(Duration::from_millis(millis)));
        assert_eq!(worst(stop, wait), expected, "{stop}, {wait}");
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
        at_most("attempts(5)", "fixed(100ms).times(2).then(exponential(1s))", 200 + 1_000 + 2_000);
    }

    #[test]
    fn a_limit_in_time_bounds_what_is_longer_or_unknown() {
        let less = |secs| Some(Worst::LessThan(Duration::from_secs(secs)));
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
    fn every_single_wait_is_the_longest_that_the_runtime_crate_knows() {
        use retry::{State, Wait, wait};
        let ms = Duration::from_millis;
        let pairs: [(&str, Box<dyn Wait>); 8] = [
            ("exponential(7ms)", Box::new(wait::exponential(ms(7)))),
            ("exponential(7ms).factor(1.7)", Box::new(wait::exponential(ms(7)).factor(1.7))),
            (
                "exponential(7ms).full_jitter().cap(1s)",
                Box::new(wait::exponential(ms(7)).full_jitter().cap(ms(1000))),
            ),
            ("linear(7ms, 3s)", Box::new(wait::linear(ms(7), ms(3000)))),
            ("fibonacci(7ms)", Box::new(wait::fibonacci(ms(7)))),
            ("sequence([7ms, 1ms, 9ms])", Box::new(wait::sequence([ms(7), ms(1), ms(9)]))),
            ("random(5ms..9ms)", Box::new(wait::random(ms(5)..ms(9)))),
            (
                "linear(1s, 1s).times(3).then(fibonacci(1ms)) + fixed(1s)",
                Box::new(
                    wait::linear(ms(1000), ms(1000)).times(3).then(wait::fibonacci(ms(1)))
                        + wait::fixed(ms(1000)),
                ),
            ),
        ];
        for (source, runtime) in &pairs {
            let expr = syn::parse_str(source).unwrap();
            for attempt in (1..200).chain([10_000]) {
                let here = longest(&expr, attempt).unwrap();
                let there = runtime.delay(&State::new(attempt));
                assert_eq!(here.most, there.most(), "{source} after {attempt}");
            }
        }
    }

    #[test]
    fn nothing_is_guessed() {
        for (stop, wait) in [
            ("attempts(n)", "fixed(1s)"),
            ("attempts(3)", "fixed(d)"),
            ("attempts(3)", "exponential(1s).cap(d)"),
            ("attempts(3)", "exponential(1s).factor(f)"),
            ("attempts(3)", "|state| state.x()"),
            ("attempts(3)", "self::fixed(1s)"),
            ("attempts(3)", "fixed(1s).by_mine()"),
            ("attempts(3)", "sequence(self.waits)"),
            ("attempts(3)", "sequence([1s; 3])"),
            ("attempts(3)", "fixed(1s).floor(1s) + fixed(1s)"),
            ("attempts(3)", "decorrelated(1s, 9s) + decorrelated(1s, 9s)"),
            ("attempts(3)", "if fast { fixed(1s) } else { fixed(2s) }"),
            ("attempts(3) & within(30s)", "fixed(1s)"),
            ("attempts(3) & |state| state.x()", "fixed(1s)"),
            ("elapsed(30s)", "fixed(1s)"),
            ("until(end)", "fixed(1s)"),
            ("attempts(4000000000)", "fixed(1s)"),
            ("attempts(99)", "exponential(1s)"),
            ("attempts(3)", "none()"),
        ] {
            assert_eq!(worst(stop, wait), None, "{stop}, {wait}");
        }
    }
}
