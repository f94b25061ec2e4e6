//! What the keys hold, beside strategies and conditions.

use proc_macro2::Ident;
use syn::parse::{Parse, ParseStream};
use syn::{Error, Expr, LitStr, Path, Token, parenthesized, token};

use crate::read::duration::bare;

/// What a key holds. Whatever is done to all expressions of the user's is done through this, so
/// there is no value without it.
pub(crate) trait Holds {
    /// Calls `f` on every expression that the user has written in it.
    fn each_expr<'a>(&'a self, f: &mut dyn FnMut(&'a Expr));

    /// The same, to change them.
    fn each_expr_mut<'a>(&'a mut self, f: &mut dyn FnMut(&'a mut Expr));
}

/// `each_expr` and `each_expr_mut` of a type, by the pattern and the expressions it finds.
macro_rules! holds {
    ($($type:ty: $($pattern:pat => [$($expr:expr),*]),+;)*) => {$(
        impl Holds for $type {
            #[allow(unused_variables)] // where there is no expression
            fn each_expr<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
                match self {$(
                    $pattern => { $($expr.into_iter().for_each(&mut *f);)* }
                )+}
            }

            #[allow(unused_variables)]
            fn each_expr_mut<'a>(&'a mut self, f: &mut dyn FnMut(&'a mut Expr)) {
                match self {$(
                    $pattern => { $($expr.into_iter().for_each(&mut *f);)* }
                )+}
            }
        }
    )*};
}

holds! {
    (): () => [];
    Vec<Ident>: _ => [];
    LitStr: _ => [];
    Path: _ => [];
    Expr: expr => [[expr]];
    Hooks: Hooks(hooks) => [hooks];
    Log: Log::Off => [];
    MaxHint: MaxHint::GiveUpAbove(most) | MaxHint::Clamp(most) => [[most]];
    Idempotent: Idempotent::Always => [], Idempotent::If(value) => [[value]];
    Timeout: Timeout::After(most) | Timeout::Idle(most) => [[most]];
    Nested: _ => [];
}

/// What `idempotent` may be: the flag, or an expression.
pub(crate) enum Idempotent {
    Always,
    If(Expr),
}

/// What `log` may be.
pub(crate) enum Log {
    Off,
}

impl Parse for Log {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let value = input.parse::<Expr>()?;
        match bare(&value) {
            Expr::Path(path) if path.path.is_ident("off") => Ok(Self::Off),
            _ => Err(Error::new_spanned(
                value,
                "`log` takes `off` alone: write `log = off` for a function without events, or leave the key out",
            )),
        }
    }
}

/// What `max_hint` may be.
pub(crate) enum MaxHint {
    GiveUpAbove(Expr),
    Clamp(Expr),
}

impl Parse for MaxHint {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        match wrapped(input, "max_hint", "clamp")? {
            Some(most) => Ok(Self::Clamp(most)),
            None => input.parse().map(Self::GiveUpAbove),
        }
    }
}

/// What `attempt_timeout` may be.
pub(crate) enum Timeout {
    After(Expr),
    Idle(Expr),
}

impl Parse for Timeout {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        match wrapped(input, "attempt_timeout", "idle")? {
            Some(most) => Ok(Self::Idle(most)),
            None => input.parse().map(Self::After),
        }
    }
}

/// The expression in `word(expression)`, if that is what comes.
fn wrapped(input: ParseStream, key: &str, word: &str) -> syn::Result<Option<Expr>> {
    let ahead = input.fork();
    if !ahead.parse::<Ident>().is_ok_and(|ident| ident == word) || !ahead.peek(token::Paren) {
        return Ok(None);
    }
    let name = input.parse::<Ident>()?;
    let content;
    parenthesized!(content in input);
    let one = format!("`{word}` takes one duration: write `{key} = {word}(30s)`");
    if content.is_empty() {
        return Err(Error::new(name.span(), one));
    }
    let most = content.parse()?;
    let _ = content.parse::<Option<Token![,]>>();
    if content.is_empty() { Ok(Some(most)) } else { Err(content.error(one)) }
}

/// What `nested` may be.
pub(crate) enum Nested {
    Multiply,
    Once,
}

impl Parse for Nested {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let value = input.parse::<Expr>()?;
        match bare(&value) {
            Expr::Path(path) if path.path.is_ident("multiply") => Ok(Self::Multiply),
            Expr::Path(path) if path.path.is_ident("once") => Ok(Self::Once),
            _ => Err(Error::new_spanned(
                value,
                "`nested` is `once`, for a single attempt inside another retried call, or `multiply`, the default",
            )),
        }
    }
}

/// One hook, or several in a list.
pub(crate) struct Hooks(pub(crate) Vec<Expr>);

impl Parse for Hooks {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let value = input.parse()?;
        // A list that has come through a `macro_rules!` is in an invisible group.
        match bare(&value).clone() {
            Expr::Array(list) if list.elems.is_empty() => {
                Err(Error::new_spanned(list, "this list names no hook; remove the key"))
            }
            Expr::Array(list) => Ok(Self(list.elems.into_iter().collect())),
            _ => Ok(Self(vec![value])),
        }
    }
}
