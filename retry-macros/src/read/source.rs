//! Tokens as somebody would have typed them.
//!
//! The compiler keeps no text that could be quoted across a macro, so the spaces are put back by
//! rule. What the rules get wrong is a space too many, never another meaning.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use quote::ToTokens;

/// More than this is not quoted in a message.
const LONGEST: usize = 60;

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

/// The tokens as typed, if they are short.
pub(crate) fn short(tokens: &impl ToTokens) -> String {
    let text = text(tokens);
    if text.is_empty() || text.chars().count() > LONGEST { "…".to_owned() } else { text }
}

/// The tokens as one line, however long.
pub(crate) fn text(tokens: &impl ToTokens) -> String {
    let mut pieces = Vec::new();
    split(tokens.to_token_stream(), &mut pieces);
    let mut printer = Printer { glued: true, ..Printer::default() };
    for (index, piece) in pieces.iter().enumerate() {
        printer.piece(piece, pieces.get(index + 1).map_or("", String::as_str));
    }
    printer.text
}

/// Words, operators and brackets, without the invisible groups that `macro_rules!` leaves.
fn split(tokens: TokenStream, pieces: &mut Vec<String>) {
    let mut joint = false;
    for tree in tokens {
        let was_joint = std::mem::take(&mut joint);
        match tree {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::None => ("", ""),
                };
                pieces.push(open.to_owned());
                split(group.stream(), pieces);
                pieces.push(close.to_owned());
            }
            TokenTree::Punct(punct) => {
                joint = punct.spacing() == Spacing::Joint;
                let joined = pieces.last().map(|last| format!("{last}{punct}"));
                match joined.filter(|it| was_joint && OPERATORS.iter().any(|op| op.starts_with(it)))
                {
                    Some(joined) => {
                        pieces.pop();
                        pieces.push(joined);
                    }
                    None => pieces.push(punct.to_string()),
                }
            }
            word => pieces.push(word.to_string()),
        }
    }
    pieces.retain(|piece| !piece.is_empty());
}

#[derive(Default)]
struct Printer {
    text: String,
    /// Whether the last piece ends an operand.
    operand: bool,
    /// Whether a `<` here opens generics.
    generic: bool,
    /// Whether nothing may stand between the last piece and the next.
    glued: bool,
    /// How many `<` are open, and whether the parameters of a closure are.
    open: (usize, bool),
    /// The same outside of the brackets that are open.
    outside: Vec<(usize, bool)>,
}

impl Printer {
    fn piece(&mut self, piece: &str, next: &str) {
        let (operand, generic) = (self.operand, self.generic || !self.operand);
        // Whether a space stands before it, whether none may after it, whether it ends an operand.
        let (space, glued, ends) = match piece {
            ")" | "]" | "?" => (false, false, true),
            "{" => (true, false, false),
            "}" => (!self.text.ends_with('{'), false, true),
            "," | ";" | ":" => (false, false, false),
            "(" | "[" | "::" | "." | ".." | "..=" => (!operand, true, false),
            "'" | "#" | "$" => (true, true, false),
            // `matches!(…)`
            "!" if operand && matches!(next, "(" | "[" | "{") => (false, true, false),
            "|" if self.open.1 => (false, false, false),
            "|" | "!" | "-" | "*" | "&" | "&&" if !operand => (true, true, false),
            "<" if generic => (!operand, true, false),
            ">" | ">>" if self.open.0 >= piece.len() => (false, false, true),
            operator if operator.chars().all(|c| c.is_ascii_punctuation() && c != '_') => {
                (true, false, false)
            }
            word => (true, false, !KEYWORDS.contains(&word)),
        };
        match piece {
            "(" | "[" | "{" => self.outside.push(std::mem::take(&mut self.open)),
            ")" | "]" | "}" => self.open = self.outside.pop().unwrap_or_default(),
            "|" => self.open.1 = !operand && !self.open.1,
            "<" if generic => self.open.0 += 1,
            ">" | ">>" => self.open.0 = self.open.0.saturating_sub(piece.len()),
            _ => {}
        }
        if space && !self.glued {
            self.text.push(' ');
        }
        self.text.push_str(piece);
        let is_type = piece.starts_with(char::is_uppercase) && piece.contains(char::is_lowercase);
        (self.operand, self.glued, self.generic) = (ends, glued, is_type);
    }
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
}
