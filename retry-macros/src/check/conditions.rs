//! What can be seen to be wrong with an `on`.

use retry_core::text::{list, similar};
use syn::{Error, Expr, ExprCall, Ident};

use super::signatures::Takes;
use super::{literal, swallowed};
use crate::diagnose::Errors;
use crate::read::condition::Condition;
use crate::read::duration::{self, bare};
use crate::read::foreign::foreign_call;
use crate::read::number::number;
use crate::read::short;
use crate::read::source::text;
use crate::read::strategy::{CONDITIONS, head, key_of};

pub(super) fn check(on: &Condition, errors: &mut Errors) {
    on.walk(&mut |condition| match condition {
        Condition::Error(f)
        | Condition::Ok(f)
        | Condition::Output(f)
        | Condition::Is(_, Some(f))
        | Condition::SourceIs(_, Some(f)) => {
            function(condition, f, errors);
        }
        Condition::Call(Expr::Call(call)) => called(call, errors),
        Condition::Not(_, inner) if matches!(**inner, Condition::Marked(_)) => {
            alone(inner, "for every error that is not marked as final write `any_error()`", errors);
        }
        Condition::AtMost(inner, _) if matches!(**inner, Condition::Marked(_)) => {
            alone(inner, "it grants no retry that could be counted; of marked errors `stop` is the limit", errors);
        }
        Condition::Not(span, inner) if !inner.judges_errors_only() => errors.push(Error::new(
            *span,
            "`!` turns a verdict on errors around; of values it would retry every success. Write the opposite inside: `ok(|value| !…)`",
        )),
        Condition::Matches(pat, _) => duration::reject(pat, errors),
        Condition::And(a, b) => {
            for side in [a, b] {
                alone(side, "marks overrule the other conditions anyway: leave it out", errors);
            }
        }
        Condition::AtMost(_, n) if number(n) == Some(0.0) => {
            errors.at(n, "`at_most(0)` grants no retry; remove the condition instead");
        }
        Condition::AtMost(_, n) => {
            literal::check("at_most", Takes::Count, n, ".at_most(3)", errors);
        }
        _ => {}
    });
}

/// `marked()`, where it says nothing.
fn alone(marked: &Condition, instead: &str, errors: &mut Errors) {
    if let Condition::Marked(span) = marked {
        errors.push(Error::new(
            *span,
            format!("`marked()` leaves it to the marks in the body; {instead}"),
        ));
    }
}

/// What a condition asks.
fn function(condition: &Condition, f: &Expr, errors: &mut Errors) {
    let (name, argument) = match condition {
        Condition::Ok(_) => ("ok", "value"),
        Condition::Output(_) => ("output", "outcome"),
        _ => ("error", "error"),
    };
    match bare(f) {
        Expr::Path(path) if is_condition(&path.path) => errors.at(
            path,
            match text(path).as_str() {
                name @ ("error" | "ok" | "output" | "matches" | "is" | "source_is") => {
                    let arguments = match name {
                        "matches" => "(Err(…))",
                        "is" | "source_is" => "::<MyError>()",
                        _ => "(|it| …)",
                    };
                    format!("`{name}` is a condition: write `{name}{arguments}` (a function of your own is written with a path: `self::{name}`)")
                }
                typed => format!("`{typed}` is a condition: write `{typed}()`"),
            },
        ),
        Expr::Path(path) => type_as_function(&path.path, errors),
        Expr::Closure(closure) if closure.inputs.len() != 1 => errors.at(
            closure,
            format!("the closure is given one argument: write `|{argument}| …`"),
        ),
        Expr::Closure(closure) if closure.asyncness.is_some() => {
            errors.at(closure.asyncness, "`on` judges what is there and awaits nothing; remove `async`");
        }
        Expr::Closure(closure) => swallowed::operand(closure, "error", &CONDITIONS, errors),
        Expr::Lit(_) | Expr::Range(_) | Expr::Array(_) | Expr::Tuple(_) | Expr::Infer(_) => errors.at(
            f,
            format!("`{name}` takes a function: write `{name}(|{argument}| …)`"),
        ),
        _ => {}
    }
}

/// Whether it is the name of a condition, which is not called.
fn is_condition(path: &syn::Path) -> bool {
    let mut segments = path.segments.iter();
    let is_known = segments
        .next()
        .is_some_and(|first| CONDITIONS.iter().any(|condition| first.ident == condition));
    is_known && segments.next().is_none() && path.leading_colon.is_none()
}

/// A call of what is no condition: a variant, a name of another library's, a misspelled one.
fn called(call: &ExprCall, errors: &mut Errors) {
    let Expr::Path(path) = bare(&call.func) else { return };
    let mut types = path.path.segments.iter().rev().map(|it| it.ident.to_string());
    let (last, of) = (types.next().unwrap_or_default(), types.next());
    let is_upper = |name: &str| name.starts_with(char::is_uppercase);
    if matches!(last.as_str(), "Ok" | "Err" | "Some") && of.is_none() {
        let message =
            format!("this is a pattern and stands in `matches`: write `matches({})`", short(call));
        return errors.at(call, message);
    }
    if is_upper(&last) && of.is_some_and(|of| is_upper(&of)) {
        let message = format!("a variant is matched: write `matches(Err({}))`", short(call));
        return errors.at(call, message);
    }
    if let Some(ident) = head(call) {
        misnamed(ident, call, errors);
    }
}

fn misnamed(head: &Ident, call: &ExprCall, errors: &mut Errors) {
    let name = head.to_string();
    if let Some(key) = key_of(&name) {
        return errors
            .at(head, format!("`{name}` is a {key} strategy and belongs to `{key}`, not to `on`"));
    }
    if let Some(foreign) = foreign_call(&name) {
        let code = foreign.as_key(call.args.first());
        return errors.at(
            head,
            match code {
                Some(code) => format!("`{name}` is not known to `on`; write `{code}`"),
                None => format!("`{name}` is not known to `on`; {}", foreign.written(None)),
            },
        );
    }
    if matches!(name.as_str(), "any" | "any_of" | "all" | "all_of" | "or" | "and")
        && call.args.len() > 1
    {
        let operator =
            if name.starts_with("an") && name != "and" || name == "or" { " | " } else { " & " };
        let joined = call.args.iter().map(text).collect::<Vec<_>>().join(operator);
        return errors.at(
            head,
            format!("conditions are joined with `|` (either) and `&` (both): write `{joined}`"),
        );
    }
    let meant = match name.as_str() {
        "always" | "any" | "all_errors" | "every_error" => Some("any_error"),
        "err" | "errors" | "if_error" => Some("error"),
        "result" | "value" | "outcome" => Some("output"),
        "is_transient" => Some("transient"),
        _ => similar(&name, CONDITIONS),
    };
    if let Some(meant) = meant {
        errors.at(
            head,
            format!(
                "no condition is called `{name}`; did you mean `{meant}`? The conditions are {} (a function of your own is written with a path: `self::{name}(…)`)",
                list(CONDITIONS)
            ),
        );
    }
}

/// `on = Error`, where `Error` is a type or a variant.
fn type_as_function(path: &syn::Path, errors: &mut Errors) {
    let Some(last) = path.segments.last() else { return };
    let name = last.ident.to_string();
    let upper = name.starts_with(char::is_uppercase);
    let is_constant = name.len() > 1 && !name.contains(char::is_lowercase);
    let is_compared =
        path.segments.iter().rev().nth(1).is_some_and(|ty| question(&ty.ident).is_some());
    if !upper || (is_constant && !is_compared) {
        return;
    }
    if path.is_ident("None") {
        return errors.at(path, "`None` is an outcome: write `any_error()`, to which it is a failure, or `matches(None)`");
    }
    if ["Err", "Ok", "Some"].iter().any(|it| path.is_ident(it)) {
        let name = &last.ident;
        return errors.at(
            path,
            format!("this is a pattern and stands in `matches`: write `matches({name}(_))`, or `any_error()` for every failure"),
        );
    }
    let whole = path.segments.iter().map(|s| s.ident.to_string()).collect::<Vec<_>>().join("::");
    let of_a_type = path
        .segments
        .iter()
        .rev()
        .nth(1)
        .is_some_and(|segment| segment.ident.to_string().starts_with(char::is_uppercase));
    if let Some(method) = path.segments.iter().rev().nth(1).and_then(|ty| question(&ty.ident)) {
        return errors.at(
            path,
            format!(
                "`{whole}` is a value to compare with: write `|error| error.{method}() == {whole}`"
            ),
        );
    }
    errors.at(
        path,
        if of_a_type {
            format!(
                "`{whole}` is a variant, not a function of the error: write `matches(Err({whole}))`, with `(..)` or `{{ .. }}` behind it if it has fields"
            )
        } else {
            format!(
                "`{whole}` is a type or a variant, not a function of the error: write `is::<{whole}>()` for errors of that type, `matches(Err({whole}))` for that variant, or the path of a function: `{whole}::is_transient`"
            )
        },
    );
}

/// What an error is asked to get a value of this type.
fn question(ty: &Ident) -> Option<&'static str> {
    let ty = ty.to_string();
    [("Kind", "kind"), ("StatusCode", "status"), ("Status", "status"), ("Code", "code")]
        .into_iter()
        .find(|(end, _)| ty.ends_with(end))
        .map(|(_, method)| method)
}
