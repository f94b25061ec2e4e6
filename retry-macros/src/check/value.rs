//! What a policy, which is a value and knows no function, cannot hold.

use syn::{Expr, Pat};

use crate::diagnose::Errors;
use crate::read::condition::Condition;
use crate::read::duration::bare;

/// Rejects what `on` can hold only where the outcome is at hand.
pub(crate) fn value(on: &Condition, errors: &mut Errors) {
    on.walk(&mut |condition| match condition {
        Condition::Error(f) => typed(f, "error: &ApiError", errors),
        Condition::Ok(f) => typed(f, "value: &Answer", errors),
        Condition::Output(f) => typed(f, "outcome: &Outcome", errors),
        Condition::Matches(pat, _) => named(pat, errors),
        Condition::AtMost(_, n) => errors.at(
            n,
            "`at_most` counts the retries of one call, and a policy is shared between calls; write this condition in the `on` of the function",
        ),
        _ => {}
    });
}

/// A closure in a value is on its own: nothing around it says what it is called with.
fn typed(f: &Expr, argument: &str, errors: &mut Errors) {
    let Expr::Closure(closure) = bare(f) else { return };
    for input in &closure.inputs {
        if !matches!(input, Pat::Type(_)) {
            errors.at(
                input,
                format!(
                    "a policy is a value and does not know what it will judge, so the closure must: write `|{argument}| …` with the type that is meant"
                ),
            );
        }
    }
}

/// `matches(Err(error) if …)` gives a name to something of an unknown type.
fn named(pat: &Pat, errors: &mut Errors) {
    let inner = match pat {
        Pat::TupleStruct(it) if it.elems.len() == 1 => it.elems.first(),
        it => Some(it),
    };
    if let Some(Pat::Ident(name)) = inner {
        let upper = name.ident.to_string().starts_with(char::is_uppercase);
        if name.subpat.is_none() && !upper {
            errors.at(
                name,
                "a policy is a value and does not know the type of this; write a closure that names it: `|error: &ApiError| …`",
            );
        }
    }
}
