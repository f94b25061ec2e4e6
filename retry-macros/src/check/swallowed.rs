//! A closure takes everything to its right, and with it what was meant to stand beside it:
//! `|state| state.attempt() > 9 | within(30s)` is one closure.

use syn::{Expr, ExprClosure, Ident};

use crate::diagnose::Errors;
use crate::read::duration::bare;
use crate::read::strategy::head;

/// Looks for one of `names` among the operands of the closure's body.
pub(super) fn operand(closure: &ExprClosure, argument: &str, names: &[&str], errors: &mut Errors) {
    // Operators of the closure's own value may bind weaker: `a > 9 | attempts(3)`.
    let mut operands = vec![bare(&closure.body)];
    while let Some(operand) = operands.pop() {
        if let Expr::Binary(binary) = operand {
            operands.extend([bare(&binary.right), bare(&binary.left)]);
        } else if let Some(name) = first_call(operand) {
            if names.iter().any(|known| name == known)
                && !std::ptr::eq(operand, bare(&closure.body))
            {
                return report(name, argument, errors);
            }
        }
    }
}

/// Looks for a shaper that stands behind the closure. `max`, `min` and `then` may be methods of
/// the closure's value.
pub(super) fn shaper(closure: &ExprClosure, errors: &mut Errors) {
    const OURS: [&str; 7] =
        ["cap", "floor", "full_jitter", "equal_jitter", "jitter", "jitter_factor", "unless_hinted"];
    if let Expr::MethodCall(call) = bare(&closure.body) {
        if OURS.iter().any(|name| call.method == name) {
            report(&call.method, "state", errors);
        }
    }
}

fn report(name: &Ident, argument: &str, errors: &mut Errors) {
    errors.at(
        name,
        format!(
            "`{name}` has become part of the closure before it; put the closure in parentheses: \
             `(|{argument}| …)`"
        ),
    );
}

/// The name of the call that a chain of method calls starts with.
fn first_call(expr: &Expr) -> Option<&Ident> {
    match bare(expr) {
        Expr::Call(call) => head(call),
        Expr::MethodCall(call) => first_call(&call.receiver),
        _ => None,
    }
}
