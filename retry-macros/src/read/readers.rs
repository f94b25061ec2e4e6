//! How the value of a key is read, once its name is.

use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Error, Expr, LitStr, Token, braced, parenthesized, token};

use crate::read::duration::bare;
use crate::read::held::Idempotent;
use crate::read::strategy::{Kind, Strategy};

/// `key = value`
pub(super) fn value<T: Parse>(key: &Ident, input: ParseStream) -> syn::Result<T> {
    if input.peek(token::Paren) {
        let message = format!("write `{key} = …`, not `{key}(…)`");
        return Err(Error::new(key.span(), message));
    }
    if !input.peek(Token![=]) {
        return Err(Error::new(key.span(), format!("`{key}` needs a value: `{key} = …`")));
    }
    let equals = input.parse::<Token![=]>()?;
    if input.is_empty() || input.peek(Token![,]) {
        return Err(Error::new_spanned(equals, format!("`{key}` needs a value after the `=`")));
    }
    input.parse()
}

/// `key`
pub(super) fn flag(key: &Ident, input: ParseStream) -> syn::Result<()> {
    if input.peek(Token![=]) {
        return Err(Error::new(key.span(), format!("`{key}` is a flag and takes no value")));
    }
    Ok(())
}

pub(super) fn stop(key: &Ident, input: ParseStream) -> syn::Result<Strategy> {
    value(key, input).map(|typed| Strategy::read(Kind::Stop, typed))
}

pub(super) fn wait(key: &Ident, input: ParseStream) -> syn::Result<Strategy> {
    value(key, input).map(|typed| Strategy::read(Kind::Wait, typed))
}

/// `key`, or `key = value`
pub(super) fn idempotent(key: &Ident, input: ParseStream) -> syn::Result<Idempotent> {
    if input.peek(Token![=]) {
        value(key, input).map(Idempotent::If)
    } else {
        Ok(Idempotent::Always)
    }
}

pub(super) fn policy(key: &Ident, input: ParseStream) -> syn::Result<Expr> {
    let braces = input.fork();
    if braces.parse::<Token![=]>().is_ok() && braces.peek(token::Brace) {
        let content;
        braced!(content in braces);
        if content.call(Ident::parse_any).is_ok() && content.peek(Token![=]) {
            let message = "keys in braces are no policy; write `retry::policy! { … }`, or the keys without `policy`";
            return Err(Error::new(key.span(), message));
        }
    }
    value(key, input)
}

/// `key = "text"`
pub(super) fn text(key: &Ident, input: ParseStream) -> syn::Result<LitStr> {
    let value = value::<Expr>(key, input)?;
    match bare(&value) {
        Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Ok(text.clone()),
        _ => {
            Err(Error::new_spanned(&value, format!("`{key}` takes a string: `{key} = \"fetch\"`")))
        }
    }
}

/// `key(a, b)`
pub(super) fn names(key: &Ident, input: ParseStream) -> syn::Result<Vec<Ident>> {
    if !input.peek(token::Paren) {
        let message = format!("`{key}` takes the names of arguments: `{key}(body, headers)`");
        return Err(Error::new(key.span(), message));
    }
    let content;
    parenthesized!(content in input);
    // `self` is read here so that `check` can say what is wrong with it.
    let names = content.call(|content| {
        Punctuated::<Ident, Token![,]>::parse_terminated_with(content, Ident::parse_any)
    })?;
    if names.is_empty() {
        return Err(Error::new(key.span(), format!("`{key}()` names no argument; remove it")));
    }
    Ok(names.into_iter().collect())
}
