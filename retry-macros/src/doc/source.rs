//! Tokens as somebody would have typed them, as Markdown code.
//!
//! The compiler keeps no text that could be quoted across a macro, so the spaces are put back by
//! rule. What the rules get wrong is a space too many, never another meaning.

use proc_macro2::{Delimiter, Punct, Spacing, TokenStream, TokenTree};
use quote::ToTokens;

/// Longer code than this is shortened: the line says what to expect, the source says the rest.
const LONGEST: usize = 80;

/// Operators of several characters, the longest first.
const OPERATORS: [&str; 20] = [
    "..=", "...", "<<=", ">>=", "::", "->", "=>", "==", "!=", "<=", ">=", "&&", "||", "..", "<<",
    ">>", "+=", "-=", "*=", "/=",
];

/// Keywords after which an operand begins.
const KEYWORDS: [&str; 17] = [
    "as", "async", "break", "const", "dyn", "else", "for", "if", "in", "let", "loop", "match",
    "move", "mut", "ref", "return", "while",
];

/// The tokens in backticks.
pub(super) fn code(tokens: &impl ToTokens) -> String {
    in_backticks(&text(tokens))
}

/// The tokens as one line, however long.
pub(super) fn text(tokens: &impl ToTokens) -> String {
    let mut printer =
        Printer { text: String::new(), last: After::Tight, generics: 0, closure: false };
    printer.stream(tokens.to_token_stream());
    printer.text
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

/// What the token before was, which decides about the space after it and the meaning of the next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    /// The end of an operand, so that `-` subtracts and `(` calls.
    Operand,
    /// A name that `<` may follow.
    TypeName,
    /// `::`, which `<` may follow.
    Colons,
    /// An operator or keyword with a space after it.
    Loose,
    /// One without, or nothing.
    Tight,
}

impl After {
    fn is_operand(self) -> bool {
        matches!(self, Self::Operand | Self::TypeName)
    }

    fn opens_generics(self) -> bool {
        !matches!(self, Self::Operand)
    }
}

struct Printer {
    text: String,
    last: After,
    /// How many `<` are open.
    generics: usize,
    /// Whether the parameters of a closure are being printed.
    closure: bool,
}

impl Printer {
    fn put(&mut self, text: &str, loose_before: bool, after: After) {
        if loose_before && !matches!(self.last, After::Colons | After::Tight) {
            self.text.push(' ');
        }
        self.text.push_str(text);
        self.last = after;
    }

    fn stream(&mut self, tokens: TokenStream) {
        let mut trees = flat(tokens).into_iter().peekable();
        while let Some(tree) = trees.next() {
            match tree {
                TokenTree::Ident(ident) => self.name(&ident.to_string()),
                TokenTree::Literal(literal) => {
                    self.put(&literal.to_string(), true, After::Operand);
                }
                TokenTree::Punct(punct) => {
                    let mut operator = String::from(punct.as_char());
                    let mut last = punct;
                    while let Some(TokenTree::Punct(next)) = trees.peek() {
                        let longer = format!("{operator}{}", next.as_char());
                        if !self.continues(&last, &longer) {
                            break;
                        }
                        operator = longer;
                        last = next.clone();
                        trees.next();
                    }
                    let calls = matches!(trees.peek(), Some(TokenTree::Group(_)));
                    self.operator(&operator, calls);
                }
                TokenTree::Group(group) => self.group(group.delimiter(), group.stream()),
            }
        }
    }

    fn name(&mut self, name: &str) {
        let is_type = name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase);
        let after = match name {
            name if KEYWORDS.contains(&name) => After::Loose,
            _ if is_type => After::TypeName,
            _ => After::Operand,
        };
        self.put(name, true, after);
    }

    fn continues(&self, last: &Punct, longer: &str) -> bool {
        last.spacing() == Spacing::Joint
            && OPERATORS.iter().any(|operator| operator.starts_with(longer))
            && !(self.generics > 0 && longer.starts_with(">>"))
    }

    fn operator(&mut self, operator: &str, calls: bool) {
        let operand = self.last.is_operand();
        match operator {
            "::" => self.put(operator, !operand, After::Colons),
            "." | ".." | "..=" => self.put(operator, !operand, After::Tight),
            "," | ";" | ":" => self.put(operator, false, After::Loose),
            "?" => self.put(operator, false, After::Operand),
            "'" | "#" | "$" => self.put(operator, true, After::Tight),
            // `matches!(…)`
            "!" if operand && calls => self.put(operator, false, After::Tight),
            "|" if self.closure => {
                self.put(operator, false, After::Loose);
                self.closure = false;
            }
            "|" if !operand => {
                self.put(operator, true, After::Tight);
                self.closure = true;
            }
            "!" | "-" | "*" | "&" | "&&" if !operand => self.put(operator, true, After::Tight),
            "<" if self.last.opens_generics() => {
                self.put(operator, !operand, After::Tight);
                self.generics += 1;
            }
            ">" if self.generics > 0 => {
                self.put(operator, false, After::Operand);
                self.generics -= 1;
            }
            _ => self.put(operator, true, After::Loose),
        }
    }

    fn group(&mut self, delimiter: Delimiter, content: TokenStream) {
        let (open, close, is_braces) = match delimiter {
            Delimiter::Parenthesis => ("(", ")", false),
            Delimiter::Bracket => ("[", "]", false),
            Delimiter::Brace | Delimiter::None => ("{", "}", true),
        };
        let inside = if is_braces { After::Loose } else { After::Tight };
        self.put(open, is_braces || !self.last.is_operand(), inside);
        let outside = (self.generics, self.closure);
        (self.generics, self.closure) = (0, false);
        let is_empty = content.is_empty();
        self.stream(content);
        (self.generics, self.closure) = outside;
        self.put(close, is_braces && !is_empty, After::Operand);
    }
}

/// The tokens without the invisible groups that `macro_rules!` leaves.
fn flat(tokens: TokenStream) -> Vec<TokenTree> {
    tokens
        .into_iter()
        .flat_map(|tree| match tree {
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => flat(group.stream()),
            tree => vec![tree],
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a fixture that is no Rust is a mistake of the test

    use super::*;

    fn printed(source: &str) -> String {
        text(&source.parse::<TokenStream>().unwrap())
    }

    #[test]
    fn code_looks_as_it_was_typed() {
        for source in [
            "ApiError::is_transient",
            "::my::policy(self.config.attempts)",
            "self.max.map(attempts)",
            "|e| e.code == 503 && !e.is_final()",
            "|e: &ApiError| -e.code < 5",
            "|(a, _)| a - 1",
            "|_| true",
            "|| now() + 5s",
            "move |state| state.attempt() > 3",
            "is::<Busy>()",
            "is::<Vec<Option<u8>>>() | source_is::<std::io::Error>()",
            "<T as Judge>::judge",
            "matches(Err(ApiError::Busy | ApiError::Slow))",
            "matches!(e, Some(1..=5))",
            "|e| matches!(e.kind(), ErrorKind::TimedOut)",
            "|e| { let n = e.0[0]; n > 2 }",
            "if self.fast { fixed(1ms) } else { fixed(1s) }",
            "[1s, 5s, 30s]",
            "&self.waits",
            "*self.policy.read()",
            "key.is_some()",
            "exponential(base).factor(1.5).cap(10s)",
            "random(50ms..200ms)",
            "n as u32 * 2",
            "x?.y",
            "'a'",
            "|e: &'static str| e.len() == 2",
        ] {
            assert_eq!(printed(source), source);
        }
    }

    #[test]
    fn spaces_are_those_of_no_one_in_particular() {
        assert_eq!(printed("ApiError :: is_transient"), "ApiError::is_transient");
        assert_eq!(printed("attempts\n(\n    5 ,\n)"), "attempts(5,)");
    }

    #[test]
    fn backticks_and_line_breaks_in_a_text_stay_inside_the_code() {
        assert_eq!(code(&quote::quote!(f("a`b``c"))), "```f(\"a`b``c\")```");
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
