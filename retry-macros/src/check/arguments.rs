//! What can be seen to be wrong with the arguments of the known strategies.

use core::time::Duration;

use syn::{Expr, ExprCall};

use super::{literal, signatures};
use crate::diagnose::Errors;
use crate::read::duration::{bare, of_expr};
use crate::read::number::number;
use crate::read::strategy::head;

/// The arguments of a known strategy.
pub(super) fn check(name: &str, call: &ExprCall, errors: &mut Errors) {
    if !head(call).is_some_and(|head| signatures::check(head, &call.args, errors)) {
        return;
    }
    let args: Vec<&Expr> = call.args.iter().collect();
    match (name, &args[..]) {
        ("attempts", [n]) if number(n) == Some(0.0) => {
            errors.at(n, "`attempts(0)` would never call the function; `attempts` counts all calls, the first included");
        }
        ("within" | "elapsed", [limit]) => {
            nonzero(limit, &format!("`{name}` of zero never retries"), errors);
        }
        ("exponential" | "fibonacci", [base]) => nonzero(base, &zero_base(name), errors),
        ("decorrelated", [base, cap]) => {
            nonzero(base, &zero_base(name), errors);
            not_below(cap, "cap", of_expr(base), "base", errors);
        }
        ("random", [delays]) => range(delays, errors),
        ("sequence", [delays]) => {
            let Expr::Array(array) = bare(delays) else { return };
            let delays: Vec<&Expr> = array.elems.iter().collect();
            match literal::without_units(name, &delays, ", ") {
                Some(message) => errors.at(&array.elems, message),
                None => delays.into_iter().for_each(|delay| duration(delay, name, errors)),
            }
            if array.elems.is_empty() {
                errors.at(array, "an empty `sequence` never waits; write `none()`, or list delays");
            }
        }
        _ => {}
    }
}

fn zero_base(name: &str) -> String {
    format!("`{name}` from a base of zero never waits; write `none()` if that is meant")
}

fn range(expr: &Expr, errors: &mut Errors) {
    let Expr::Range(range) = bare(expr) else { return };
    let (start, end) = (range.start.as_deref(), range.end.as_deref());
    let ends: Vec<&Expr> = [start, end].into_iter().flatten().collect();
    match literal::without_units("random", &ends, "..") {
        Some(message) => return errors.at(range, message),
        None => ends.into_iter().for_each(|end| duration(end, "random", errors)),
    }
    if start.is_none() || end.is_none() || matches!(range.limits, syn::RangeLimits::Closed(_)) {
        return errors
            .at(range, "`random` takes a range of two ends without `=`: `random(50ms..200ms)`");
    }
    if let (Some(least), Some(most)) = (start.and_then(of_expr), end.and_then(of_expr)) {
        if least >= most {
            errors.at(range, format!("the range from {least:?} to {most:?} is empty"));
        }
    }
}

/// Where a duration is expected, by a key or inside of a list or range.
pub(super) fn duration(expr: &Expr, of: &str, errors: &mut Errors) {
    if let Some(message) = literal::duration(of, expr, "30s") {
        errors.at(expr, message);
    }
}

fn nonzero(expr: &Expr, message: &str, errors: &mut Errors) {
    if of_expr(expr) == Some(Duration::ZERO) {
        errors.at(expr, message);
    }
}

/// Complains if `expr` is a shorter duration than `least`.
pub(super) fn not_below(
    expr: &Expr,
    what: &str,
    least: Option<Duration>,
    of: &str,
    errors: &mut Errors,
) {
    if let (Some(value), Some(least)) = (of_expr(expr), least) {
        if value < least {
            errors.at(expr, format!("the {what} of {value:?} is below the {of} of {least:?}"));
        }
    }
}
