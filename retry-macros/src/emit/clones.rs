//! `clone(a, b)`: each attempt gets its own clone of these arguments.

use proc_macro2::{Ident, TokenStream};
use quote::quote_spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Stmt, Token};

use crate::diagnose::mixed;
use crate::read::item::Item;
use crate::read::keys::Args;

/// Gives each attempt its own clone of the arguments named in `clone(…)`.
///
/// A `mut` moves from the argument, or from the variable that a statement `before` the body makes of
/// it, to the clone, since it is the clone that the body changes.
pub(crate) fn of_arguments(
    item: &mut Item,
    before: &mut [Stmt],
    args: &Args,
    is_async: bool,
) -> TokenStream {
    let Some(names) = &args.clone else { return TokenStream::new() };
    let mut clones = TokenStream::new();
    for name in names {
        let mut mutability = TakeMut { name, keep: is_async, found: None };
        for input in &mut item.sig.inputs {
            if let syn::FnArg::Typed(arg) = input {
                mutability.visit_pat_mut(&mut arg.pat);
            }
        }
        for stmt in &mut *before {
            mutability.visit_stmt_mut(stmt);
        }
        clones.extend(clone(name, mutability.found));
    }
    clones
}

/// One clone, which hides what it was made of.
pub(crate) fn clone(name: &Ident, mutability: Option<Token![mut]>) -> TokenStream {
    let span = mixed(name.span());
    quote_spanned! {span=>
        #[allow(clippy::shadow_reuse)]
        let #mutability #name = ::core::clone::Clone::clone(&#name);
    }
}

/// Takes the `mut` off a binding.
struct TakeMut<'a> {
    name: &'a Ident,
    /// An async attempt needs the argument itself to be mutable as well; see `capture.rs`.
    keep: bool,
    found: Option<Token![mut]>,
}

impl VisitMut for TakeMut<'_> {
    fn visit_pat_ident_mut(&mut self, pat: &mut syn::PatIdent) {
        if pat.ident == *self.name {
            self.found = self.found.or(pat.mutability);
            if !self.keep {
                pat.mutability = None;
            }
        }
        visit_mut::visit_pat_ident_mut(self, pat);
    }
}
