//! The path of the hidden module that the expansion stands on.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::Path;

use crate::diagnose::mixed;
use crate::read::held::MaxHint;

/// The name by which an expansion calls the hidden module. It is short since it stands there often.
pub(crate) struct Private;

/// Gives the hidden module that name: `::retry::__private`, or the same under the path given with
/// `crate = …`.
pub(crate) fn import(krate: Option<&Path>) -> TokenStream {
    match krate {
        Some(path) => quote!(use #path::__private as __retry;),
        None => quote!(
            use ::retry::__private as __retry;
        ),
    }
}

impl MaxHint {
    /// The value that the runtime crate takes.
    pub(crate) fn tokens(&self) -> TokenStream {
        match self {
            Self::GiveUpAbove(most) => quote!(#Private::MaxHint::GiveUpAbove(#most)),
            Self::Clamp(most) => quote!(#Private::MaxHint::Clamp(#most)),
        }
    }
}

impl Private {
    /// The name as if it stood at `span`. The compiler underlines an expression from its first
    /// token to its last, so one token that stands elsewhere would underline the whole attribute.
    pub(crate) fn at(span: Span) -> Ident {
        Ident::new("__retry", mixed(span))
    }

    /// `path(arguments)` in the hidden module, underlined from the first to the last token of
    /// what the user wrote.
    pub(crate) fn call(
        path: &TokenStream,
        arguments: TokenStream,
        user: &impl ToTokens,
    ) -> TokenStream {
        let (first, last) = ends(user);
        let private = Self::at(first);
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

/// Tokens underlined from the first to the last token of what the user wrote.
pub(crate) fn spread(tokens: TokenStream, user: &impl ToTokens) -> TokenStream {
    let (first, last) = ends(user);
    let mut trees: Vec<_> = tokens.into_iter().collect();
    let span = |tree: &mut TokenTree, span| tree.set_span(mixed(span));
    if let Some(tree) = trees.last_mut() {
        span(tree, last);
    }
    if let Some(tree) = trees.first_mut() {
        span(tree, first);
    }
    trees.into_iter().collect()
}

impl ToTokens for Private {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        Self::at(Span::mixed_site()).to_tokens(tokens);
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
