//! Whether a retry can happen at all.

use core::time::Duration;

use syn::{BinOp, Expr};

use crate::diagnose::Errors;
use crate::read::duration::{bare, of_expr};
use crate::read::strategy::{Kind, is_shaper, known};

/// A time limit that not even the shortest first delay fits into leaves no room for a retry.
pub(super) fn first_delay(stop: &Expr, wait: &Expr, errors: &mut Errors) {
    let least = least_first_delay(wait);
    if least.is_zero() {
        return;
    }
    let mut limits = Vec::new();
    collect_limits(stop, &mut limits);
    for (expr, limit) in limits {
        // A limit of zero has its own message.
        if limit <= least && !limit.is_zero() {
            errors.at(
                expr,
                format!("nothing is ever retried within {limit:?}: the first delay is at least {least:?}"),
            );
        }
    }
}

/// The literal `within(…)` limits each of which alone ends the call.
fn collect_limits<'a>(stop: &'a Expr, limits: &mut Vec<(&'a Expr, Duration)>) {
    match bare(stop) {
        Expr::Binary(binary) if matches!(binary.op, BinOp::BitOr(_)) => {
            collect_limits(&binary.left, limits);
            collect_limits(&binary.right, limits);
        }
        Expr::Call(call) if known(call, Kind::Stop).as_deref() == Some("within") => {
            if let Some(arg) = call.args.first() {
                limits.extend(of_expr(arg).map(|limit| (arg, limit)));
            }
        }
        _ => {}
    }
}

/// A time that the first delay is not shorter than, zero if nothing is known.
fn least_first_delay(wait: &Expr) -> Duration {
    let literal = |expr: Option<&Expr>| expr.and_then(of_expr).unwrap_or_default();
    match bare(wait) {
        Expr::Binary(binary) if matches!(binary.op, BinOp::Add(_)) => {
            least_first_delay(&binary.left).saturating_add(least_first_delay(&binary.right))
        }
        Expr::Call(call) => match known(call, Kind::Wait).as_deref() {
            Some("fixed" | "linear" | "exponential" | "fibonacci" | "decorrelated") => {
                literal(call.args.first())
            }
            Some("random") => match call.args.first().map(bare) {
                Some(Expr::Range(range)) => literal(range.start.as_deref()),
                _ => Duration::ZERO,
            },
            Some("sequence") => match call.args.first().map(bare) {
                Some(Expr::Array(array)) => literal(array.elems.first()),
                _ => Duration::ZERO,
            },
            _ => Duration::ZERO,
        },
        Expr::MethodCall(call) if is_shaper(&call.method) => {
            let inner = least_first_delay(&call.receiver);
            let arg = call.args.first();
            match call.method.to_string().as_str() {
                "cap" => match arg.and_then(of_expr) {
                    Some(cap) => inner.min(cap),
                    None => Duration::ZERO,
                },
                "floor" => inner.max(literal(arg)),
                "equal_jitter" => inner / 2,
                "jitter" | "factor" | "times" | "then" => inner,
                "max" => inner.max(arg.map(least_first_delay).unwrap_or_default()),
                "min" | "throttled" => inner.min(arg.map(least_first_delay).unwrap_or_default()),
                _ => Duration::ZERO,
            }
        }
        _ => Duration::ZERO,
    }
}
