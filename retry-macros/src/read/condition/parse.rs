//! The grammar of `on`.
//!
//! It is not Rust's grammar, since `matches(…)` holds a pattern, so it has a parser of its own.
//! `|` binds weaker than `&`, and a closure takes everything to its right.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{
    Error, Expr, ExprClosure, ExprPath, Ident, Pat, PathArguments, Token, Type, parenthesized,
    token,
};

use super::mistakes::{self, WRITE_ERROR};
use super::{Condition, On};

/// The conditions that take no argument.
const WITHOUT_ARGUMENTS: [&str; 3] = ["any_error", "transient", "marked"];

impl Parse for On {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let ahead = input.fork();
        let condition = input.parse()?;
        let mut typed = TokenStream::new();
        while ahead.cursor() != input.cursor() {
            let Ok(tree) = ahead.parse::<TokenTree>() else { break };
            typed.extend([tree]);
        }
        Ok(Self { typed, condition })
    }
}

impl Parse for Condition {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let mut left = Self::parse_and(input)?;
        while input.peek(Token![|]) {
            not_doubled(input)?;
            input.parse::<Token![|]>()?;
            left = Self::Or(Box::new(left), Box::new(Self::parse_and(input)?));
        }
        Ok(left)
    }
}

impl Condition {
    fn parse_and(input: ParseStream) -> syn::Result<Self> {
        let mut left = Self::parse_not(input)?;
        while input.peek(Token![&]) {
            not_doubled(input)?;
            input.parse::<Token![&]>()?;
            left = Self::And(Box::new(left), Box::new(Self::parse_not(input)?));
        }
        Ok(left)
    }

    fn parse_not(input: ParseStream) -> syn::Result<Self> {
        if input.peek(Token![!]) {
            let not = input.parse::<Token![!]>()?;
            return Ok(Self::Not(not.span(), Box::new(Self::parse_not(input)?)));
        }
        let leaf = input.fork();
        let mut condition = Self::parse_leaf(input)?;
        while input.peek(Token![.]) {
            let dot = input.parse::<Token![.]>()?;
            let method = input.call(Ident::parse_any);
            let Ok(method) = method else { return Err(Error::new(dot.span(), WRITE_ERROR)) };
            if method != "at_most" {
                return Err(mistakes::method(&leaf, &method, input));
            }
            let content;
            if !input.peek(token::Paren) {
                return Err(Error::new(method.span(), "say how many retries: `….at_most(3)`"));
            }
            parenthesized!(content in input);
            let n = content
                .parse()
                .map_err(|_| Error::new(method.span(), "say how many retries: `….at_most(3)`"))?;
            finished(&content, "at_most")?;
            condition = Self::AtMost(Box::new(condition), n);
        }
        Ok(condition)
    }

    fn parse_leaf(input: ParseStream) -> syn::Result<Self> {
        if let Some(group) = invisible_group(input) {
            return syn::parse2(group);
        }
        if input.peek(Token![|]) || input.peek(Token![||]) || input.peek(Token![move]) {
            let closure = input.fork().parse::<ExprClosure>();
            if closure.is_err() && input.peek(Token![|]) && input.peek2(Ident::peek_any) {
                if let Some(error) = mistakes::leading_bar(input) {
                    return Err(error);
                }
            }
            return Ok(Self::Error(Expr::Closure(input.parse::<ExprClosure>()?)));
        }
        if let Some(error) = mistakes::leaf(input) {
            return Err(error);
        }
        if input.peek(token::Paren) {
            let content;
            parenthesized!(content in input);
            let condition = content.parse()?;
            finished(&content, "(")?;
            return Ok(condition);
        }
        if input.is_empty()
            || !(input.peek(Ident::peek_any) || input.peek(Token![::]) || input.peek(Token![<]))
        {
            return Err(input.error(WRITE_ERROR));
        }
        let path =
            input.parse::<ExprPath>().map_err(|error| Error::new(error.span(), WRITE_ERROR))?;
        if input.peek(token::Paren) {
            return Self::parse_call(path, input);
        }
        let of_a_type = path.path.is_ident("is") || path.path.is_ident("source_is");
        if of_a_type && input.peek(Token![<]) {
            return Err(input.error("a `::` is missing before the type: write `is::<MyError>()`"));
        }
        if input.peek(Token![!]) || input.peek(token::Brace) || input.peek(token::Bracket) {
            return Err(mistakes::after_path(&path, input));
        }
        if let Some(name) =
            path.path.get_ident().filter(|it| WITHOUT_ARGUMENTS.iter().any(|name| *it == name))
        {
            let message = format!("`{name}` is a condition: write `{name}()`");
            return Err(Error::new(name.span(), message));
        }
        Ok(Self::Error(Expr::Path(path)))
    }

    fn parse_call(path: ExprPath, input: ParseStream) -> syn::Result<Self> {
        let content;
        let paren = parenthesized!(content in input);
        let head = match path.path.segments.first() {
            Some(head)
                if path.qself.is_none()
                    && path.path.segments.len() == 1
                    && path.path.leading_colon.is_none() =>
            {
                head
            }
            _ => return user_call(path, paren, &content),
        };
        let name = head.ident.to_string();
        let condition = match name.as_str() {
            "error" => Self::Error(function(&head.ident, &content)?),
            "ok" => Self::Ok(function(&head.ident, &content)?),
            "output" => Self::Output(function(&head.ident, &content)?),
            "any_error" => Self::AnyError(head.ident.span()),
            "transient" => Self::Transient(head.ident.span()),
            "marked" => Self::Marked(head.ident.span()),
            "is" | "source_is" => {
                let ty = Box::new(only_type(head)?);
                let f = if content.is_empty() { None } else { Some(content.parse()?) };
                if name == "is" { Self::Is(ty, f) } else { Self::SourceIs(ty, f) }
            }
            "matches" => {
                if content.is_empty() {
                    return Err(Error::new(
                        head.ident.span(),
                        "say what: `matches(Err(MyError::Busy))`, as in `matches!`",
                    ));
                }
                if let Some(error) = mistakes::before_pattern(&content) {
                    return Err(error);
                }
                let pat = Pat::parse_multi_with_leading_vert(&content)?;
                if let Some(error) = mistakes::after_pattern(&pat, &content) {
                    return Err(error);
                }
                let guard = if content.peek(Token![if]) {
                    content.parse::<Token![if]>()?;
                    Some(content.parse()?)
                } else {
                    None
                };
                Self::Matches(pat, guard)
            }
            // A misspelled condition is told so, all of them at once.
            _ => return user_call(path, paren, &content),
        };
        finished(&content, &name)?;
        Ok(condition)
    }
}

fn not_doubled(input: ParseStream) -> syn::Result<()> {
    if input.peek(Token![||]) {
        return Err(input.error("conditions are joined with a single `|`"));
    }
    if input.peek(Token![&&]) {
        return Err(input.error("conditions are joined with a single `&`"));
    }
    Ok(())
}

/// Nothing more stands in the parentheses of `name`.
fn finished(content: ParseStream, name: &str) -> syn::Result<()> {
    if content.peek(Token![,]) {
        content.parse::<Token![,]>()?;
    }
    if content.is_empty() { Ok(()) } else { Err(mistakes::one_too_many(name, content)) }
}

/// The content of an invisible group, as `macro_rules!` puts around `$on:expr`.
fn invisible_group(input: ParseStream) -> Option<TokenStream> {
    input
        .step(|cursor| match cursor.group(Delimiter::None) {
            Some((content, _, rest)) => Ok((content.token_stream(), rest)),
            None => Err(cursor.error("no group")),
        })
        .ok()
}

/// The one function that `error`, `ok` and `output` take.
fn function(head: &Ident, content: ParseStream) -> syn::Result<Expr> {
    if content.is_empty() {
        let all = if head == "error" { "; for every failure write `any_error()`" } else { "" };
        return Err(Error::new(
            head.span(),
            format!("say what is worth another attempt: `{head}(|it| …)`{all}"),
        ));
    }
    content.parse()
}

/// The type of `is::<T>()`.
fn only_type(head: &syn::PathSegment) -> syn::Result<Type> {
    if let PathArguments::AngleBracketed(arguments) = &head.arguments {
        if let (1, Some(syn::GenericArgument::Type(ty))) =
            (arguments.args.len(), arguments.args.first())
        {
            return Ok(ty.clone());
        }
    }
    Err(Error::new(
        head.ident.span(),
        format!("say which type of error: `{}::<MyError>()`", head.ident),
    ))
}

fn user_call(
    path: ExprPath,
    paren_token: token::Paren,
    content: ParseStream,
) -> syn::Result<Condition> {
    let args = Punctuated::parse_terminated(content)?;
    Ok(Condition::Call(Expr::Call(syn::ExprCall {
        attrs: Vec::new(),
        func: Box::new(Expr::Path(path)),
        paren_token,
        args,
    })))
}
