//! What parts keys and their values: `=`, `,`, and what is typed in their place.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Error, Expr, Ident, Token, parenthesized, token};

use crate::read::foreign::{Part, foreign};
use crate::read::keys::KEYS;
use crate::read::source::{short, text};
use crate::read::strategy::{SHAPERS, key_of};

/// Reads the `=` between a key and its value.
pub(crate) fn equals(key: &Ident, input: ParseStream) -> syn::Result<()> {
    let doubled = input.peek(Token![==]) || input.peek(Token![=>]);
    if input.peek(Token![=]) && !doubled {
        let equals = input.parse::<Token![=]>()?;
        if ends(input) {
            return Err(Error::new_spanned(equals, format!("`{key}` needs a value after the `=`")));
        }
        return Ok(());
    }
    let typed = input.fork();
    if typed.peek(token::Paren) {
        let content;
        parenthesized!(content in typed);
        let inside = short(&content.parse::<TokenStream>()?);
        let message = format!("write `{key} = {inside}`, not `{key}(…)`");
        return Err(Error::new(key.span(), message));
    }
    if ends(input) || begins_key(input) {
        return Err(Error::new(key.span(), format!("`{key}` needs a value: `{key} = …`")));
    }
    let separator = separator(&typed);
    let value = typed.parse::<Expr>().map_or_else(|_| "…".to_owned(), |value| short(&value));
    Err(match separator {
        Some(separator) => Error::new_spanned(
            &separator,
            format!("write `{key} = {value}`, with `=` in place of `{}`", text(&separator)),
        ),
        None => Error::new(
            input.span(),
            format!("a `=` is missing before this: write `{key} = {value}`"),
        ),
    })
}

/// What may stand between a key and its value, or in place of the `=`.
pub(super) fn separator(input: ParseStream) -> Option<TokenStream> {
    if input.peek(Token![==]) {
        input.parse::<Token![==]>().ok().map(ToTokens::into_token_stream)
    } else if input.peek(Token![=>]) {
        input.parse::<Token![=>]>().ok().map(ToTokens::into_token_stream)
    } else if input.peek(Token![:]) && !input.peek(Token![::]) {
        let mut tokens = input.parse::<Token![:]>().ok()?.into_token_stream();
        if input.peek(Token![=]) {
            input.parse::<Token![=]>().ok()?.to_tokens(&mut tokens);
        }
        Some(tokens)
    } else {
        None
    }
}

/// Nothing more belongs to what was read.
pub(crate) fn ends(input: ParseStream) -> bool {
    input.is_empty() || input.peek(Token![,]) || input.peek(Token![;])
}

/// Whether the next key begins here.
pub(super) fn begins_key(input: ParseStream) -> bool {
    let ahead = input.fork();
    let Ok(name) = ahead.call(Ident::parse_any) else { return false };
    let is_key = KEYS.iter().any(|key| name == key);
    let assigned = ahead.peek(Token![=]) && !ahead.peek(Token![==]) && !ahead.peek(Token![=>]);
    assigned || (is_key && !ahead.peek(Token![.]) && !ahead.peek(Token![::]))
}

/// What is wrong after the value of a key.
pub(super) struct After {
    pub(super) error: Error,
    /// Whether the value itself may be right.
    pub(super) value_stands: bool,
}

/// What follows the value of a key, which is the end or the `,` before the next. `start` stands at
/// the key.
pub(super) fn after_value(
    key: &Ident,
    start: ParseStream,
    input: ParseStream,
) -> Result<(), After> {
    if input.peek(Token![;]) {
        let error = input.error("a `,` parts the keys, not a `;`");
        let _ = input.parse::<Token![;]>();
        return Err(After { error, value_stands: true });
    }
    let value_stands = begins_key(input);
    follows(key, start, input).map_err(|error| After { error, value_stands })
}

fn follows(key: &Ident, start: ParseStream, input: ParseStream) -> syn::Result<()> {
    if input.is_empty() || input.peek(Token![,]) {
        return Ok(());
    }
    if input.peek(Token![->]) {
        return Err(input.error("a method is called with `.`, not with `->`"));
    }
    let next = input.fork().parse::<TokenTree>()?;
    let word = short(&next);
    let error = |message: String| Err(Error::new(next.span(), message));
    if begins_key(input) {
        return error(format!("a `,` is missing before `{word}`"));
    }
    let typed = value_text(start, input);
    if let (TokenTree::Literal(_), Some("stop" | "wait")) = (&next, key_of(&typed)) {
        return error(format!("a call has parentheses: write `{typed}({word})`"));
    }
    if key == "on" && (input.peek(Token![if]) || input.peek(Token![=>])) {
        return error(format!(
            "a pattern stands in `matches`, and its guard too: `matches({typed} if …)`"
        ));
    }
    let joins = if key == "wait" { "`+`" } else { "`|` (either) or `&` (both)" };
    let strategies = key == "stop" || key == "wait" || key == "on";
    if strategies && (word == "and" || word == "or") {
        let meant = if key == "wait" {
            "+"
        } else if word == "or" {
            "|"
        } else {
            "&"
        };
        return error(format!("write `{meant}` in place of `{word}`"));
    }
    let belongs = key_of(&word);
    if strategies && belongs.is_some_and(|other| key == other) {
        return error(format!("the two are joined with {joins}: write it before `{word}`"));
    }
    let shapes = SHAPERS.contains(&word.as_str())
        || foreign(&word).is_some_and(|it| it.part == Part::Shaper);
    if key == "wait" && shapes {
        return error(format!("a `.` is missing before `{word}`: write `.{word}(…)`"));
    }
    if let Some(other) = belongs {
        return error(format!(
            "a `,` and the key are missing before this: `, {other} = {word}(…)`"
        ));
    }
    if key == "on" && is_comparison(input) {
        return error(
            "`on` compares nothing itself; write a closure: `|error| …`, or a pattern: `matches(Err(…))`"
                .to_owned(),
        );
    }
    error(format!("expected `,` after the value of `{key}`, not `{word}`"))
}

/// The value between the key at `start` and what follows it.
fn value_text(start: ParseStream, after: ParseStream) -> String {
    let _ = start.call(Ident::parse_any).and_then(|_| start.parse::<Token![=]>());
    let mut value = Vec::new();
    while start.cursor() != after.cursor() {
        match start.parse::<TokenTree>() {
            Ok(tree) => value.push(tree),
            Err(_) => break,
        }
    }
    short(&value.into_iter().collect::<TokenStream>())
}

fn is_comparison(input: ParseStream) -> bool {
    input.peek(Token![==])
        || input.peek(Token![!=])
        || input.peek(Token![<])
        || input.peek(Token![>])
        || input.peek(Token![<=])
        || input.peek(Token![>=])
}

/// Goes on after a mistake, so that the keys behind it are looked at too.
pub(super) fn skip(input: ParseStream) {
    // A value as a whole, since a closure's arguments have commas too.
    let value = input.fork();
    if value.peek(Token![=]) && !value.peek(Token![==]) && !value.peek(Token![=>]) {
        let _ = value.parse::<Token![=]>();
        if value.parse::<Expr>().is_ok() {
            input.advance_to(&value);
        }
    } else if separator(&value).is_some() && value.parse::<Expr>().is_ok() {
        input.advance_to(&value);
    }
    while !input.is_empty() && !input.peek(Token![,]) && !input.peek(Token![;]) {
        if begins_key(input) || input.parse::<TokenTree>().is_err() {
            break;
        }
    }
    if input.peek(Token![;]) {
        let _ = input.parse::<Token![;]>();
    }
}

/// Reads a value, and says of what cannot be read what should be written.
pub(super) fn value<T: Parse>(key: &Ident, input: ParseStream) -> syn::Result<T> {
    equals(key, input)?;
    let ahead = input.fork();
    if let Ok(Expr::Assign(assign)) = ahead.parse::<Expr>() {
        input.advance_to(&ahead);
        return Err(assigned(key, &assign));
    }
    let typed = trees(&input.fork());
    if let Some(slip) = brackets(&typed) {
        return Err(slip);
    }
    input.parse().map_err(|error| unread(key, &typed, error))
}

/// `stop = attempts(3) | wait = none()`: a `,` is missing, and the next key was taken for part of
/// the value.
fn assigned(key: &Ident, assign: &syn::ExprAssign) -> Error {
    let mut trees: Vec<_> = assign.left.to_token_stream().into_iter().collect();
    match (trees.pop(), trees.pop()) {
        (Some(TokenTree::Ident(next)), Some(TokenTree::Punct(between)))
            if KEYS.iter().any(|key| next == key) =>
        {
            Error::new(
                between.span(),
                format!("a `,` parts `{key}` and `{next}`, not a `{between}`"),
            )
        }
        _ => {
            let (left, right) = (short(&assign.left), short(&assign.right));
            let meant = if key_of(&left).is_some() { format!("{left}({right})") } else { left };
            let message = format!("the value of `{key}` holds no `=`: write `{key} = {meant}`");
            Error::new(assign.eq_token.span(), message)
        }
    }
}

/// What stands there, up to the next key.
fn trees(input: ParseStream) -> Vec<TokenTree> {
    let mut trees = Vec::new();
    while !ends(input) {
        match input.parse() {
            Ok(tree) => trees.push(tree),
            Err(_) => break,
        }
    }
    trees
}

/// `sequence[1s, 5s]`, which would be an index.
fn brackets(trees: &[TokenTree]) -> Option<Error> {
    trees.windows(2).enumerate().find_map(|(index, pair)| match pair {
        [TokenTree::Ident(name), TokenTree::Group(list)]
            if matches!(list.delimiter(), Delimiter::Bracket | Delimiter::Brace)
                && key_of(&name.to_string()).is_some()
                && is_operand(trees, index) =>
        {
            let inside = if name == "sequence" { text(list) } else { short(&list.stream()) };
            let message = format!("a call has parentheses: write `{name}({inside})`");
            Some(Error::new(name.span(), message))
        }
        _ => None,
    })
}

/// Whether an operand starts at `index`: not so in `match error { … }` and `if error == ok { … }`, nor in
/// `|error| error[0]`, where the name is one that the value itself has given.
fn is_operand(trees: &[TokenTree], index: usize) -> bool {
    let is_same = |tree: &TokenTree| trees[index].to_string() == tree.to_string();
    if trees.iter().take(index).any(is_same) {
        return false;
    }
    match index.checked_sub(1).and_then(|before| trees.get(before)) {
        None => true,
        Some(TokenTree::Punct(before)) => matches!(before.as_char(), '|' | '&' | '+' | '!'),
        Some(_) => false,
    }
}

/// What is wrong with a value that could not be read.
fn unread(key: &Ident, trees: &[TokenTree], error: Error) -> Error {
    let message = error.to_string();
    // What the grammars of this crate say, says it all.
    if !["expected", "unexpected", "unsupported"].iter().any(|start| message.starts_with(start)) {
        return error;
    }
    if let Some(TokenTree::Punct(last)) = trees.last() {
        if matches!(last.as_char(), '|' | '&' | '+' | '.' | '!') {
            return Error::new(last.span(), format!("something is missing after this `{last}`"));
        }
    }
    slip(trees).unwrap_or_else(|| {
        Error::new(
            error.span(),
            format!("the value of `{key}` cannot be read from here: {message}"),
        )
    })
}

/// What is no Rust, but can be seen to mean something.
fn slip(trees: &[TokenTree]) -> Option<Error> {
    trees.iter().enumerate().find_map(|(index, tree)| {
        let next = trees.get(index + 1);
        match (tree, next) {
            (TokenTree::Literal(number), Some(TokenTree::Ident(unit))) => {
                let (number, name) = (number.to_string(), unit.to_string());
                if !number.ends_with(|c: char| c.is_ascii_digit() || c == '.') {
                    return None;
                }
                let meant = retry_core::text::meant(&format!("{number}{name}"))?;
                let tokens = [tree.clone(), next?.clone()].into_iter().collect::<TokenStream>();
                Some(Error::new_spanned(
                    tokens,
                    format!("the unit of a duration stands at its number: write `{meant}`"),
                ))
            }
            (TokenTree::Ident(name), Some(TokenTree::Punct(colon)))
                if colon.as_char() == ':'
                    && colon.spacing() == proc_macro2::Spacing::Alone
                    && is_start(trees, index) =>
            {
                Some(Error::new(
                    name.span(),
                    format!(
                        "arguments have no names here; write the value alone, without `{name}:`"
                    ),
                ))
            }
            (TokenTree::Ident(name), Some(TokenTree::Group(list)))
                if list.delimiter() == Delimiter::Bracket
                    && key_of(&name.to_string()).is_some() =>
            {
                let message = format!("a call has parentheses: write `{name}({})`", text(list));
                Some(Error::new(name.span(), message))
            }
            (TokenTree::Punct(point), Some(TokenTree::Literal(fraction)))
                if point.as_char() == '.' && index == 0 =>
            {
                let message = format!("a number begins with a digit: write `0.{fraction}`");
                Some(Error::new(fraction.span(), message))
            }
            (TokenTree::Punct(bar), Some(TokenTree::Ident(_)))
                if bar.as_char() == '|' && index == 0 =>
            {
                Some(Error::new(bar.span(), "no `|` stands before the first"))
            }
            (TokenTree::Literal(_), Some(TokenTree::Literal(next))) => {
                Some(Error::new(next.span(), format!("a `,` is missing before `{next}`")))
            }
            (TokenTree::Group(group), _) => slip(&group.stream().into_iter().collect::<Vec<_>>()),
            _ => None,
        }
    })
}

/// Whether an argument starts at `index`.
fn is_start(trees: &[TokenTree], index: usize) -> bool {
    match index.checked_sub(1).and_then(|before| trees.get(before)) {
        None => true,
        Some(TokenTree::Punct(comma)) => comma.as_char() == ',',
        Some(_) => false,
    }
}
