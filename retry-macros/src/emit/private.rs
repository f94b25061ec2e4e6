//! The path of the hidden module that the expansion stands on.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::Path;

use crate::diagnose::mixed;

/// `::retry::__private`, or the same under the path given with `crate = …`.
pub(crate) struct Private(TokenStream);

impl Private {
    pub(crate) fn new(krate: Option<&Path>) -> Self {
        Self(match krate {
            Some(path) => quote!(#path::__private),
            None => quote!(::retry::__private),
        })
    }

    /// The path as if it stood at `span`. The compiler underlines an expression from its first
    /// token to its last, so one token that stands elsewhere would underline the whole attribute.
    pub(crate) fn at(&self, span: Span) -> TokenStream {
        let place = |mut tree: TokenTree| {
            // `$crate` means the crate of the macro that wrote it only with its own span.
            let is_crate = matches!(&tree, TokenTree::Ident(ident) if *ident == "$crate");
            tree.set_span(if is_crate { tree.span().located_at(span) } else { mixed(span) });
            tree
        };
        self.0.clone().into_iter().map(place).collect()
    }

    /// `path(arguments)` in the hidden module, underlined from the first to the last token of
    /// what the user wrote.
    pub(crate) fn call(
        &self,
        path: &TokenStream,
        arguments: TokenStream,
        user: &impl ToTokens,
    ) -> TokenStream {
        let (first, last) = ends(user);
        let private = self.at(first);
        let mut group = Group::new(Delimiter::Parenthesis, arguments);
        group.set_span(mixed(last));
        quote_spanned!(mixed(first)=> #private::#path #group)
    }
}

/// `&variable`, underlined from the first to the last token of what the user wrote.
pub(crate) fn reference(variable: &Ident, user: &impl ToTokens) -> TokenStream {
    let (first, last) = ends(user);
    let mut variable = variable.clone();
    variable.set_span(variable.span().located_at(last));
    quote_spanned!(mixed(first)=> &#variable)
}

impl ToTokens for Private {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.0.to_tokens(tokens);
    }
}

/// Where the user's tokens start and end.
pub(crate) fn ends(tokens: &impl ToTokens) -> (Span, Span) {
    let mut trees = tokens.to_token_stream().into_iter();
    let first = trees.next().map_or_else(Span::call_site, |tree| tree.span());
    let last = trees.last().map_or(first, |tree| match tree {
        TokenTree::Group(group) => group.span_close(),
        tree => tree.span(),
    });
    (first, last)
}
