//! What the attribute may stand on that is no function, and where it should stand.

use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Error, Ident, Token, Visibility, token};

/// Says where the attribute goes. `error` is what is wrong with what stands there as a function.
pub(super) fn error(input: ParseStream, error: Error) -> Error {
    if is_function(input) {
        return error;
    }
    let rest = input.fork();
    let _ = rest.parse::<Visibility>();
    let _ = rest.parse::<Option<Token![unsafe]>>();
    let _ = rest.parse::<Option<Token![async]>>();
    let word = rest.call(Ident::parse_any).map(|word| word.to_string()).unwrap_or_default();
    let message = match word.as_str() {
        "impl" => {
            "`#[retry]` goes on a function, not on an `impl`: put it on each of the methods to retry"
        }
        "trait" => {
            "`#[retry]` goes on a function, not on a trait: put it on the methods that implement it"
        }
        "mod" => {
            "`#[retry]` goes on a function, not on a module: put it on each of the functions to retry"
        }
        "extern" => {
            "`#[retry]` goes on a function with a body, not on an `extern` block: put it on a function that calls the foreign one"
        }
        "gen" => {
            "a generator hands out values before anything in it can fail; retry where a value is made"
        }
        _ if rest.peek(Token![!]) => {
            "`#[retry]` goes on a function, not on a macro: put it inside, on the function that the macro makes"
        }
        _ => "`#[retry]` goes on a function or a method; inside one, use `retry::block!`",
    };
    Error::new(input.span(), message)
}

fn is_function(input: ParseStream) -> bool {
    let rest = input.fork();
    loop {
        if rest.peek(Token![fn]) {
            return !is_generator(input);
        }
        if rest.parse::<proc_macro2::TokenTree>().is_err() {
            return false;
        }
        if rest.peek(token::Brace) || rest.peek(Token![;]) || rest.peek(Token![=]) {
            return false;
        }
    }
}

/// Whether it is a `gen fn`.
fn is_generator(input: ParseStream) -> bool {
    let rest = input.fork();
    let _ = rest.parse::<Visibility>();
    let _ = rest.parse::<Option<Token![async]>>();
    rest.call(Ident::parse_any).is_ok_and(|word| word == "gen")
}
