//! How the value of a key is read, once its name is.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Error, Expr, LitStr, Path, Token, parenthesized, token};

use crate::read::duration::bare;
use crate::read::held::Idempotent;
pub(super) use crate::read::separators::value;
use crate::read::source::short;
use crate::read::strategy::{Kind, Strategy, allowed};

/// `key`
pub(super) fn flag(key: &Ident, input: ParseStream) -> syn::Result<()> {
    if input.peek(Token![=]) || input.peek(Token![:]) || input.peek(token::Paren) {
        let message = format!("`{key}` is a flag and takes no value: write `{key}` alone");
        return Err(Error::new(key.span(), message));
    }
    Ok(())
}

pub(super) fn stop(key: &Ident, input: ParseStream) -> syn::Result<Strategy> {
    value(key, input).map(|typed| {
        let mut stop = Strategy::read(Kind::Stop, typed);
        stop.allows = allowed(&stop);
        stop
    })
}

pub(super) fn wait(key: &Ident, input: ParseStream) -> syn::Result<Strategy> {
    value(key, input).map(|typed| Strategy::read(Kind::Wait, typed))
}

/// `key`, or `key = value`
pub(super) fn idempotent(key: &Ident, input: ParseStream) -> syn::Result<Idempotent> {
    if input.peek(Token![=]) || input.peek(Token![:]) || input.peek(token::Paren) {
        value(key, input).map(Idempotent::If)
    } else {
        Ok(Idempotent::Always)
    }
}

pub(super) fn policy(key: &Ident, input: ParseStream) -> syn::Result<Expr> {
    let ahead = input.fork();
    let _ = ahead.parse::<Token![=]>();
    if let Ok(TokenTree::Group(group)) = ahead.parse::<TokenTree>() {
        let begins = |content: ParseStream| {
            let begins = content.call(Ident::parse_any).is_ok() && content.peek(Token![=]);
            content.parse::<TokenStream>().map(|_| begins)
        };
        if begins.parse2(group.stream()).unwrap_or_default() {
            let message = "keys in brackets are no policy; write `policy = retry::policy! { … }`, or the keys without `policy`";
            return Err(Error::new(key.span(), message));
        }
    }
    value(key, input)
}

/// `crate = ::path`
pub(super) fn path(key: &Ident, input: ParseStream) -> syn::Result<Path> {
    let ahead = input.fork();
    if ahead.parse::<Token![=]>().is_ok() {
        if let Ok(text) = ahead.parse::<LitStr>() {
            let message = format!("a path has no quotes: write `{key} = {}`", text.value());
            return Err(Error::new(text.span(), message));
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
        let typed = input.fork();
        let _ = typed.parse::<Token![=]>();
        let meant = match typed.parse::<Expr>() {
            Ok(Expr::Array(list)) => short(&list.elems),
            Ok(value @ Expr::Path(_)) => short(&value),
            _ => "body, headers".to_owned(),
        };
        let message = format!("`{key}` takes the names of arguments: `{key}({meant})`");
        return Err(Error::new(key.span(), message));
    }
    let content;
    parenthesized!(content in input);
    if content.is_empty() {
        return Err(Error::new(key.span(), format!("`{key}()` names no argument; remove it")));
    }
    let mut names = Vec::new();
    while !content.is_empty() {
        names.push(name(key, &content)?);
        let _ = content.parse::<Option<Token![,]>>();
    }
    Ok(names)
}

/// The name of an argument, and nothing but a name.
fn name(key: &Ident, input: ParseStream) -> syn::Result<Ident> {
    let typed = input.fork();
    // `self` is read here so that `check` can say what is wrong with it.
    if let Ok(name) = input.call(Ident::parse_any) {
        if input.is_empty() || input.peek(Token![,]) {
            return Ok(name);
        }
        if input.peek(Ident::peek_any) && name != "mut" && name != "ref" {
            return Err(input.error("a `,` is missing between the names"));
        }
    }
    let mut tokens = Vec::new();
    while !typed.is_empty() && !typed.peek(Token![,]) {
        tokens.push(typed.parse::<TokenTree>()?);
    }
    let meant = tokens.iter().find_map(|tree| match tree {
        TokenTree::Ident(ident) if ident != "mut" && ident != "ref" => Some(ident.to_string()),
        TokenTree::Literal(text) => syn::parse_str::<LitStr>(&text.to_string())
            .ok()
            .map(|text| text.value())
            .filter(|text| syn::parse_str::<Ident>(text).is_ok()),
        _ => None,
    });
    let tokens = tokens.into_iter().collect::<TokenStream>();
    let message = match meant {
        Some(meant) => format!("`{key}` takes the names of arguments: write `{key}({meant})`"),
        None => format!("`{key}` takes the names of arguments: `{key}(body, headers)`"),
    };
    Err(Error::new_spanned(tokens, message))
}
