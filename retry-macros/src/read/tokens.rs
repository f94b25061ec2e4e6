//! Walking token trees.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};

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

/// Whether the word stands in the source. What a procedural macro makes up stands where that macro
/// is called, and the source says something else there. Without a source to look into it is `true`.
pub(crate) fn is_written(word: &Ident) -> bool {
    word.span().source_text().is_none_or(|text| *word == text)
}
