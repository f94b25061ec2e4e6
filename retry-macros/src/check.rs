//! Every rejection, and nothing but rejections.
//!
//! A policy that the macro can see is wrong does not compile. What it cannot see (a number from
//! a field, a user's own strategy) is left to the types and to the documented behaviour of the
//! runtime crate.

use core::time::Duration;

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{
    BinOp, Block, Error, Expr, ExprCall, ExprClosure, ExprMethodCall, Ident, Lit, ReturnType, Stmt,
    Type, TypeParamBound, UnOp,
};

use crate::args::{Args, MaxHint};
use crate::condition::Condition;
use crate::diagnose::Errors;
use crate::duration::{bare, of_expr, of_literal};
use crate::item::{Item, Shape};
use crate::strategy::{self, CONDITIONS, Kind, head, is_combinator, is_shaper, known};

/// Where the keys are written, for the messages.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    /// The macro as typed.
    pub(crate) macro_name: &'a str,
    /// The names that a strategy's name may be hidden behind.
    pub(crate) arguments: &'a [Ident],
}

/// Checks what the keys say, by themselves and together.
pub(crate) fn policy(args: &Args, place: Place<'_>, errors: &mut Errors) {
    present(args, place, errors);
    if let Some(stop) = &args.stop {
        strategies(stop, Kind::Stop, place, errors);
        single_attempt(stop, errors);
    }
    if let Some(wait) = &args.wait {
        strategies(wait, Kind::Wait, place, errors);
    }
    if let (Some(stop), Some(wait)) = (&args.stop, &args.wait) {
        first_delay_fits(stop, wait, errors);
    }
    if let Some(on) = &args.on {
        conditions(on, errors);
    }
    if let Some(MaxHint::GiveUpAbove(most) | MaxHint::Clamp(most)) = &args.max_hint {
        duration(most, "max_hint", errors);
    }
    for value in [&args.enabled, &args.sleep].into_iter().flatten() {
        Negatives { errors }.visit_expr(value);
    }
    if let Some(path) = &args.krate {
        let first = path.segments.first();
        let absolute = path.leading_colon.is_some()
            || first.is_some_and(|first| first.ident == "crate" || first.ident == "self");
        if !absolute {
            errors.at(
                path,
                "the path must be absolute, so that it means the same wherever it is expanded: \
                 write `crate = ::my_crate::retry`",
            );
        }
    }
}

/// The keys that nothing works without.
fn present(args: &Args, place: Place<'_>, errors: &mut Errors) {
    let name = place.macro_name;
    let mut missing = |message: String| errors.push(Error::new(Span::call_site(), message));
    if args.is_empty {
        return missing(format!(
            "`{name}` says neither when to give up nor how long to wait: write `stop = attempts(5)` and `wait = exponential(100ms).cap(10s).full_jitter()`, and `on = …` to say which errors to retry"
        ));
    }
    if args.stop.is_none() && args.forever.is_none() {
        missing(format!(
            "`{name}` does not say when to give up: write `stop = attempts(5)` or `stop = within(30s)`, or the flag `forever` if it should go on until it succeeds"
        ));
    }
    if args.wait.is_none() {
        missing(format!(
            "`{name}` does not say how long to wait before the next attempt: write `wait = exponential(100ms).cap(10s).full_jitter()`, or `wait = none()`"
        ));
    }
}

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
            if is_combinator(&call.method) {
                for arg in &call.args {
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

fn strategies(expr: &Expr, kind: Kind, place: Place<'_>, errors: &mut Errors) {
    Negatives { errors }.visit_expr(expr);
    each_strategy(expr, kind, &mut |part| match part {
        Expr::Lit(lit) => bare_literal(&lit.lit, kind, errors),
        Expr::Path(path) => {
            if let Some(ident) = path.path.get_ident() {
                bare_name(ident, kind, place, errors);
            }
        }
        Expr::Binary(binary) => operator(&binary.op, kind, errors),
        Expr::Closure(closure) => swallowed(closure, kind, errors),
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

/// A closure takes everything to its right, and with it what was meant to stand beside it.
fn swallowed(closure: &ExprClosure, kind: Kind, errors: &mut Errors) {
    let mut report = |name: &dyn std::fmt::Display, tokens: &dyn Spanned| {
        errors.push(Error::new(
            tokens.span(),
            format!("`{name}` has become part of the closure before it; put the closure in parentheses: `(|state| …)`"),
        ));
    };
    let mut body = bare(&closure.body);
    while let Expr::Binary(binary) = body {
        if let Expr::Call(call) = bare(&binary.right) {
            if let Some(name) = known(call, kind) {
                return report(&name, &call.func);
            }
        }
        if let Expr::MethodCall(call) = root_of_shapes(&binary.right) {
            if let Expr::Call(inner) = bare(&call.receiver) {
                if let Some(name) = known(inner, kind) {
                    return report(&name, &inner.func);
                }
            }
        }
        body = bare(&binary.left);
    }
    // `max`, `min` and `then` are methods of other types as well.
    if let (Kind::Wait, Expr::MethodCall(call)) = (kind, bare(&closure.body)) {
        let ours = ["cap", "floor", "full_jitter", "equal_jitter", "jitter", "jitter_factor"];
        if ours.iter().any(|name| call.method == name) {
            report(&call.method, &call.method);
        }
    }
}

/// The innermost method call of a chain of shapers.
fn root_of_shapes(expr: &Expr) -> &Expr {
    let mut expr = bare(expr);
    while let Expr::MethodCall(call) = expr {
        match bare(&call.receiver) {
            receiver @ Expr::MethodCall(_) => expr = receiver,
            _ => break,
        }
    }
    expr
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
fn single_attempt(stop: &Expr, errors: &mut Errors) {
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
fn number(expr: &Expr) -> Option<f64> {
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
fn duration(expr: &Expr, of: &str, errors: &mut Errors) {
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
        return errors.at(range, "`random` takes a range with both ends: `random(50ms..200ms)`");
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

/// A time limit that not even the shortest first delay fits into leaves no room for a retry.
fn first_delay_fits(stop: &Expr, wait: &Expr, errors: &mut Errors) {
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

fn conditions(on: &Condition, errors: &mut Errors) {
    on.walk(&mut |condition| match condition {
        Condition::Error(f) | Condition::Ok(f) | Condition::Output(f) => {
            Negatives { errors }.visit_expr(f);
            match bare(f) {
                Expr::Path(path) => type_as_function(&path.path, errors),
                Expr::Closure(closure) => swallowed_condition(closure, errors),
                _ => {}
            }
        }
        Condition::Not(span, inner) if !inner.judges_errors_only() => errors.push(Error::new(
            *span,
            "`!` turns a verdict on errors around; of values it would retry every success. Write the opposite inside: `ok(|value| !…)`",
        )),
        Condition::Matches(pat, _) => crate::duration::reject(pat, errors),
        Condition::AtMost(_, n) if number(n) == Some(0.0) => {
            errors.at(n, "`at_most(0)` grants no retry; remove the condition instead");
        }
        _ => {}
    });
}

/// `on = Error`, where `Error` is a type or a variant.
fn type_as_function(path: &syn::Path, errors: &mut Errors) {
    let Some(last) = path.segments.last() else { return };
    let name = last.ident.to_string();
    let upper = name.starts_with(char::is_uppercase);
    if !upper || (name.len() > 1 && !name.contains(char::is_lowercase)) {
        return;
    }
    let whole = path.segments.iter().map(|s| s.ident.to_string()).collect::<Vec<_>>().join("::");
    errors.at(
        path,
        format!("`{whole}` is a type or a variant, not a function of the error: write `is::<{whole}>()` for errors of that type, `matches(Err({whole}))` for that variant, or the path of a function: `{whole}::is_transient`"),
    );
}

fn swallowed_condition(closure: &ExprClosure, errors: &mut Errors) {
    let mut body = bare(&closure.body);
    while let Expr::Binary(binary) = body {
        if let Expr::Call(call) = bare(&binary.right) {
            if let Some(name) = head(call).filter(|head| CONDITIONS.iter().any(|c| head == c)) {
                return errors.at(
                    name,
                    format!("`{name}` has become part of the closure before it; put the closure in parentheses: `(|error| …)`"),
                );
            }
        }
        body = bare(&binary.left);
    }
}

/// Complains about `-5s`, wherever it stands.
struct Negatives<'a> {
    errors: &'a mut Errors,
}

impl<'a> Visit<'a> for Negatives<'_> {
    fn visit_expr_unary(&mut self, unary: &'a syn::ExprUnary) {
        if matches!(unary.op, UnOp::Neg(_)) && of_expr(&unary.expr).is_some() {
            self.errors.at(unary, "a duration cannot be negative");
        }
        visit::visit_expr_unary(self, unary);
    }
}

/// Checks the annotated function, and the keys against it. `timer` says whether an async function
/// can sleep without being told how.
pub(crate) fn function(item: &Item, shape: &Shape, args: &Args, timer: bool, errors: &mut Errors) {
    if let Some(constness) = &item.sig.constness {
        errors.at(
            constness,
            "a `const fn` cannot wait, so there is nothing to retry; remove `const`",
        );
    }
    clones(item, args, errors);
    match shape {
        Shape::Unit => errors.at(
            &item.sig.ident,
            "this function returns nothing, so `#[retry]` cannot tell a failure from a success; return a `Result`",
        ),
        Shape::OpaqueFuture => {
            if let ReturnType::Type(_, ty) = &item.sig.output {
                errors.at(
                    ty,
                    "`#[retry]` can only retry a future that it can see: end the function with an `async` block, or make it an `async fn`",
                );
            }
        }
        Shape::Sync(output) => output_type(output, args, errors),
        Shape::Async(output) => {
            output_type(output, args, errors);
            can_sleep(item, args, timer, errors);
        }
        Shape::Future(future) => {
            output_type(&future.output, args, errors);
            can_sleep(item, args, timer, errors);
        }
    }
}

fn can_sleep(item: &Item, args: &Args, timer: bool, errors: &mut Errors) {
    if !timer && args.sleep.is_none() {
        errors.at(&item.sig.ident, NO_TIMER);
    }
}

/// The message where an async block or function has nothing to wait on.
pub(crate) const NO_TIMER: &str = "an async retry needs a timer: enable the feature `tokio` of \
                                   `retry`, or say how to sleep with `sleep = …`";

/// Types that nothing can be told from, or too early.
fn output_type(ty: &Type, args: &Args, errors: &mut Errors) {
    match ty {
        Type::Group(group) => output_type(&group.elem, args, errors),
        Type::Paren(paren) => output_type(&paren.elem, args, errors),
        Type::Never(_) => errors.at(ty, "a function that never returns has no outcome to retry on"),
        Type::Tuple(tuple) if tuple.elems.is_empty() => errors
            .at(ty, "`#[retry]` cannot tell a failure from a success in `()`; return a `Result`"),
        Type::ImplTrait(it) if lazy(it.bounds.iter()) => lazy_output(ty, errors),
        Type::Path(path) => {
            let Some(last) = path.path.segments.last() else { return };
            if (last.ident == "Box" || last.ident == "Pin") && boxes_lazy(ty) {
                lazy_output(ty, errors);
            } else if last.ident == "Option" && args.on.is_none() {
                errors.at(
                    ty,
                    "an `Option` does not say whether `None` is a failure: write `on = any_error()` to retry on `None`, or `on = output(|it| …)`",
                );
            }
        }
        _ => {}
    }
}

fn lazy_output(ty: &Type, errors: &mut Errors) {
    errors.at(
        ty,
        "this is handed out before anything in it can fail, so there is nothing to retry yet; return a `Result` of it, or retry where an item is made",
    );
}

fn boxes_lazy(ty: &Type) -> bool {
    match ty {
        Type::TraitObject(object) => lazy(object.bounds.iter()),
        Type::Path(path) => path.path.segments.last().is_some_and(|last| {
            matches!(&last.arguments, syn::PathArguments::AngleBracketed(arguments)
            if (last.ident == "Box" || last.ident == "Pin")
                && arguments.args.iter().any(|argument| {
                    matches!(argument, syn::GenericArgument::Type(ty) if boxes_lazy(ty))
                }))
        }),
        _ => false,
    }
}

fn lazy<'a>(mut bounds: impl Iterator<Item = &'a TypeParamBound>) -> bool {
    bounds.any(|bound| match bound {
        TypeParamBound::Trait(bound) => bound.path.segments.last().is_some_and(|last| {
            let name = last.ident.to_string();
            name.ends_with("Iterator") || name.ends_with("Stream")
        }),
        _ => false,
    })
}

fn clones(item: &Item, args: &Args, errors: &mut Errors) {
    let Some(names) = &args.clone else { return };
    let arguments = item.arguments();
    for (index, name) in names.iter().enumerate() {
        if name == "self" {
            errors.at(
                name,
                "`self` cannot be cloned for each attempt; take `&self`, and clone what the body uses up inside it",
            );
        } else if !arguments.contains(name) {
            errors.at(name, format!("`{name}` is not an argument of this function"));
        } else if names[..index].contains(name) {
            errors.at(name, format!("`{name}` is named twice"));
        }
    }
}
