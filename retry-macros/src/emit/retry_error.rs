//! `RetryError` in the signature.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{GenericArgument, PathArguments, Type, TypePath};

use crate::read::tokens::find;

/// The type of the body's outcome, and whether the signature has a `RetryError` around its error.
pub(crate) fn unwrapped(output: Type) -> (Type, bool) {
    match outcome_of(&output) {
        Some(outcome) => (outcome, true),
        None => (output, false),
    }
}

/// The type of the body's outcome, if the signature says `Result<T, RetryError<E>>`: then it is
/// `Result<T, E>`.
fn outcome_of(output: &Type) -> Option<Type> {
    let mut output = bare(output).clone();
    let Type::Path(path) = &mut output else { return None };
    let PathArguments::AngleBracketed(arguments) = &mut path.path.segments.last_mut()?.arguments
    else {
        return None;
    };
    let mut types = arguments.args.iter_mut().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    let (_, error) = (types.next()?, types.next()?);
    let source = source(error)?;
    *error = source;
    Some(output)
}

/// The `E` of `RetryError<E>`.
fn source(error: &Type) -> Option<Type> {
    let Type::Path(path) = bare(error) else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == "RetryError")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match (arguments.args.len(), arguments.args.first()?) {
        (1, GenericArgument::Type(source)) => Some(source.clone()),
        _ => None,
    }
}

/// Where to complain if the outcome turns out to have a `RetryError` that the signature does not
/// name. A type that is not written in full is not looked at: too early, anything would fit it.
pub(crate) fn may_hide(output: &Type) -> Option<Span> {
    let Type::Path(path) = bare(output) else { return None };
    let is = |tree: &TokenTree, name| matches!(tree, TokenTree::Ident(ident) if ident == name);
    let is_open = find(output.to_token_stream(), &mut |tree| is(tree, "_").then_some(()));
    let culprit = culprit(path);
    let is_named = culprit.clone().into_iter().any(|tree| is(&tree, "RetryError"));
    (is_open.is_none() && !is_named).then(|| culprit.span())
}

/// The error's type where it is written, else the whole.
fn culprit(output: &TypePath) -> TokenStream {
    let arguments = output.path.segments.last().map(|last| &last.arguments);
    let error = match arguments {
        Some(PathArguments::AngleBracketed(arguments)) => arguments.args.iter().nth(1),
        _ => None,
    };
    error.map_or_else(|| output.to_token_stream(), ToTokens::to_token_stream)
}

fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => bare(&group.elem),
        Type::Paren(paren) => bare(&paren.elem),
        ty => ty,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::ToTokens;
    use syn::parse_quote;

    fn outcome(output: &Type) -> Option<String> {
        outcome_of(output).map(|ty| ty.to_token_stream().to_string().replace(' ', ""))
    }

    #[test]
    fn the_body_gives_the_error_inside() {
        let is = |output: Type| outcome(&output);
        assert_eq!(is(parse_quote!(Result<u8, RetryError<E>>)).as_deref(), Some("Result<u8,E>"));
        assert_eq!(
            is(parse_quote!(std::result::Result<u8, ::retry::RetryError<io::Error>>)).as_deref(),
            Some("std::result::Result<u8,io::Error>")
        );
    }

    #[test]
    fn another_error_is_what_it_is() {
        assert_eq!(outcome(&parse_quote!(Result<RetryError<E>, E>)), None);
        assert_eq!(outcome(&parse_quote!(Result<u8, Box<RetryError<E>>>)), None);
        assert_eq!(outcome(&parse_quote!(Option<RetryError<E>>)), None);
        assert_eq!(outcome(&parse_quote!(Result<u8, RetryError>)), None);
    }
}
