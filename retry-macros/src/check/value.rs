//! What a policy, which is a value and knows no function, cannot hold.

use proc_macro2::{TokenStream, TokenTree};
use syn::{Error, Expr, Pat};

use crate::diagnose::Errors;
use crate::read::condition::Condition;
use crate::read::duration::bare;
use crate::read::keys::KEYS;

/// The keys of `policy!`.
const KNOWN: [&str; 8] =
    ["stop", "wait", "on", "forever", "max_hint", "idempotent", "name", "crate"];

/// Rejects the keys of a function. They are looked for in the tokens, so that the error stands at
/// the key itself.
pub(crate) fn foreign_keys(input: &TokenStream, errors: &mut Errors) {
    let is = |tree: Option<&TokenTree>, punct: char| matches!(tree, Some(TokenTree::Punct(it)) if it.as_char() == punct);
    let mut trees = input.clone().into_iter().peekable();
    let mut starts = true;
    while let Some(tree) = trees.next() {
        if let (true, TokenTree::Ident(key)) = (starts, &tree) {
            let name = key.to_string();
            let ends = match trees.peek() {
                None | Some(TokenTree::Group(_)) => true,
                next => is(next, '=') || is(next, ','),
            };
            if ends && KEYS.contains(&name.as_str()) && !KNOWN.contains(&name.as_str()) {
                let message = if name == "policy" {
                    "a policy does not stand on another; write its `stop`, `wait` and `on`, or make it of a `PolicyConfig` with `config.policy(on)`"
                        .to_owned()
                } else {
                    format!(
                        "`{name}` is about one function, and a policy is a value for many; write it on the function or block that takes the policy"
                    )
                };
                errors.push(Error::new(key.span(), message));
            }
        }
        starts = is(Some(&tree), ',');
    }
}

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
