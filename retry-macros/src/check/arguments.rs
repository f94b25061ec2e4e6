//! What can be seen to be wrong with the arguments of the known strategies.

use core::time::Duration;

use syn::{Expr, ExprCall, Lit};

use crate::diagnose::Errors;
use crate::read::duration::{bare, of_expr, of_literal};
use crate::read::number::number;

/// The arguments of a known strategy.
pub(super) fn check(name: &str, call: &ExprCall, errors: &mut Errors) {
    match name {
        "attempts" => {
            if let Some(arg) = call.args.first() {
                attempts(arg, errors);
            }
        }
        "within" | "elapsed" => {
            if let Some(arg) = call.args.first() {
                duration(arg, name, errors);
                nonzero(arg, &format!("`{name}` of zero never retries"), errors);
            }
        }
        "exponential" | "fibonacci" => {
            if let Some(arg) = call.args.first() {
                duration(arg, name, errors);
                nonzero(arg, &zero_base(name), errors);
            }
        }
        "decorrelated" => {
            for arg in &call.args {
                duration(arg, name, errors);
            }
            if let [Some(base), cap] = [call.args.first(), call.args.get(1)] {
                nonzero(base, &zero_base(name), errors);
                if let Some(cap) = cap {
                    not_below(cap, "cap", of_expr(base), "base", errors);
                }
            }
        }
        "fixed" | "linear" => {
            for arg in &call.args {
                duration(arg, name, errors);
            }
        }
        "random" => {
            if let Some(arg) = call.args.first() {
                range(arg, errors);
            }
        }
        "sequence" => {
            if let Some(Expr::Array(array)) = call.args.first().map(bare) {
                for delay in &array.elems {
                    duration(delay, name, errors);
                }
                if array.elems.is_empty() {
                    errors.at(
                        array,
                        "an empty `sequence` never waits; write `none()`, or list delays",
                    );
                }
            }
        }
        _ => {}
    }
}

fn zero_base(name: &str) -> String {
    format!("`{name}` from a base of zero never waits; write `none()` if that is meant")
}

fn attempts(arg: &Expr, errors: &mut Errors) {
    let Expr::Lit(lit) = bare(arg) else { return };
    if matches!(of_literal(&lit.lit), Some(Ok(_))) {
        errors.at(lit, "`attempts` takes a number of calls; a time limit is written `within(…)`");
    } else if number(arg) == Some(0.0) {
        errors.at(lit, "`attempts(0)` would never call the function; `attempts` counts all calls, the first included");
    }
}

fn range(expr: &Expr, errors: &mut Errors) {
    let Expr::Range(range) = bare(expr) else { return };
    let (start, end) = (range.start.as_deref(), range.end.as_deref());
    for bound in [start, end].into_iter().flatten() {
        duration(bound, "random", errors);
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

/// Where a duration is expected, a number needs a unit.
pub(super) fn duration(expr: &Expr, of: &str, errors: &mut Errors) {
    let Expr::Lit(lit) = bare(expr) else { return };
    if of_literal(&lit.lit).is_some() || !matches!(lit.lit, Lit::Int(_) | Lit::Float(_)) {
        return;
    }
    let text = quote::ToTokens::to_token_stream(lit).to_string();
    errors.at(
        lit,
        if text.starts_with("0x") {
            format!(
                "`{of}` takes a duration, which is written in decimal with a unit: `100ms`, `30s`"
            )
        } else {
            format!(
                "`{of}` takes a duration, and `{text}` has no unit: write `{text}s`, `{text}ms`, …"
            )
        },
    );
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
