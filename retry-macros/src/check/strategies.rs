//! What can be seen to be wrong with a `stop` or a `wait`: what stands there and is no strategy,
//! and what joins them.

use proc_macro2::Ident;
use quote::ToTokens;
use retry_core::text::{list, similar};
use syn::punctuated::Punctuated;
use syn::{BinOp, Error, Expr, ExprCall, ExprClosure, Lit};

use super::{Place, arguments, methods, shapers, swallowed};
use crate::diagnose::Errors;
use crate::read::duration::{bare, of_expr, of_literal};
use crate::read::foreign::{CRATES, Foreign, Part, foreign, foreign_call};
use crate::read::number::number;
use crate::read::short;
use crate::read::source::text;
use crate::read::strategy::{Form, Kind, SHAPERS, Strategy, head, key_of};

pub(super) fn check(strategy: &Strategy, place: Place<'_>, errors: &mut Errors) {
    part(strategy, true, place, errors);
}

/// Checks a strategy, which is the whole key or stands in one.
fn part(strategy: &Strategy, is_whole: bool, place: Place<'_>, errors: &mut Errors) {
    let kind = strategy.kind;
    if let Some(message) = a_sum(strategy) {
        return errors.at(&strategy.typed, message);
    }
    let check = |strategy: &Strategy, errors: &mut Errors| part(strategy, false, place, errors);
    match &strategy.form {
        Form::Known(name, call) => arguments::check(name, call, errors),
        Form::Joined(op, sides) => {
            // A shaper among the operands is the mistake, whatever joins it.
            let found = errors.len();
            if !sides.iter().any(is_shaper) {
                operator(op, kind, errors);
            }
            let is_wrong = errors.len() > found;
            for side in &**sides {
                // `fixed(1s) * 2` is about the operator.
                if !is_wrong || !matches!(side.form, Form::Other(Expr::Lit(_))) {
                    check(side, errors);
                }
            }
        }
        Form::Shaped(inner, call, others) => {
            check(inner, errors);
            shapers::check(inner, call, others, errors);
            for other in others {
                check(other, errors);
            }
        }
        Form::Branches(_, tails) => tails.iter().for_each(|tail| check(tail, errors)),
        Form::Closure(Expr::Closure(closure)) => {
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
        Form::Place(Expr::Field(field)) => methods::not_called(field, kind, place, errors),
        Form::Other(Expr::Lit(lit)) => bare_literal(&lit.lit, kind, errors),
        Form::Other(Expr::Call(call)) => misnamed(call, kind, errors),
        Form::Other(Expr::MethodCall(call)) => methods::check(call, kind, place, errors),
        Form::Other(other) => no_strategy(other, kind, errors),
        Form::Closure(_) | Form::Place(_) => {}
    }
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

/// `3 + 2`, `1s + 500ms`: one number or duration.
fn a_sum(strategy: &Strategy) -> Option<String> {
    let Form::Joined(_, sides) = &strategy.form else { return None };
    let typed = text(&strategy.typed);
    let all = |is: fn(&Expr) -> bool| sides.iter().all(|side| is(bare(&side.typed)));
    let name = match strategy.kind {
        _ if all(|it| of_expr(it).is_some()) => [("within", "stop"), ("fixed", "wait")],
        Kind::Stop if all(|it| number(it).is_some()) => [("attempts", "stop"); 2],
        _ => return None,
    };
    let (name, _) = name.iter().find(|(_, key)| *key == strategy.kind.key())?;
    Some(format!("this is not a {} strategy: write `{name}({typed})`", strategy.kind.key()))
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
        (_, Lit::Str(it), None) if in_quotes(&it.value(), kind).is_some() => {
            let inside = in_quotes(&it.value(), kind).unwrap_or_default();
            return errors.at(lit, format!("a strategy has no quotes: write `{inside}`"));
        }
        (Kind::Stop, ..) => "`attempts(5)` or `within(30s)`".to_owned(),
        (Kind::Wait, ..) => "`fixed(100ms)` or `exponential(100ms).cap(10s)`".to_owned(),
    };
    errors.at(lit, format!("`{text}` is not a {key} strategy; write {meant}"));
}

/// The strategy that a text is, or means.
fn in_quotes(value: &str, kind: Kind) -> Option<String> {
    let value = value.trim();
    if let Ok(Expr::Call(call)) = syn::parse_str::<Expr>(value) {
        return head(&call).and_then(|name| kind.known(name)).map(|_| value.to_owned());
    }
    if kind == Kind::Stop && value.parse::<u32>().is_ok() {
        return Some(format!("attempts({value})"));
    }
    let name = if kind == Kind::Stop { "within" } else { "fixed" };
    retry_core::text::meant(value).map(|duration| format!("{name}({duration})"))
}

/// `wait = none`, `stop = forever`.
fn bare_name(ident: &Ident, kind: Kind, place: Place<'_>, errors: &mut Errors) {
    let name = ident.to_string();
    if place.arguments.contains(ident) {
        return;
    }
    if kind == Kind::Stop && matches!(name.as_str(), "forever" | "never") {
        errors.at(ident, "write the flag `forever` alone, in place of `stop = …`");
    } else if name == "None" {
        let meant = match kind {
            Kind::Stop => "the flag `forever` in place of `stop = …`",
            Kind::Wait => "`none()`",
        };
        errors.at(ident, format!("`None` is not a {} strategy; write {meant}", kind.key()));
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
        (Kind::Wait, BinOp::Or(_)) => errors.at(
            op,
            "wait strategies are joined with `+`, `.max(…)`, `.min(…)` or `.times(n).then(…)`; if this begins the block to retry, a `,` is missing before it",
        ),
        (Kind::Wait, _) => errors.at(
            op,
            "wait strategies are joined with `+`, `.max(…)`, `.min(…)` or `.times(n).then(…)`",
        ),
    }
}

/// Whether a shaper stands there like a strategy.
fn is_shaper(strategy: &Strategy) -> bool {
    matches!(&strategy.form, Form::Other(Expr::Call(call))
        if strategy.kind == Kind::Wait
            && head(call).is_some_and(|it| SHAPERS.iter().any(|name| it == name)))
}

/// What can be no strategy, whatever its types.
fn no_strategy(expr: &Expr, kind: Kind, errors: &mut Errors) {
    let typed = text(&expr);
    let elements = |elems: &Punctuated<Expr, syn::Token![,]>, between: &str| {
        elems.iter().map(text).collect::<Vec<_>>().join(between)
    };
    let meant = match (kind, expr) {
        (
            Kind::Stop,
            Expr::Array(syn::ExprArray { elems, .. }) | Expr::Tuple(syn::ExprTuple { elems, .. }),
        ) => {
            format!(
                "stop strategies are joined with `|` (give up when either does) and `&` (when both do): write `{}`",
                elements(elems, " | ")
            )
        }
        (_, Expr::Macro(it))
            if it.mac.path.get_ident().is_some_and(|name| kind.known(name).is_some()) =>
        {
            format!("a strategy is written without the `!`: `{}`", typed.replacen('!', "", 1))
        }
        (Kind::Wait, Expr::Tuple(it)) if it.elems.is_empty() => {
            "this is no wait strategy; for no wait write `none()`".to_owned()
        }
        (Kind::Wait, Expr::Array(_)) => {
            format!("a list is no wait strategy by itself: write `sequence({typed})`")
        }
        (Kind::Wait, Expr::Tuple(it)) => {
            format!(
                "a list is no wait strategy by itself: write `sequence([{}])`",
                elements(&it.elems, ", ")
            )
        }
        (Kind::Wait, Expr::Range(_)) => {
            format!("a range is no wait strategy by itself: write `random({typed})`")
        }
        (Kind::Stop, Expr::Unary(it))
            if matches!(it.op, syn::UnOp::Not(_)) && is_ours(&it.expr, kind) =>
        {
            "a stop strategy has no opposite; write the one that is meant".to_owned()
        }
        (_, Expr::Reference(it)) if is_ours(&it.expr, kind) => {
            format!("no reference is needed: write `{}`", text(&it.expr))
        }
        _ => return,
    };
    errors.at(expr, meant);
}

/// Whether the expression is a call of a known strategy.
fn is_ours(expr: &Expr, kind: Kind) -> bool {
    matches!(bare(expr), Expr::Call(call) if head(call).is_some_and(|it| kind.known(it).is_some()))
}

/// The type or function that a call of another library's names, and what it is here.
fn of_other_libraries(call: &ExprCall) -> Option<(String, Foreign)> {
    let Expr::Path(path) = bare(&call.func) else { return None };
    let segments: Vec<_> = path.path.segments.iter().map(|it| it.ident.to_string()).collect();
    let is_theirs = CRATES.contains(&segments.first()?.as_str());
    let (name, foreign) = match &segments[..] {
        [name] => (name.clone(), foreign_call(name)?),
        // A longer path is one's own, as `self::ExponentialBackoff::new()` is.
        [.., ty, last] if segments.len() == 2 || is_theirs => {
            let is_type = ty.starts_with(char::is_uppercase);
            (format!("{ty}::{last}"), foreign(if is_type { ty } else { last })?)
        }
        _ => return None,
    };
    let is_own = segments.len() == 2 && !is_theirs && !name.starts_with(char::is_uppercase);
    (!is_own).then_some((name, foreign))
}

/// A call of what `kind` does not know but somebody may have meant.
pub(super) fn misnamed(call: &ExprCall, kind: Kind, errors: &mut Errors) {
    let key = kind.key();
    if let Some((name, foreign)) = of_other_libraries(call) {
        let arg = call.args.first().map(|arg| match arg {
            Expr::Assign(assign) => &*assign.right,
            arg => arg,
        });
        let (written, note) = (foreign.written(arg), foreign.note());
        let here = match (foreign.part, kind) {
            (Part::Stop, Kind::Stop) | (Part::Wait, Kind::Wait) => {
                format!("write `{written}`{note}")
            }
            (Part::Shaper, Kind::Wait) => {
                format!("write it behind a wait: `exponential(100ms).{written}`")
            }
            (Part::Whole, _) => format!("{written} in place of `{key} = …`"),
            (part, _) => {
                let code = foreign.as_key(arg).unwrap_or_default();
                let other = if part == Part::On { "on" } else { kind.other().key() };
                format!("it belongs to `{other}`: `{code}`{note}")
            }
        };
        return errors.at(
            &call.func,
            format!("`{name}` is not known to `{key}`; {here} (what is your own is written with a path: `self::{name}(…)`)"),
        );
    }
    if let (Kind::Stop, Some(ident)) = (kind, head(call)) {
        let operator = match ident.to_string().as_str() {
            "or" | "any" | "any_of" => "|",
            "and" | "all" | "all_of" => "&",
            _ => "",
        };
        if !operator.is_empty()
            && call.args.len() > 1
            && call.args.iter().any(|it| is_ours(it, kind))
        {
            let joined =
                call.args.iter().map(text).collect::<Vec<_>>().join(&format!(" {operator} "));
            return errors.at(
                ident,
                format!("stop strategies are joined with `{operator}`: write `{joined}`"),
            );
        }
    }
    if let Expr::Path(path) = bare(&call.func) {
        let mut segments = path.path.segments.iter().rev().map(|it| it.ident.to_string());
        let is_made = segments.next().is_some_and(|name| name.starts_with("from_"));
        if is_made && segments.next().is_some_and(|ty| ty == "Duration") {
            let name = if kind == Kind::Stop { "within" } else { "fixed" };
            let typed = text(&call);
            return errors
                .at(call, format!("a duration is not a {key} strategy: write `{name}({typed})`"));
        }
        if let Some(name) = at_the_root(path, kind) {
            return errors.at(
                path,
                format!("the strategies need no path here: write `{name}{}`", text(&args(call))),
            );
        }
    }
    let Some(ident) = head(call) else { return };
    let name = ident.to_string();
    if name == "forever" && kind == Kind::Stop {
        return errors.at(call, "write the flag `forever` alone, in place of `stop = …`");
    }
    let heads = || kind.heads().iter().copied();
    match key_of(&name) {
        Some("on") => {
            errors
                .at(ident, format!("`{name}` is a condition and belongs to `on`, not to `{key}`"));
        }
        Some(other) => errors.at(
            ident,
            format!(
                "`{name}` is a {other} strategy: write `{other} = {}`, and for `{key}` one of {}",
                short(call),
                list(heads())
            ),
        ),
        None if kind == Kind::Wait && SHAPERS.contains(&name.as_str()) => errors.at(
            ident,
            format!(
                "`{name}` shapes a wait and stands behind it: `exponential(100ms).{}`",
                short(call)
            ),
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

/// The strategy that is looked for where none are: `retry::attempts`.
fn at_the_root(path: &syn::ExprPath, kind: Kind) -> Option<&'static str> {
    let mut segments = path.path.segments.iter();
    let is_root = segments.next().is_some_and(|first| first.ident == "retry");
    let name = segments.next().and_then(|name| kind.known(&name.ident));
    name.filter(|_| is_root && segments.next().is_none())
}

fn args(call: &ExprCall) -> proc_macro2::TokenStream {
    let mut tokens = proc_macro2::TokenStream::new();
    call.paren_token.surround(&mut tokens, |tokens| call.args.to_tokens(tokens));
    tokens
}
