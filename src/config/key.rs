//! The keys, and what else people call them.

use super::raw::Raw;
use super::source::Source;

/// What can be set, in the order in which it is told and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    Attempts,
    Within,
    Fixed,
    Linear,
    Step,
    Exponential,
    Factor,
    Cap,
    Floor,
    Jitter,
}

/// The keys' names.
pub(super) const NAMES: [&str; 10] = [
    "attempts",
    "within",
    "fixed",
    "linear",
    "step",
    "exponential",
    "factor",
    "cap",
    "floor",
    "jitter",
];

/// The keys that say how long to wait; one of them must be there.
pub(super) const BACKOFFS: [Key; 3] = [Key::Fixed, Key::Linear, Key::Exponential];

const ALL: [Key; 10] = [
    Key::Attempts,
    Key::Within,
    Key::Fixed,
    Key::Linear,
    Key::Step,
    Key::Exponential,
    Key::Factor,
    Key::Cap,
    Key::Floor,
    Key::Jitter,
];

/// Keys as other libraries call them, and the attribute's.
const MEANT: [(&[&str], Key); 7] = [
    (
        &[
            "retries",
            "max_retries",
            "tries",
            "max_tries",
            "max_attempts",
            "max_times",
            "count",
            "limit",
            "stop",
        ],
        Key::Attempts,
    ),
    (
        &[
            "timeout",
            "deadline",
            "elapsed",
            "max_time",
            "max_elapsed",
            "max_elapsed_time",
            "max_duration",
            "total_delay",
        ],
        Key::Within,
    ),
    (&["delay", "interval", "constant", "sleep", "every"], Key::Fixed),
    (
        &[
            "backoff",
            "wait",
            "base",
            "base_delay",
            "initial",
            "initial_delay",
            "initial_interval",
            "initial_backoff",
            "expo",
        ],
        Key::Exponential,
    ),
    (&["multiplier", "exponent", "backoff_factor"], Key::Factor),
    (&["max_delay", "max_interval", "max_wait", "max_backoff", "max"], Key::Cap),
    (&["min_delay", "min_interval", "min_wait", "min_backoff", "min"], Key::Floor),
];

impl Key {
    pub(super) fn name(self) -> &'static str {
        // A list of the same length in the same order, which a test holds it to.
        NAMES[self as usize]
    }

    pub(super) fn of(name: &str) -> Option<Self> {
        ALL.into_iter().find(|key| key.name() == name)
    }

    /// A value that it could have.
    pub(super) fn example(self) -> Raw {
        match self {
            Self::Attempts => Raw::Int(5),
            Self::Factor => Raw::Float(2.0),
            Self::Within => Raw::Str("30s".to_owned()),
            Self::Fixed => Raw::Str("1s".to_owned()),
            Self::Cap => Raw::Str("10s".to_owned()),
            Self::Floor => Raw::Str("50ms".to_owned()),
            Self::Linear | Self::Step | Self::Exponential => Raw::Str("100ms".to_owned()),
            Self::Jitter => Raw::Str("full".to_owned()),
        }
    }
}

/// What to say about a key that there is not, written as `name` in `source`, and the one that was
/// most likely meant.
pub(super) fn unknown(name: &str, source: &Source) -> (String, Option<Key>) {
    let plain = name.to_lowercase().replace('-', "_");
    let by_meaning = MEANT.iter().find(|(names, _)| names.contains(&plain.as_str()));
    let by_spelling = Key::of(&plain).or_else(|| similar(&plain, NAMES).and_then(Key::of));
    let what = source.what();
    let name = source.written(name);
    if let Some(prefix) = source.unended(&plain) {
        (
            format!(
                "unknown {what} `{name}`; the prefix `{prefix}` lacks its `_`: write `{prefix}_`"
            ),
            None,
        )
    } else if let Some((_, key)) = by_meaning {
        let counts = if *key == Key::Attempts { ", which counts the first call too" } else { "" };
        let example = source.example(*key);
        (format!("unknown {what} `{name}`; write {example}{counts}"), Some(*key))
    } else if let Some(key) = by_spelling {
        let right = source.name(key.name());
        (format!("unknown {what} `{name}`; did you mean `{right}`?"), Some(key))
    } else {
        let all = list(NAMES.map(|name| source.name(name)));
        (format!("unknown {what} `{name}`; the {what}s are {all}"), None)
    }
}

/// The names in backticks, separated by commas.
pub(super) fn list(names: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let names: Vec<_> = names.into_iter().map(|name| format!("`{}`", name.as_ref())).collect();
    names.join(", ")
}

/// The name among `known` that `typed` is most likely a misspelling of. The measure is that of
/// the attribute's messages.
pub(super) fn similar(
    typed: &str,
    known: impl IntoIterator<Item = &'static str>,
) -> Option<&'static str> {
    let allowed = match typed.len() {
        0..=2 => 0,
        3..=5 => 1,
        _ => 2,
    };
    known
        .into_iter()
        .map(|known| (distance(typed, known), known))
        .filter(|(distance, _)| *distance <= allowed)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_has_its_own_name() {
        for (index, key) in ALL.into_iter().enumerate() {
            assert_eq!(key as usize, index);
            assert_eq!(key.name(), format!("{key:?}").to_lowercase());
        }
    }

    #[test]
    fn a_misspelling_is_recognised_and_a_word_of_its_own_is_not() {
        assert_eq!(similar("atempts", NAMES), Some("attempts"));
        assert_eq!(similar("expnential", NAMES), Some("exponential"));
        assert_eq!(similar("cpa", NAMES), Some("cap"));
        assert_eq!(similar("colour", NAMES), None);
        assert_eq!(similar("on", NAMES), None);
    }
}
