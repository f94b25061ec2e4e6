//! What can be seen to be wrong with a `stop` or a `wait`: what stands there and is no strategy,
//! and what joins them.

use proc_macro2::Ident;
use retry_core::text::{list, similar};
use syn::{BinOp, Error, Expr, ExprCall, ExprClosure, Lit};

use super::{Place, arguments, shapers, swallowed};
use crate::diagnose::Errors;
use crate::read::duration::{bare, of_literal};
use crate::read::number::number;
use crate::read::strategy::{Form, Kind, Strategy, head, key_of};

pub(super) fn check(whole: &Strategy, place: Place<'_>, errors: &mut Errors) {
    let kind = whole.kind;
    whole.walk(&mut |strategy| match &strategy.form {
        Form::Known(name, call) => arguments::check(name, call, errors),
        Form::Joined(op, _) => operator(op, kind, errors),
        Form::Shaped(inner, call, _) => shapers::check(inner, call, errors),
        Form::Closure(Expr::Closure(closure)) => {
            let is_whole = std::ptr::eq(strategy, whole);
            closure_of(closure, kind, is_whole, place, errors);
            if kind == Kind::Stop || !answers_with_strategy(&closure.body) {
                swallowed::operand(closure, "state", kind.heads(), errors);
                if kind == Kind::Wait {
                    swallowed::shaper(closure, errors);
                }
            }
        }
        Form::Place(Expr::Path(path)) => {
            if let Some(ident) = path.path.get_ident() {
                bare_name(ident, kind, place, errors);
            }
        }
        Form::Other(Expr::Lit(lit)) => bare_literal(&lit.lit, kind, errors),
        Form::Other(Expr::Call(call)) => misnamed(call, kind, errors),
        Form::Closure(_) | Form::Branches(..) | Form::Place(_) | Form::Other(_) => {}
    });
}

/// What a closure is given, and that it awaits nothing.
fn closure_of(
    closure: &ExprClosure,
    kind: Kind,
    is_whole: bool,
    place: Place<'_>,
    errors: &mut Errors,
) {
    let key = kind.key();
    if let Some(asyncness) = &closure.asyncness {
        return errors.at(asyncness, format!("`{key}` awaits nothing; remove `async`"));
    }
    let (inputs, is_wait, is_policy) =
        (&closure.inputs, kind == Kind::Wait, place.macro_name == "policy!");
    let may_see = is_wait && is_whole && !is_policy;
    let message = match inputs.len() {
        1 => return,
        2 if may_see => return,
        2 if is_wait && is_whole => {
            "a policy is a value and sees no outcome; write `wait = |state| …` here, or the closure of two arguments on the function or block that takes the policy"
                .to_owned()
        }
        2 if is_wait => {
            "a closure inside of a strategy is given the state alone: write `|state| …`; only one that is the whole `wait` sees the outcome"
                .to_owned()
        }
        _ if may_see => {
            "the closure of `wait` is given the state, and the outcome if it wants it: write `wait = |state| …` or `wait = |state, outcome| …`"
                .to_owned()
        }
        _ => format!("the closure of `{key}` is given the state: write `{key} = |state| …`"),
    };
    if inputs.is_empty() {
        errors.push(Error::new(closure.inputs_begin.spans[0], message));
    } else {
        errors.at(inputs, message);
    }
}

/// Whether what a closure in `wait` answers starts with a strategy of the grammar, so that what
/// follows is meant to be part of it.
fn answers_with_strategy(body: &Expr) -> bool {
    match bare(body) {
        Expr::Binary(binary) => answers_with_strategy(&binary.left),
        Expr::MethodCall(call) => answers_with_strategy(&call.receiver),
        Expr::Call(call) => head(call).is_some_and(|head| Kind::Wait.known(head).is_some()),
        _ => false,
    }
}

/// `attempts(1)` as the whole `stop` is no retry at all.
pub(super) fn single_attempt(stop: &Strategy, errors: &mut Errors) {
    if stop.argument_of("attempts").and_then(number) == Some(1.0) {
        errors.at(
            bare(&stop.typed),
            "`attempts(1)` never retries: it counts all calls, the first included; write \
             `attempts(2)` for one retry, or remove the attribute",
        );
    }
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

/// A call of what `kind` does not know but somebody may have meant.
fn misnamed(call: &ExprCall, kind: Kind, errors: &mut Errors) {
    let Some(ident) = head(call) else { return };
    let (name, key) = (ident.to_string(), kind.key());
    if let Some(meant) = kind.meant(&name) {
        return errors.at(ident, format!("`{name}` is not known to `{key}`; write `{meant}`"));
    }
    let heads = || kind.heads().iter().copied();
    match key_of(&name) {
        Some("on") => errors.at(
            ident,
            format!("`{name}` is a condition and belongs to `on`, not to `{key}`"),
        ),
        Some(other) => errors.at(
            ident,
            format!("`{name}` is a {other} strategy; write `{other} = {name}(…)`, and for `{key}` one of {}", list(heads())),
        ),
        None => {
            if let Some(similar) = similar(&name, heads()) {
                errors.at(
                    ident,
                    format!("no {key} strategy is called `{name}`; did you mean `{similar}`? (a function of your own is written with a path: `self::{name}(…)`)"),
                );
            }
        }
    }
}
