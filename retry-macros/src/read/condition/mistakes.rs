//! What stands in `on` and is none of its grammar: what to write in its place.

use proc_macro2::TokenStream;
use retry_core::text::similar;
use syn::parse::ParseStream;
use syn::{Error, Expr, Ident, Lit, Pat, Token, token};

use crate::read::source::short;
use crate::read::strategy::CONDITIONS;

/// What an element of the grammar looks like that is none.
pub(super) const WRITE_ERROR: &str = "`on` takes a path, a closure or a condition; write `|error| …`, or \
                                      `error(…)` around anything else that gives a function of the error";

/// What stands where a condition should, and is none. `None` if it may be one.
pub(super) fn leaf(input: ParseStream) -> Option<Error> {
    let said = |message: String| Some(Error::new(input.span(), message));
    if input.peek(Token![async]) {
        return said(
            "`on` judges what is there and awaits nothing; find it out in the body, and put it into the error".to_owned(),
        );
    }
    if input.peek(token::Bracket) || input.peek(token::Paren) {
        let value = input.fork().parse::<Expr>().ok()?;
        let (Expr::Array(syn::ExprArray { elems, .. }) | Expr::Tuple(syn::ExprTuple { elems, .. })) =
            &value
        else {
            return None;
        };
        let joined = elems.iter().map(short).collect::<Vec<_>>().join(" | ");
        return Some(Error::new_spanned(
            &value,
            format!("conditions are joined with `|` (either) and `&` (both): write `{joined}`"),
        ));
    }
    if input.peek(Token![if]) || input.peek(Token![match]) || input.peek(token::Brace) {
        return said(
            "a condition is no expression; decide in a closure: `|error| if … { … } else { … }`"
                .to_owned(),
        );
    }
    if input.peek(Token![&]) || input.peek(Token![*]) || input.peek(Token![-]) {
        let typed = input.fork().parse::<Expr>().ok();
        let alone = match &typed {
            Some(Expr::Reference(it)) => short(&it.expr),
            Some(Expr::Unary(it)) => short(&it.expr),
            _ => "…".to_owned(),
        };
        return said(format!(
            "a function of the error stands alone: write `{alone}`, or `|error| …`"
        ));
    }
    if input.peek(syn::LitBool) {
        let all = input.fork().parse::<syn::LitBool>().is_ok_and(|it| it.value);
        return said(if all {
            "`on` judges an outcome; for every failure write `on = any_error()`".to_owned()
        } else {
            "`on` judges an outcome; write `|error| …`, or `enabled = false` if nothing is to be retried".to_owned()
        });
    }
    if input.peek(Lit) {
        let typed = input.fork().parse::<Expr>().ok()?;
        return Some(Error::new_spanned(
            &typed,
            match &typed {
                Expr::Lit(syn::ExprLit { lit: Lit::Str(_), .. }) => format!(
                    "`on` judges an outcome; to look into the text of an error write `|error| error.to_string().contains({})`",
                    short(&typed)
                ),
                Expr::Range(_) => format!(
                    "`on` judges an outcome; write what is in that range: `|error| ({}).contains(&error.code())`",
                    short(&typed)
                ),
                _ => format!(
                    "`on` judges an outcome; write what is to be that: `|error| error.code() == {}`",
                    short(&typed)
                ),
            },
        ));
    }
    let ahead = input.fork();
    if ahead.parse::<Ident>().is_ok_and(|ident| ident == "not")
        && (ahead.peek(Ident) || ahead.peek(token::Paren))
    {
        return said("write `!` in place of `not`".to_owned());
    }
    None
}

/// `| a | b`, as the arms of a `match` may be written.
pub(super) fn leading_bar(input: ParseStream) -> Option<Error> {
    let ahead = input.fork();
    let bar = ahead.parse::<Token![|]>().ok()?;
    let rest = ahead.fork();
    let _ = rest.parse::<Ident>();
    // `|error|` is the start of a closure.
    (!rest.peek(Token![|]) || rest.peek2(Ident) && ahead.parse::<super::Condition>().is_ok())
        .then(|| Error::new_spanned(bar, "no `|` stands before the first condition"))
}

/// What follows a path and makes it an expression: a macro, an index, a literal of a struct.
pub(super) fn after_path(path: &syn::ExprPath, input: ParseStream) -> Error {
    let is_type = path
        .path
        .segments
        .last()
        .is_some_and(|last| last.ident.to_string().starts_with(char::is_uppercase));
    if input.peek(token::Brace) && is_type {
        let fields = input.fork().parse::<TokenStream>().unwrap_or_default();
        let pattern = short(&quote::quote!(#path #fields)).replace("..}", ".. }");
        let message = format!("a pattern stands in `matches`: write `matches(Err({pattern}))`");
        return Error::new_spanned(path, message);
    }
    if path.path.is_ident("matches") && input.peek(Token![!]) {
        return input.error("in `on` it is written without the `!`: `matches(Err(…))`");
    }
    input.error(WRITE_ERROR)
}

/// `leaf.method(…)` or `leaf.field`, which is none of the grammar.
pub(super) fn method(leaf: ParseStream, method: &Ident, input: ParseStream) -> Error {
    let name = method.to_string();
    if similar(&name, ["at_most"]).is_some() {
        return Error::new(
            method.span(),
            format!("no method is called `{name}`; did you mean `at_most`?"),
        );
    }
    let operator = match name.as_str() {
        "or" | "or_else" | "any" => Some("|"),
        "and" | "and_then" | "all" => Some("&"),
        _ => None,
    };
    if let (Some(operator), true) = (operator, input.peek(token::Paren)) {
        return Error::new(
            method.span(),
            format!(
                "conditions are joined with `|` (either) and `&` (both): write `… {operator} …`"
            ),
        );
    }
    if name == "not" && input.peek(token::Paren) {
        return Error::new(method.span(), "write `!` before the condition");
    }
    let Ok(whole) = leaf.fork().parse::<Expr>() else {
        return Error::new(method.span(), WRITE_ERROR);
    };
    let typed = short(&whole);
    let start = leaf.fork();
    // `error` without parentheses is meant for the error itself.
    let is_condition = start.parse::<Ident>().is_ok_and(|name| {
        CONDITIONS.iter().any(|condition| name == condition)
            && (name != "error" || start.peek(token::Paren))
    });
    if is_condition {
        return Error::new(
            method.span(),
            format!(
                "a condition has no `{name}`; that it grants no more than so many retries is written `.at_most(3)`"
            ),
        );
    }
    let root = leaf.fork().parse::<syn::Path>().ok();
    let root = root.as_ref().and_then(syn::Path::get_ident).map(ToString::to_string);
    let is_error = matches!(root.as_deref(), Some("e" | "err" | "error"));
    let message = match (&whole, root) {
        (_, Some(root)) if is_error => {
            format!("the error is the argument of a closure: write `|{root}| {typed}`")
        }
        (Expr::MethodCall(call), _) if call.args.is_empty() => {
            let asked = typed.strip_suffix("()").unwrap_or("…");
            format!(
                "write `|error| {asked}(error)`, or `error({typed})` if that gives a function of the error"
            )
        }
        (Expr::MethodCall(_), _) => {
            format!(
                "write `error({typed})` if that gives a function of the error, else `|error| …`"
            )
        }
        (Expr::Field(_), _) => {
            format!(
                "write `error({typed})` if that is a function of the error, or `|error| {typed}(error)` if it is a method"
            )
        }
        _ => WRITE_ERROR.to_owned(),
    };
    Error::new_spanned(&whole, message)
}

/// What stands in `matches(…)` before a pattern is looked for.
pub(super) fn before_pattern(input: ParseStream) -> Option<Error> {
    let rest = input.fork();
    // `|Ok(0..7)| Err(_)` is a pattern with a `|` before it.
    let is_closure = rest.parse::<syn::ExprClosure>().is_ok_and(|closure| {
        closure.inputs.iter().all(|pat| matches!(pat, Pat::Ident(_) | Pat::Type(_) | Pat::Wild(_)))
    }) && rest.is_empty();
    is_closure.then(|| {
        input.error("`matches` takes a pattern; a closure stands by itself: `on = |error| …`")
    })
}

/// What follows the pattern of `matches(…)` and is no guard.
pub(super) fn after_pattern(pat: &Pat, input: ParseStream) -> Option<Error> {
    if input.is_empty() || input.peek(Token![if]) {
        return None;
    }
    let typed = short(pat);
    if input.peek(Token![,]) {
        let ahead = input.fork();
        let _ = ahead.parse::<Token![,]>();
        if ahead.is_empty() {
            return None;
        }
        if ahead.peek(Token![if]) {
            return Some(input.error("no `,` stands before the guard: `matches(Err(error) if …)`"));
        }
        let rest = short(&ahead.parse::<TokenStream>().unwrap_or_default());
        let is_value = matches!(pat, Pat::Ident(name) if name.ident.to_string().starts_with(char::is_lowercase));
        return Some(if is_value {
            Error::new_spanned(
                pat,
                format!(
                    "the outcome is not named here: write the pattern alone, `matches({rest})`"
                ),
            )
        } else {
            let rest = rest.replace(", ", " | ");
            input.error(format!("patterns are joined with `|`: write `matches({typed} | {rest})`"))
        });
    }
    if input.peek(Token![||]) {
        return Some(input.error("patterns are joined with a single `|`"));
    }
    if input.peek(Token![=>]) || input.peek(Token![&&]) || input.peek(Token![&]) {
        return Some(input.error(format!("a guard is written with `if`: `matches({typed} if …)`")));
    }
    Some(input.error("`matches` takes a pattern, as `matches!` does; what is asked of the error is a closure: `on = |error| …`"))
}

/// Something that stands behind the arguments of a condition.
pub(super) fn one_too_many(name: &str, input: ParseStream) -> Error {
    match name {
        "error" | "ok" | "output" => input.error(format!(
            "`{name}` takes one function; several conditions are joined with `|`: `{name}(…) | {name}(…)`"
        )),
        "any_error" | "transient" | "marked" => {
            input.error(format!("`{name}` takes no argument: write `{name}()`"))
        }
        "at_most" => input.error("`at_most` takes one number: write `.at_most(3)`"),
        _ => input.error("this is one too many"),
    }
}
