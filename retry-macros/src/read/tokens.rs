//! Walking token trees.

use proc_macro2::{Group, TokenStream, TokenTree};

/// Replaces the tokens for which `f` has something else, those inside brackets included.
pub(crate) fn replace(
    tokens: TokenStream,
    f: &mut dyn FnMut(&TokenTree) -> Option<TokenTree>,
) -> TokenStream {
    tokens
        .into_iter()
        .map(|tree| match tree {
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), replace(group.stream(), f));
                inner.set_span(group.span());
                inner.into()
            }
            tree => f(&tree).unwrap_or(tree),
        })
        .collect()
}

/// The first answer that `f` has for one of the tokens, those inside brackets included.
pub(crate) fn find<T>(
    tokens: TokenStream,
    f: &mut dyn FnMut(&TokenTree) -> Option<T>,
) -> Option<T> {
    tokens.into_iter().find_map(|tree| match tree {
        TokenTree::Group(group) => find(group.stream(), f),
        tree => f(&tree),
    })
}
