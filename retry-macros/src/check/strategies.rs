//! What can be seen to be wrong with a `stop` or a `wait`.

use core::time::Duration;

use proc_macro2::Ident;
use syn::visit::Visit;
use syn::{BinOp, Block, Expr, ExprCall, ExprMethodCall, Lit, Stmt, UnOp};

use super::{Negatives, Place, swallowed};
use crate::diagnose::Errors;
use crate::read::duration::{bare, of_expr, of_literal};
use crate::read::strategy::{self, Kind, head, is_combinator, is_shaper, known};

/// Calls `visit` on every part of `expr` that stands where a strategy can stand.
fn each_strategy<'a>(expr: &'a Expr, kind: Kind, visit: &mut dyn FnMut(&'a Expr)) {
    let tail = |block: &'a Block, visit: &mut dyn FnMut(&'a Expr)| {
        if let Some(Stmt::Expr(expr, None)) = block.stmts.last() {
            each_strategy(expr, kind, visit);
        }
    };
    let expr = bare(expr);
    visit(expr);
    match expr {
        Expr::Binary(binary) => {
            each_strategy(&binary.left, kind, visit);
            each_strategy(&binary.right, kind, visit);
        }
        Expr::MethodCall(call) if kind == Kind::Wait && is_shaper(&call.method) => {
            each_strategy(&call.receiver, kind, visit);
            // A duration there has a message of its own.
            if is_combinator(&call.method) {
                for arg in call.args.iter().filter(|arg| of_expr(arg).is_none()) {
                    each_strategy(arg, kind, visit);
                }
            }
        }
        Expr::If(branch) => {
            tail(&branch.then_branch, visit);
            if let Some((_, other)) = &branch.else_branch {
                each_strategy(other, kind, visit);
            }
        }
        Expr::Match(matched) => {
            for arm in &matched.arms {
                each_strategy(&arm.body, kind, visit);
            }
        }
        Expr::Block(block) => tail(&block.block, visit),
        _ => {}
    }
}

pub(super) fn check(expr: &Expr, kind: Kind, place: Place<'_>, errors: &mut Errors) {
    Negatives { errors }.visit_expr(expr);
    each_strategy(expr, kind, &mut |part| match part {
        Expr::Lit(lit) => bare_literal(&lit.lit, kind, errors),
        Expr::Path(path) => {
            if let Some(ident) = path.path.get_ident() {
                bare_name(ident, kind, place, errors);
            }
        }
        Expr::Binary(binary) => operator(&binary.op, kind, errors),
        Expr::Closure(closure) => {
            swallowed::operand(closure, "state", kind.heads(), errors);
            if kind == Kind::Wait {
                swallowed::shaper(closure, errors);
            }
        }
        Expr::Call(call) => {
            strategy::misnamed(call, kind, errors);
            if known(call, kind).is_some() {
                arguments(call, errors);
            }
        }
        Expr::MethodCall(call) if kind == Kind::Wait => shaper(call, errors),
        _ => {}
    });
}

/// `stop = 5`, `wait = 100ms`.
fn bare_literal(lit: &Lit, kind: Kind, errors: &mut Errors) {
    let text = quote::ToTokens::to_token_stream(lit).to_string();
    let key = kind.key();
    let meant = match (kind, lit, of_literal(lit)) {
        (_, _, Some(Err(_))) => return, // the literal itself is reported
        (Kind::Stop, _, Some(Ok(_))) => format!("`within({text})`"),
        (Kind::Wait, _, Some(Ok(_))) => format!("`fixed({text})`"),
        (Kind::Stop, Lit::Int(_), None) => {
            format!("`attempts({text})`, or with a unit `within({text}s)`")
        }
        (Kind::Wait, Lit::Int(_) | Lit::Float(_), None) => {
            format!("`fixed({text}ms)` or another unit")
        }
        (Kind::Stop, ..) => "`attempts(5)` or `within(30s)`".to_owned(),
        (Kind::Wait, ..) => "`fixed(100ms)` or `exponential(100ms).cap(10s)`".to_owned(),
    };
    errors.at(lit, format!("`{text}` is not a {key} strategy; write {meant}"));
}

/// `wait = none`, `stop = forever`.
fn bare_name(ident: &Ident, kind: Kind, place: Place<'_>, errors: &mut Errors) {
    let name = ident.to_string();
    if place.arguments.contains(ident) {
        return;
    }
    if kind == Kind::Stop && matches!(name.as_str(), "forever" | "never") {
        errors.at(ident, "write the flag `forever` alone, in place of `stop = …`");
    } else if kind.heads().contains(&name.as_str()) {
        let arguments = if name == "none" { "" } else { "…" };
        errors.at(ident, format!("`{name}` is a function: write `{name}({arguments})`"));
    }
}

fn operator(op: &BinOp, kind: Kind, errors: &mut Errors) {
    match (kind, op) {
        (Kind::Stop, BinOp::BitOr(_) | BinOp::BitAnd(_)) | (Kind::Wait, BinOp::Add(_)) => {}
        (Kind::Stop, BinOp::Or(_)) => errors.at(op, "stop strategies are joined with a single `|`"),
        (Kind::Stop, BinOp::And(_)) => {
            errors.at(op, "stop strategies are joined with a single `&`");
        }
        (Kind::Stop, _) => errors.at(
            op,
            "stop strategies are joined with `|` (give up when either does) and `&` (when both do)",
        ),
        (Kind::Wait, _) => errors.at(
            op,
            "wait strategies are joined with `+`, `.max(…)`, `.min(…)` or `.times(n).then(…)`",
        ),
    }
}

/// The arguments of a known strategy.
fn arguments(call: &ExprCall, errors: &mut Errors) {
    let Some(head) = head(call) else { return };
    let name = head.to_string();
    match name.as_str() {
        "attempts" => {
            if let Some(arg) = call.args.first() {
                attempts(arg, errors);
            }
        }
        "within" | "elapsed" => {
            if let Some(arg) = call.args.first() {
                duration(arg, &name, errors);
                nonzero(arg, &format!("`{name}` of zero never retries"), errors);
            }
        }
        "exponential" | "fibonacci" => {
            if let Some(arg) = call.args.first() {
                duration(arg, &name, errors);
                nonzero(arg, &zero_base(&name), errors);
            }
        }
        "decorrelated" => {
            for arg in &call.args {
                duration(arg, &name, errors);
            }
            if let [Some(base), cap] = [call.args.first(), call.args.get(1)] {
                nonzero(base, &zero_base(&name), errors);
                if let Some(cap) = cap {
                    not_below(cap, "cap", of_expr(base), "base", errors);
                }
            }
        }
        "fixed" | "linear" => {
            for arg in &call.args {
                duration(arg, &name, errors);
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
                    duration(delay, &name, errors);
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

/// `attempts(1)` as the whole `stop` is no retry at all.
pub(super) fn single_attempt(stop: &Expr, errors: &mut Errors) {
    let Expr::Call(call) = bare(stop) else { return };
    let Some(arg) = call.args.first() else { return };
    if known(call, Kind::Stop).as_deref() == Some("attempts") && number(arg) == Some(1.0) {
        errors.at(
            call,
            "`attempts(1)` never retries: it counts all calls, the first included; write \
             `attempts(2)` for one retry, or remove the attribute",
        );
    }
}

/// The value of a plain number.
pub(super) fn number(expr: &Expr) -> Option<f64> {
    match bare(expr) {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Int(lit) if of_literal(&Lit::Int(lit.clone())).is_none() => {
                lit.base10_parse::<u64>().ok().map(|n| {
                    #[allow(clippy::cast_precision_loss)] // compared with 0 and 1 only
                    let n = n as f64;
                    n
                })
            }
            Lit::Float(lit) if of_literal(&Lit::Float(lit.clone())).is_none() => {
                lit.base10_parse().ok()
            }
            _ => None,
        },
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => number(&unary.expr).map(|n| -n),
        _ => None,
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
fn not_below(expr: &Expr, what: &str, least: Option<Duration>, of: &str, errors: &mut Errors) {
    if let (Some(value), Some(least)) = (of_expr(expr), least) {
        if value < least {
            errors.at(expr, format!("the {what} of {value:?} is below the {of} of {least:?}"));
        }
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

/// A method of a wait strategy.
fn shaper(call: &ExprMethodCall, errors: &mut Errors) {
    let Some(arg) = call.args.first() else { return };
    let method = call.method.to_string();
    match method.as_str() {
        "cap" => {
            duration(arg, "cap", errors);
            not_below(arg, "cap", base_of(&call.receiver), "base", errors);
            floor_below_cap(call, arg, "floor", errors);
        }
        "floor" => {
            duration(arg, "floor", errors);
            floor_below_cap(call, arg, "cap", errors);
        }
        "jitter" => {
            if number(arg).is_some_and(|n| n.fract() != 0.0) {
                return errors.at(
                    arg,
                    "`jitter` takes a duration; a part of the delay is written `jitter_factor(…)`",
                );
            }
            duration(arg, "jitter", errors);
        }
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

/// The first delay of the strategy that a chain of shapers starts with.
fn base_of(expr: &Expr) -> Option<Duration> {
    match bare(expr) {
        Expr::MethodCall(call) if is_shaper(&call.method) && !is_combinator(&call.method) => {
            base_of(&call.receiver)
        }
        Expr::Call(call) => match known(call, Kind::Wait)?.as_str() {
            "exponential" | "fibonacci" | "linear" | "fixed" => of_expr(call.args.first()?),
            _ => None,
        },
        _ => None,
    }
}

/// Compares a cap with the floor, or a floor with the cap, further inside the same chain.
fn floor_below_cap(call: &ExprMethodCall, arg: &Expr, other: &str, errors: &mut Errors) {
    let mut inner = bare(&call.receiver);
    while let Expr::MethodCall(call) = inner {
        if !is_shaper(&call.method) || is_combinator(&call.method) {
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
        inner = bare(&call.receiver);
    }
}
