//! Guessing which name was meant.

/// The name among `known` that `typed` is most likely a misspelling of; none where it is one of
/// them. Words that are short, and words that differ in much, are different words.
pub fn similar<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .map(|known| (distance(typed, known), known))
        .filter(|(distance, known)| (1..=allowed(typed, known)).contains(distance))
        .min()
        .map(|(_, known)| known)
}

/// How many letters may be wrong, by the shorter of the two words.
fn allowed(a: &str, b: &str) -> usize {
    match a.len().min(b.len()) {
        0..=2 => 0,
        3..=5 => 1,
        _ => 2,
    }
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
pub fn list(names: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let names: Vec<_> = names.into_iter().map(|name| format!("`{}`", name.as_ref())).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names of the attribute and of the configuration, long and short.
    const KNOWN: [&str; 12] = [
        "attempts",
        "within",
        "by",
        "none",
        "when",
        "linear",
        "exponential",
        "factor",
        "cap",
        "full",
        "equal",
        "on",
    ];

    #[test]
    fn a_misspelling_is_recognised_and_a_word_of_its_own_is_not() {
        for (typed, meant) in [
            // From six letters on, two may be wrong.
            ("attemps", Some("attempts")),
            ("atempts", Some("attempts")),
            ("attemtp", Some("attempts")),
            ("atemps", Some("attempts")),
            ("atems", None),
            ("wihtin", Some("within")),
            ("expnential", Some("exponential")),
            // From three on, one.
            ("nnoe", Some("none")),
            ("ful", Some("full")),
            ("eqaul", Some("equal")),
            ("equals", Some("equal")),
            ("equally", None),
            ("cpa", Some("cap")),
            ("caps", Some("cap")),
            // Below that, none.
            ("ny", None),
            ("one", Some("none")),
            ("bye", None),
            ("in", None),
            ("", None),
            // What is right, or another word.
            ("attempts", None),
            ("give_up", None),
            ("colour", None),
        ] {
            assert_eq!(similar(typed, KNOWN), meant, "{typed}");
        }
    }

    #[test]
    fn the_nearest_is_taken() {
        assert_eq!(similar("linaer", ["linear", "liner"]), Some("linear"));
        assert_eq!(similar("bofore", ["before_x", "before"]), Some("before"));
    }

    #[test]
    fn distances_are_counted_in_letters() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("µs", "us"), 1);
        assert_eq!(distance("ab", "ba"), 1);
        assert_eq!(distance("kitten", "sitting"), 3);
    }

    #[test]
    fn a_list_has_commas_between() {
        assert_eq!(list(["a", "b"]), "`a`, `b`");
        assert_eq!(list([String::from("a")]), "`a`");
    }
}
