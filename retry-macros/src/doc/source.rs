//! Tokens as Markdown code.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;

use crate::read::source::text;

/// Longer code than this is shortened: the line says what to expect, the source says the rest.
const LONGEST: usize = 80;

/// The tokens in backticks, if they say something to a reader of the documentation: not what looks into
/// `self`, which that does not show.
pub(super) fn code(tokens: &impl ToTokens) -> Option<String> {
    (!looks_into_self(tokens.to_token_stream())).then(|| in_backticks(&text(tokens)))
}

fn looks_into_self(tokens: TokenStream) -> bool {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(tree) = tokens.next() {
        let looks = match tree {
            TokenTree::Group(group) => looks_into_self(group.stream()),
            // `self::limit()` is a path.
            TokenTree::Ident(ident) => {
                let is_path =
                    |next: &TokenTree| matches!(next, TokenTree::Punct(it) if it.as_char() == ':');
                ident == "self" && !tokens.peek().is_some_and(is_path)
            }
            _ => false,
        };
        if looks {
            return true;
        }
    }
    false
}

/// A code span, whatever the text holds.
pub(super) fn in_backticks(text: &str) -> String {
    // A text literal may hold line breaks, which could end the paragraph.
    let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() > LONGEST {
        text = text.chars().take(LONGEST - 1).collect();
        text.truncate(text.trim_end().len());
        text.push('…');
    }
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a fixture that is no Rust is a mistake of the test

    use super::*;

    #[test]
    fn what_looks_into_self_is_not_shown() {
        let shown = |source: &str| code(&source.parse::<TokenStream>().unwrap());
        for hidden in ["self.policy.stop()", "&self.config", "f(1, self.n)", "|e| self.judge(e)"] {
            assert_eq!(shown(hidden), None);
        }
        assert_eq!(shown("self::limit()").as_deref(), Some("`self::limit()`"));
        assert_eq!(shown("myself.limit").as_deref(), Some("`myself.limit`"));
    }

    #[test]
    fn backticks_and_line_breaks_in_a_text_stay_inside_the_code() {
        assert_eq!(code(&quote::quote!(f("a`b``c"))).unwrap(), "```f(\"a`b``c\")```");
        assert_eq!(in_backticks("`a`"), "`` `a` ``");
        assert_eq!(in_backticks("\"a\n\nb\""), "`\"a b\"`");
    }

    #[test]
    fn long_code_is_shortened_between_characters() {
        let long = in_backticks(&"äöü".repeat(100));
        assert_eq!(long.chars().count(), LONGEST + 2);
        assert!(long.ends_with("…`"), "{long}");
    }
}
