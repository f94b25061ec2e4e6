//! `self` in the keys, where the body no longer calls it that.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use syn::Expr;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};

/// Renames `self` to the variable that async-trait has moved it into.
pub(crate) struct RenameSelf;

impl RenameSelf {
    fn tokens(tokens: TokenStream) -> TokenStream {
        tokens
            .into_iter()
            .map(|tree| match tree {
                TokenTree::Group(group) => {
                    let stream = Self::tokens(group.stream());
                    let mut renamed = Group::new(group.delimiter(), stream);
                    renamed.set_span(group.span());
                    renamed.into()
                }
                TokenTree::Ident(ident) if ident == "self" => {
                    Ident::new("__self", ident.span()).into()
                }
                tree => tree,
            })
            .collect()
    }
}

impl VisitMut for RenameSelf {
    fn visit_expr_path_mut(&mut self, path: &mut syn::ExprPath) {
        if path.path.is_ident("self") {
            path.path = Ident::new("__self", path.span()).into();
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        mac.tokens = Self::tokens(std::mem::take(&mut mac.tokens));
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Verbatim(tokens) = expr {
            *tokens = Self::tokens(std::mem::take(tokens));
        }
        visit_mut::visit_expr_mut(self, expr);
    }
}
