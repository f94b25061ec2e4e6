//! `self` in the keys, where the body no longer calls it that.

use proc_macro2::{Ident, TokenTree};
use syn::Expr;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};

use crate::read::tokens;

/// Renames `self` to the variable that async-trait has moved it into.
pub(crate) struct RenameSelf;

/// The new name, if the token is `self`.
fn renamed(tree: &TokenTree) -> Option<TokenTree> {
    match tree {
        TokenTree::Ident(ident) if ident == "self" => {
            Some(Ident::new("__self", ident.span()).into())
        }
        _ => None,
    }
}

impl VisitMut for RenameSelf {
    fn visit_expr_path_mut(&mut self, path: &mut syn::ExprPath) {
        if path.path.is_ident("self") {
            path.path = Ident::new("__self", path.span()).into();
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        mac.tokens = tokens::replace(std::mem::take(&mut mac.tokens), &mut renamed);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Verbatim(verbatim) = expr {
            *verbatim = tokens::replace(std::mem::take(verbatim), &mut renamed);
        }
        visit_mut::visit_expr_mut(self, expr);
    }
}
