//! `on` as a tree: what is worth another attempt.

mod mistakes;
mod parse;

use std::ops::Deref;

use proc_macro2::{Span, TokenStream};
use syn::punctuated::Punctuated;
use syn::{Expr, Pat, PatOr, Path, Type, parse_quote};

use crate::read::held::Holds;

/// What stands in `on`.
pub(crate) struct On {
    /// As it was typed, for the documentation.
    pub(crate) typed: TokenStream,
    condition: Condition,
}

impl Deref for On {
    type Target = Condition;

    fn deref(&self) -> &Condition {
        &self.condition
    }
}

/// One condition, or several joined.
pub(crate) enum Condition {
    Error(Expr),
    Ok(Expr),
    Output(Expr),
    AnyError(Span),
    Transient(Span),
    /// `marked()`: none, unless the body says so.
    Marked(Span),
    /// The type, and what is asked of an error of it.
    Is(Box<Type>, Option<Expr>),
    SourceIs(Box<Type>, Option<Expr>),
    Matches(Pat, Option<Expr>),
    /// A call of the user's own, which returns a condition or a function.
    Call(Expr),
    AtMost(Box<Condition>, Expr),
    Not(Span, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
    And(Box<Condition>, Box<Condition>),
}

impl Condition {
    /// Whether the condition judges failures only, so that `!` makes sense.
    pub(crate) fn judges_errors_only(&self) -> bool {
        match self {
            Self::Ok(_) | Self::Output(_) => false,
            Self::Matches(pat, _) => inside(pat, "Err").is_some(),
            Self::AtMost(condition, _) | Self::Not(_, condition) => condition.judges_errors_only(),
            Self::Or(a, b) | Self::And(a, b) => a.judges_errors_only() && b.judges_errors_only(),
            _ => true,
        }
    }

    /// Whether every success is final to it. Of a call of the user's own nobody knows.
    pub(crate) fn never_retries_a_success(&self) -> bool {
        let mut never = self.judges_errors_only();
        self.walk(&mut |condition| never &= !matches!(condition, Self::Call(_)));
        never
    }

    /// Whether it is `any_error()` and nothing else.
    pub(crate) fn is_any_error(&self) -> bool {
        matches!(self, Self::AnyError(_))
    }

    /// Calls `f` on this condition and all those in it.
    pub(crate) fn walk<'a>(&'a self, f: &mut dyn FnMut(&'a Self)) {
        f(self);
        match self {
            Self::AtMost(condition, _) | Self::Not(_, condition) => condition.walk(f),
            Self::Or(a, b) | Self::And(a, b) => {
                a.walk(f);
                b.walk(f);
            }
            _ => {}
        }
    }
}

/// `each_expr`, shared and exclusive.
macro_rules! each_expr {
    ($each:ident $(, $mut:tt)?) => {
        fn $each<'a>(&'a $($mut)? self, f: &mut dyn FnMut(&'a $($mut)? Expr)) {
            match self {
                Self::Error(expr) | Self::Ok(expr) | Self::Output(expr) | Self::Call(expr) => {
                    f(expr);
                }
                Self::Matches(_, expr) | Self::Is(_, expr) | Self::SourceIs(_, expr) => {
                    if let Some(expr) = expr {
                        f(expr);
                    }
                }
                Self::AtMost(condition, n) => {
                    condition.$each(f);
                    f(n);
                }
                Self::Not(_, condition) => condition.$each(f),
                Self::Or(a, b) | Self::And(a, b) => {
                    a.$each(f);
                    b.$each(f);
                }
                Self::AnyError(_) | Self::Transient(_) | Self::Marked(_) => {}
            }
        }
    };
}

impl Holds for Condition {
    each_expr!(each_expr);
    each_expr!(each_expr_mut, mut);
}

impl Holds for On {
    fn each_expr<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        self.condition.each_expr(f);
    }

    fn each_expr_mut<'a>(&'a mut self, f: &mut dyn FnMut(&'a mut Expr)) {
        self.condition.each_expr_mut(f);
    }
}

/// `P` of `Err(P)`, or `P | Q` of `Err(P) | Err(Q)`.
pub(crate) fn inside(pat: &Pat, side: &str) -> Option<Pat> {
    match pat {
        Pat::Paren(paren) => inside(&paren.pat, side),
        Pat::TupleStruct(it)
            if it.qself.is_none() && is_side(&it.path, side) && it.elems.len() == 1 =>
        {
            it.elems.first().map(|inner| match inner {
                Pat::Rest(_) => parse_quote!(_),
                inner => inner.clone(),
            })
        }
        Pat::Or(or) => {
            let cases = or.cases.iter().map(|case| inside(case, side));
            let cases = cases.collect::<Option<Punctuated<_, _>>>()?;
            Some(Pat::Or(PatOr { attrs: Vec::new(), leading_vert: None, cases }))
        }
        _ => None,
    }
}

/// Whether the path is that of a side of a `Result`: `Err`, or `Result::Err`.
fn is_side(path: &Path, side: &str) -> bool {
    let mut last = path.segments.iter().rev().map(|segment| &segment.ident);
    last.next().is_some_and(|it| it == side) && last.next().is_none_or(|it| it == "Result")
}
