//! Literal numbers without a unit.

use syn::{Expr, Lit};

use crate::read::duration::{bare, of_literal};

/// A number of attempts.
pub(crate) fn count(expr: &Expr) -> Option<u32> {
    match bare(expr) {
        Expr::Lit(lit) if of_literal(&lit.lit).is_none() => match &lit.lit {
            Lit::Int(n) => n.base10_parse().ok(),
            _ => None,
        },
        _ => None,
    }
}

/// A plain number, whole or not, with its sign.
pub(crate) fn number(expr: &Expr) -> Option<f64> {
    match bare(expr) {
        Expr::Lit(lit) if of_literal(&lit.lit).is_none() => match &lit.lit {
            Lit::Int(n) => n.base10_parse().ok(),
            Lit::Float(n) => n.base10_parse().ok(),
            _ => None,
        },
        Expr::Unary(it) if matches!(it.op, syn::UnOp::Neg(_)) => number(&it.expr).map(|n| -n),
        _ => None,
    }
}
