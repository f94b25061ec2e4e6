//! What can be seen to be wrong with an `on`.

use syn::{Error, Expr};

use super::swallowed;
use crate::diagnose::Errors;
use crate::read::condition::Condition;
use crate::read::duration::{self, bare};
use crate::read::number::number;
use crate::read::strategy::CONDITIONS;

pub(super) fn check(on: &Condition, errors: &mut Errors) {
    on.walk(&mut |condition| match condition {
        Condition::Error(f)
        | Condition::Ok(f)
        | Condition::Output(f)
        | Condition::Is(_, Some(f))
        | Condition::SourceIs(_, Some(f)) => {
            match bare(f) {
                Expr::Path(path) => type_as_function(&path.path, errors),
                Expr::Closure(closure) => swallowed::operand(closure, "error", &CONDITIONS, errors),
                _ => {}
            }
        }
        Condition::Not(span, inner) if !inner.judges_errors_only() => errors.push(Error::new(
            *span,
            "`!` turns a verdict on errors around; of values it would retry every success. Write the opposite inside: `ok(|value| !…)`",
        )),
        Condition::Matches(pat, _) => duration::reject(pat, errors),
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
    let of_a_type = path
        .segments
        .iter()
        .rev()
        .nth(1)
        .is_some_and(|segment| segment.ident.to_string().starts_with(char::is_uppercase));
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
