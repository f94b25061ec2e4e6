//! Keys whose value can be seen to be of another kind than they take.

use syn::{Expr, ExprCall, Lit, Stmt};

use crate::diagnose::Errors;
use crate::read::duration::{bare, of_expr, of_literal};
use crate::read::held::{Idempotent, MaxHint};
use crate::read::keys::Args;
use crate::read::short;
use crate::read::source::text;
use crate::read::strategy::{head, key_of};

pub(super) fn check(args: &Args, errors: &mut Errors) {
    if let Some(enabled) = &args.enabled {
        boolean("enabled", enabled, errors);
    }
    if let Some(Idempotent::If(value)) = &args.idempotent {
        boolean("idempotent", value, errors);
    }
    if let Some(name) = &args.name {
        if name.value().trim().is_empty() {
            errors.at(
                name,
                "an empty name tells nothing; write one, or remove the key for the function's own path",
            );
        }
    }
    if let Some(sleep) = &args.sleep {
        self::sleep(sleep, errors);
    }
    if let Some(policy) = &args.policy {
        self::policy(policy, errors);
    }
    if let Some(MaxHint::GiveUpAbove(most)) = &args.max_hint {
        if matches!(bare(most), Expr::Path(path) if path.path.is_ident("clamp")) {
            errors.at(most, "`clamp` takes one duration: write `max_hint = clamp(30s)`");
        }
    }
}

/// A condition in Rust.
fn boolean(key: &str, value: &Expr, errors: &mut Errors) {
    match bare(value) {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Bool(_) => {}
            Lit::Str(text) if matches!(text.value().trim(), "true" | "false") => errors.at(
                lit,
                format!("a `bool` is written without quotes: `{key} = {}`", text.value().trim()),
            ),
            _ if matches!(of_literal(&lit.lit), Some(Err(_))) => {}
            _ => errors.at(
                lit,
                format!(
                    "`{key}` takes a `bool`: write `{key} = true`, or an expression that is one"
                ),
            ),
        },
        Expr::Closure(_) => {
            errors
                .at(value, format!("`{key}` takes a `bool`, not a closure; write its body alone"));
        }
        _ => {}
    }
}

fn sleep(sleep: &Expr, errors: &mut Errors) {
    let how = "says how to sleep: write the function alone, as in `sleep = tokio::time::sleep`";
    match bare(sleep) {
        it if of_expr(it).is_some() => errors
            .at(it, format!("`sleep` {how}; how long is written `wait = fixed({})`", text(&it))),
        Expr::Call(call)
            if call.args.len() == 1 && call.args.iter().all(|it| of_expr(it).is_some()) =>
        {
            errors.at(
                call,
                format!(
                    "`sleep` says how to sleep, not how long: write `sleep = {}`, and `wait = fixed({})`",
                    text(&call.func),
                    text(&call.args)
                ),
            );
        }
        Expr::Lit(lit) if !matches!(of_literal(&lit.lit), Some(Err(_))) => {
            errors.at(lit, format!("`sleep` {how}"));
        }
        _ => {}
    }
}

/// A policy is a value that stands elsewhere, or a `policy!`.
fn policy(policy: &Expr, errors: &mut Errors) {
    let strategy = |call: &ExprCall| head(call).and_then(|name| key_of(&name.to_string()));
    match bare(policy) {
        Expr::Lit(_) | Expr::Closure(_) | Expr::Array(_) | Expr::Range(_) | Expr::Tuple(_) => {
            errors.at(policy, "`policy` takes a `Policy`: write its name, or `retry::policy! { stop = …, wait = … }`");
        }
        Expr::Call(call) => {
            if let Some(key) = strategy(call) {
                errors.at(
                    call,
                    format!(
                        "this is no policy but one part of it: write the key `{key} = {}`",
                        short(call)
                    ),
                );
            }
        }
        Expr::Binary(binary) => {
            if let Expr::Call(call) = bare(&binary.left) {
                if let Some(key) = strategy(call) {
                    errors.at(
                        policy,
                        format!(
                            "this is no policy but one part of it: write the key `{key} = {}`",
                            short(policy)
                        ),
                    );
                }
            }
        }
        _ => {}
    }
}

/// Whether a block gives nothing that could be called.
pub(super) fn gives_nothing(expr: &Expr) -> bool {
    let Expr::Block(block) = expr else { return false };
    match block.block.stmts.last() {
        Some(Stmt::Expr(_, semicolon)) => semicolon.is_some(),
        Some(Stmt::Macro(it)) => it.semi_token.is_some(),
        _ => true,
    }
}
