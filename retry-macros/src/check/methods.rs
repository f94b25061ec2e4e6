//! Methods of a strategy that it does not have.

use retry_core::text::similar;
use syn::{Expr, ExprField, ExprMethodCall, Ident, Member};

use super::{Place, strategies};
use crate::diagnose::Errors;
use crate::read::duration::bare;
use crate::read::foreign::{Part, foreign, foreign_call};
use crate::read::source::text;
use crate::read::strategy::{Kind, SHAPERS, Strategy, head, key_of};

/// A method that is no shaper, of something that starts with the call of a strategy, known or
/// nearly. What stands before it is looked at too.
pub(super) fn check(call: &ExprMethodCall, kind: Kind, place: Place<'_>, errors: &mut Errors) {
    let receiver = bare(&call.receiver);
    if !starts_with_strategy(receiver, kind) {
        return;
    }
    // The methods of a builder of another library are gone with it.
    let found = errors.len();
    strategies::check(&Strategy::read(kind, receiver.clone()), place, errors);
    let is_of_other_libraries = matches!(root(receiver), Some(root)
        if foreign_call(&root.to_string()).is_some() || root.to_string().starts_with(char::is_uppercase));
    if is_of_other_libraries && errors.len() > found {
        return;
    }
    if let Some(message) = unknown(call, kind) {
        errors.at(&call.method, message);
    }
}

fn unknown(call: &ExprMethodCall, kind: Kind) -> Option<String> {
    let name = call.method.to_string();
    let arg = call.args.first();
    if kind == Kind::Stop {
        let typed = arg.map_or_else(|| "…".to_owned(), |arg| text(&arg));
        let join = match name.as_str() {
            "or" | "any" => format!("| {typed}"),
            "and" | "all" => format!("& {typed}"),
            _ if key_of(&name) == Some("stop") => format!("| {name}({typed})"),
            _ => return None,
        };
        return Some(format!(
            "stop strategies are joined with `|` (give up when either does) and `&` (when both do): write `… {join}`"
        ));
    }
    if let Some(foreign) = foreign(&name) {
        return match foreign.part {
            Part::Shaper => {
                Some(format!("no shaper is called `{name}`; write `.{}`", foreign.written(arg)))
            }
            Part::Stop => Some(format!(
                "`{name}` says when to give up, which is a key of its own: `{}`{}",
                foreign.as_key(arg)?,
                foreign.note()
            )),
            Part::Wait if name.contains("delay") || name.contains("interval") => Some(format!(
                "the first delay is the argument of the strategy: `{}`",
                foreign.written(arg)
            )),
            _ => None,
        };
    }
    if name == "or" || name == "and" || name == "add" {
        return Some(
            "wait strategies are joined with `+`, `.max(…)`, `.min(…)` or `.times(n).then(…)`"
                .to_owned(),
        );
    }
    let similar = similar(&name, SHAPERS)?;
    Some(format!("no shaper is called `{name}`; did you mean `{similar}`?"))
}

/// `exponential(100ms).full_jitter`
pub(super) fn not_called(field: &ExprField, kind: Kind, place: Place<'_>, errors: &mut Errors) {
    let (Member::Named(name), receiver) = (&field.member, bare(&field.base)) else { return };
    if !starts_with_strategy(receiver, kind) {
        return;
    }
    strategies::check(&Strategy::read(kind, receiver.clone()), place, errors);
    if kind == Kind::Wait && SHAPERS.iter().any(|shaper| name == shaper) {
        let argument = if name.to_string().ends_with("l_jitter") { "" } else { "…" };
        errors.at(name, format!("`{name}` is a method: write `.{name}({argument})`"));
    }
}

/// The name that a chain of methods starts with, if it starts with a call: that of the function, or
/// of the type it belongs to.
fn root(expr: &Expr) -> Option<&Ident> {
    match bare(expr) {
        Expr::Call(call) => head(call).or_else(|| match bare(&call.func) {
            Expr::Path(path) => path.path.segments.iter().rev().nth(1).map(|ty| &ty.ident),
            _ => None,
        }),
        Expr::MethodCall(call) => root(&call.receiver),
        Expr::Field(field) => root(&field.base),
        _ => None,
    }
}

fn starts_with_strategy(expr: &Expr, kind: Kind) -> bool {
    root(expr).is_some_and(|root| {
        kind.known(root).is_some()
            || foreign_call(&root.to_string()).is_some()
            || similar(&root.to_string(), kind.heads().iter().copied()).is_some()
    })
}
