//! What can be seen to be wrong with the shapers of a wait strategy.

use core::time::Duration;

use syn::{Expr, ExprMethodCall};

use super::arguments::not_below;
use super::signatures;
use crate::diagnose::Errors;
use crate::read::duration::of_expr;
use crate::read::number::number;
use crate::read::strategy::{Form, Strategy};

/// A method of a wait strategy.
pub(super) fn check(
    inner: &Strategy,
    call: &ExprMethodCall,
    others: &[Strategy],
    errors: &mut Errors,
) {
    let method = call.method.to_string();
    // The reader has taken strategies out of the arguments.
    if others.is_empty() && !signatures::check(&call.method, &call.args, errors) {
        return;
    }
    if others.len() + call.args.len() > 1 {
        let joined = "takes one strategy; join several there: `(fixed(1s) + fixed(2s))`";
        return errors.at(&call.method, format!("`{method}` {joined}"));
    }
    if let Some(message) = misplaced(&method, inner) {
        return errors.at(&call.method, message);
    }
    let Some(arg) = call.args.first() else { return };
    match method.as_str() {
        "cap" => {
            not_below(arg, "cap", base_of(inner), "base", errors);
            floor_below_cap(inner, arg, "floor", errors);
        }
        "floor" => floor_below_cap(inner, arg, "cap", errors),
        "factor" => {
            if let Some(n) = number(arg).filter(|n| *n < 1.0) {
                errors.at(arg, format!("a factor of {n} would make the waits shorter and shorter; it must be at least 1"));
            }
        }
        "jitter_factor" => {
            if let Some(n) = number(arg).filter(|n| !(0.0..=1.0).contains(n)) {
                errors.at(arg, format!("a jitter factor of {n} is outside 0..=1; with 0.2 a wait comes up to 20 % early"));
            }
        }
        "throttled" | "then" if of_expr(arg).is_some() => {
            errors.at(arg, format!("`{method}` takes a strategy; write `{method}(fixed(…))`"));
        }
        "max" if of_expr(arg).is_some() => {
            errors.at(&call.method, "`max` takes a strategy and gives the longer of two; the longest wait is set with `cap`");
        }
        "min" if of_expr(arg).is_some() => {
            errors.at(&call.method, "`min` takes a strategy and gives the shorter of two; the shortest wait is set with `floor`");
        }
        _ => {}
    }
}

/// A shaper that does not fit what stands before it.
fn misplaced(method: &str, inner: &Strategy) -> Option<String> {
    match (method, &inner.form) {
        ("factor", Form::Known("exponential" | "decorrelated", _)) => None,
        ("factor", Form::Known(other, _)) => Some(format!(
            "`{other}` has no factor; what grows by one is `exponential(100ms).factor(…)`"
        )),
        ("factor", Form::Shaped(..)) => Some(
            "`factor` stands right behind `exponential(…)`, before the other shapers".to_owned(),
        ),
        ("then", Form::Shaped(_, times, _)) if times.method == "times" => None,
        ("then", Form::Known(..) | Form::Shaped(..)) => {
            Some("`then` stands right behind `times`: write `first.times(3).then(next)`".to_owned())
        }
        _ => None,
    }
}

/// The first delay of the strategy that a chain of shapers starts with.
fn base_of(strategy: &Strategy) -> Option<Duration> {
    match &strategy.form {
        Form::Shaped(inner, _, others) if others.is_empty() => base_of(inner),
        Form::Known("exponential" | "fibonacci" | "linear" | "fixed", call) => {
            of_expr(call.args.first()?)
        }
        _ => None,
    }
}

/// Compares a cap with the floor, or a floor with the cap, further inside the same chain.
fn floor_below_cap(mut inner: &Strategy, arg: &Expr, other: &str, errors: &mut Errors) {
    while let Form::Shaped(next, call, others) = &inner.form {
        if !others.is_empty() {
            return;
        }
        if call.method == other {
            if let (Some(outer), Some(inner)) = (of_expr(arg), call.args.first().and_then(of_expr))
            {
                let (floor, cap) = if other == "cap" { (outer, inner) } else { (inner, outer) };
                if floor > cap {
                    errors.at(arg, format!("the floor of {floor:?} is above the cap of {cap:?}"));
                }
            }
        }
        inner = next;
    }
}
