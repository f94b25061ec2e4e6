//! Every rejection, and nothing but rejections.
//!
//! A policy that the macro can see is wrong does not compile. What it cannot see (a number from
//! a field, a user's own strategy) is left to the types and to the documented behaviour of the
//! runtime crate.
//!
//! `strategies`, `arguments` and `shapers` look at `stop` and `wait`, `fit` at the two together,
//! `swallowed` at what closures have taken in, `conditions` at `on`, `hooks` at what watches and
//! steers a call, `limits` at what may cut or refuse it, `leaving` at what would leave a key, `function` at what is annotated, and
//! `value` at what a policy cannot hold.

mod arguments;
mod borrows;
mod bounded;
mod conditions;
mod fit;
mod function;
mod hooks;
mod kinds;
mod leaving;
mod limits;
mod literal;
mod methods;
mod shapers;
mod signatures;
mod strategies;
mod swallowed;
mod value;

use proc_macro2::{Ident, Span};
use syn::visit::{self, Visit};
use syn::{Error, Path, UnOp};

use crate::diagnose::Errors;
use crate::read::duration::of_expr;
use crate::read::held::MaxHint;
use crate::read::keys::Args;

pub(crate) use function::{can_sleep, function};
pub(crate) use hooks::can_await;
pub(crate) use limits::can_cut;
pub(crate) use value::value;

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
    args.each_expr(&mut |key, expr| {
        Negatives { errors }.visit_expr(expr);
        // A policy is a value that is made where it stands.
        if place.macro_name != "policy!" {
            leaving::check(key, expr, place, errors);
        }
    });
    if let Some(stop) = &args.stop {
        strategies::check(stop, place, errors);
        strategies::single_attempt(stop, errors);
    }
    if let Some(wait) = &args.wait {
        strategies::check(wait, place, errors);
    }
    if let (Some(stop), Some(wait)) = (&args.stop, &args.wait) {
        fit::first_delay(stop, wait, errors);
    }
    if let Some(on) = &args.on {
        conditions::check(on, errors);
    }
    if let Some(MaxHint::GiveUpAbove(most) | MaxHint::Clamp(most)) = &args.max_hint {
        arguments::duration(most, "max_hint", errors);
    }
    hooks::check(args, errors);
    kinds::check(args, errors);
    if args.forever.is_some() {
        if let Some(stop) = &args.stop {
            bounded::check(stop, errors);
        }
    }
    limits::check(args, errors);
    if let Some(path) = &args.krate {
        facade(path, errors);
    }
}

/// The path given with `crate = …`.
pub(crate) fn facade(path: &Path, errors: &mut Errors) {
    let first = path.segments.first();
    let absolute = path.leading_colon.is_some()
        || first.is_some_and(|first| {
            ["crate", "$crate", "self"].iter().any(|start| first.ident == start)
        });
    if !absolute {
        errors.at(
            path,
            "the path must be absolute, so that it means the same wherever it is expanded: \
             write `crate = ::my_crate::retry`",
        );
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
    if args.is_unread || args.has_tried("policy") {
        return;
    }
    if !args.has_tried("stop") && !args.has_tried("forever") {
        missing(format!(
            "`{name}` does not say when to give up: write `stop = attempts(5)` or `stop = within(30s)`, or the flag `forever` if it should go on until it succeeds"
        ));
    }
    if !args.has_tried("wait") {
        missing(format!(
            "`{name}` does not say how long to wait before the next attempt: write `wait = exponential(100ms).cap(10s).full_jitter()`, or `wait = none()`"
        ));
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
