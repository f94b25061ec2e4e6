//! Collecting errors, pointing at the user's tokens, and guessing what was meant.

use proc_macro2::{Span, TokenStream};
use syn::Error;

/// The errors found so far: all of them are reported together.
#[derive(Default)]
pub(crate) struct Errors(Option<Error>);

impl Errors {
    pub(crate) fn push(&mut self, error: Error) {
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            None => self.0 = Some(error),
        }
    }

    /// Notes an error at `tokens`.
    pub(crate) fn at(&mut self, tokens: impl quote::ToTokens, message: impl std::fmt::Display) {
        self.push(Error::new_spanned(tokens, message));
    }

    /// The value, or `None` with its error noted.
    pub(crate) fn note<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    pub(crate) fn into_compile_error(self) -> TokenStream {
        self.0.map(Error::into_compile_error).unwrap_or_default()
    }
}

/// The name among `known` that `typed` is most likely a misspelling of.
pub(crate) fn similar<'a>(
    typed: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let allowed = match typed.len() {
        0..=3 => 0,
        4..=5 => 1,
        _ => 2,
    };
    known
        .into_iter()
        .map(|known| (distance(typed, known), known))
        .filter(|(distance, _)| (1..=allowed).contains(distance))
        .min()
        .map(|(_, known)| known)
}

/// How many letters must be added, dropped, changed or swapped with the next to get from one word
/// to the other (optimal string alignment).
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<_>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let change = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = change.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

/// The names in backticks, separated by commas.
pub(crate) fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// Our own tokens at the user's place: seen there, but with names that the user's code cannot see.
pub(crate) fn mixed(span: Span) -> Span {
    Span::mixed_site().located_at(span)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelling_is_recognised_and_a_word_of_its_own_is_not() {
        let known = ["attempts", "within", "by", "none", "when"];
        assert_eq!(similar("attemps", known), Some("attempts"));
        assert_eq!(similar("atempts", known), Some("attempts"));
        assert_eq!(similar("wihtin", known), Some("within"));
        assert_eq!(similar("nnoe", known), Some("none"));
        assert_eq!(similar("my", known), None);
        assert_eq!(similar("attempts", known), None);
        assert_eq!(similar("give_up", known), None);
    }

    #[test]
    fn distances_are_counted_in_letters() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("µs", "us"), 1);
        assert_eq!(distance("ab", "ba"), 1);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
