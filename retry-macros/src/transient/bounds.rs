//! Which fields need a bound: those whose type hangs on a parameter of the type.

use std::collections::HashSet;

use proc_macro2::TokenTree;
use syn::visit::{self, Visit};
use syn::{Generics, Ident, Macro, Path, Type};

use crate::read::tokens::find;

/// What a type that a verdict is asked of mentions.
struct Mentions<'a> {
    parameters: &'a HashSet<&'a Ident>,
    /// The type that the derive stands on.
    own: &'a Ident,
    a_parameter: bool,
    itself: bool,
}

/// Whether `ty` needs a bound. A type that holds the derive's own needs none: the compiler would go
/// round in circles, and the other fields say what is needed.
pub(super) fn needs_bound(ty: &Type, generics: &Generics, own: &Ident) -> bool {
    let parameters = generics.type_params().map(|parameter| &parameter.ident).collect();
    let mut mentions = Mentions { parameters: &parameters, own, a_parameter: false, itself: false };
    mentions.visit_type(ty);
    mentions.a_parameter && !mentions.itself
}

impl<'a> Visit<'a> for Mentions<'_> {
    fn visit_path(&mut self, path: &'a Path) {
        if let (None, Some(first)) = (path.leading_colon, path.segments.first()) {
            self.a_parameter |= self.parameters.contains(&first.ident);
            let is_alone = path.segments.len() == 1;
            self.itself |= is_alone && (first.ident == *self.own || first.ident == "Self");
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, mac: &'a Macro) {
        self.a_parameter |= find(mac.tokens.clone(), &mut |tree| match tree {
            TokenTree::Ident(word) => self.parameters.contains(word).then_some(()),
            _ => None,
        })
        .is_some();
    }
}
