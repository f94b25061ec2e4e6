//! What can be seen to be wrong with hooks, and with the keys that steer a call.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Error, Expr, Lit};

use super::{arguments, kinds};
use crate::diagnose::Errors;
use crate::emit::hooks::{arity, async_token, is_closure};
use crate::read::duration::{bare, of_expr, of_literal};
use crate::read::keys::Args;
use crate::read::number::count;
use crate::read::strategy::{head, key_of};

/// Checks the hooks, the gate, the fallback and what stands beside them.
pub(crate) fn check(args: &Args, errors: &mut Errors) {
    for (key, given, hook) in args.hooks() {
        callable(key, given, hook, errors);
    }
    if let Some(reset) = &args.reset {
        self::reset(reset, errors);
    }
    if let Some(describe) = &args.describe {
        self::describe(describe, errors);
    }
    if let Some(after) = &args.warn_after {
        threshold("warn_after", after, errors);
    }
    if let Some(every) = &args.warn_every {
        threshold("warn_every", every, errors);
        if count(every) == Some(0) || of_expr(every).is_some_and(|time| time.is_zero()) {
            errors.at(
                every,
                "every retry is a warning with this, as it is without: remove `warn_every`",
            );
        }
    }
    if let Some(policy) = &args.policy {
        if args.stop.is_some() && args.wait.is_some() && args.on.is_some() {
            errors.at(
                policy,
                "nothing of this policy is used: `stop`, `wait` and `on` stand beside it; remove it, or those it should supply",
            );
        }
    }
}

/// Checks that nothing has to be awaited where nothing can be.
pub(crate) fn can_await(args: &Args, errors: &mut Errors) {
    for (key, _, hook) in args.hooks() {
        if let Some(span) = async_token(hook) {
            errors.push(Error::new(
                span,
                format!("`{key}` cannot await anything in a sync function; remove `async`, or make the function `async`"),
            ));
        }
    }
}

/// Checks the hook of a key, which is given these arguments.
fn callable(key: &str, arguments: &str, hook: &Expr, errors: &mut Errors) {
    let given = if arguments.contains(',') { 2 } else { 1 };
    match arity(hook) {
        Some(taken) if taken != given => errors.at(
            inputs(hook),
            format!(
                "the closure of `{key}` is given {}: write `{key} = {arguments} …`",
                ["one argument", "two arguments"][given - 1]
            ),
        ),
        None if is_value(hook) || matches!(bare(hook), Expr::Binary(_)) => errors.at(
            hook,
            format!(
                "`{key}` takes a closure or the path of a function: write `{key} = {arguments} …`"
            ),
        ),
        _ => {}
    }
}

/// What is underlined where the arguments of a closure are wrong.
fn inputs(hook: &Expr) -> TokenStream {
    match bare(hook) {
        Expr::Closure(closure) if !closure.inputs.is_empty() => closure.inputs.to_token_stream(),
        other => other.to_token_stream(),
    }
}

/// Macros that print or log there and then, by the names that everybody gives them.
const STATEMENTS: [&str; 10] =
    ["println", "print", "eprintln", "eprint", "format", "trace", "debug", "info", "warn", "error"];

/// Whether the expression is plainly a value and nothing that can be called.
fn is_value(expr: &Expr) -> bool {
    match bare(expr) {
        block @ Expr::Block(_) => kinds::gives_nothing(block),
        Expr::Range(_)
        | Expr::Assign(_)
        | Expr::Lit(_)
        | Expr::Tuple(_)
        | Expr::Struct(_)
        | Expr::Array(_)
        | Expr::Async(_) => true,
        Expr::Path(path) => path.path.is_ident("None"),
        Expr::Call(call) => matches!(bare(&call.func), Expr::Path(path)
            if ["Ok", "Err", "Some"].iter().any(|name| path.path.is_ident(name))),
        // Others may well expand to a closure.
        Expr::Macro(it) => it
            .mac
            .path
            .segments
            .last()
            .is_some_and(|name| STATEMENTS.iter().any(|statement| name.ident == statement)),
        _ => false,
    }
}

fn describe(describe: &Expr, errors: &mut Errors) {
    if let Some(span) = async_token(describe) {
        errors.push(Error::new(
            span,
            "`describe` is asked while an event is written and awaits nothing; remove `async`",
        ));
    } else {
        callable("describe", "|outcome|", describe, errors);
    }
}

fn reset(reset: &Expr, errors: &mut Errors) {
    if let Some(span) = async_token(reset) {
        errors.push(Error::new(
            span,
            "`reset` looks at what is there and awaits nothing; remove `async`",
        ));
    }
    match arity(reset) {
        Some(2) => {}
        Some(_) => errors.at(
            inputs(reset),
            "the closure of `reset` is given two arguments: write `reset = |attempt, outcome| …`",
        ),
        None if of_expr(reset).is_some_and(|healthy| healthy.is_zero()) => errors.at(
            reset,
            "with `reset = 0s` every attempt would count as healthy, and the backoff never grow; write how long a healthy attempt lasts: `reset = 30s`",
        ),
        None if is_value(reset) && !matches!(bare(reset), Expr::Lit(_)) || is_bool(reset) => errors.at(
            reset,
            "`reset` takes how long a healthy attempt lasts, or a closure: write `reset = 30s` or `reset = |attempt, outcome| …`",
        ),
        None => arguments::duration(reset, "reset", errors),
    }
}

fn is_bool(expr: &Expr) -> bool {
    matches!(bare(expr), Expr::Lit(lit) if matches!(lit.lit, Lit::Bool(_)))
}

fn threshold(key: &str, value: &Expr, errors: &mut Errors) {
    let is_wrong = match bare(value) {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(_) => false,
            Lit::Float(_) => of_literal(&literal.lit).is_none(),
            _ => true,
        },
        Expr::Call(call) => head(call).is_some_and(|name| key_of(&name.to_string()).is_some()),
        other => is_value(other) || is_closure(other),
    };
    if is_wrong {
        errors.at(
            value,
            format!(
                "`{key}` takes a number of attempts or a duration: write `{key} = 3` or `{key} = 30s`"
            ),
        );
    }
}
