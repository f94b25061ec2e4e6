//! Where a setting was written, and so how it and advice on it are written.

use retry_core::text;

use super::key::{ENDLESS, Key};

/// A value as it was written, before anything is known about its key.
#[derive(Clone, Debug)]
pub(super) struct Raw {
    pub(super) text: String,
    /// Whether a file has it in quotes.
    quoted: bool,
}

impl Raw {
    pub(super) fn quoted(text: impl Into<String>) -> Self {
        Self { text: text.into(), quoted: true }
    }

    pub(super) fn bare(text: impl Into<String>) -> Self {
        Self { text: text.into(), quoted: false }
    }

    /// `Debug` keeps the point of `5.0`; TOML's names are lowercase: `nan`, `inf`.
    pub(super) fn float(number: f64) -> Self {
        Self::bare(format!("{number:?}").to_lowercase())
    }
}

/// What to do about a link that is kept up without an end.
pub(super) const ENDLESS_LINK: &str = "a link without an end has a bound here too, which \
    `#[retry(forever, wait = config.wait(), …)]` leaves aside";

/// What stands before the longest hint where a longer one is shortened to it.
pub(super) const CLAMP: &str = "clamp:";

/// Where a setting was written.
#[derive(Clone, Debug)]
pub(super) enum Source {
    /// A file of any format; quoted as TOML.
    File,
    /// Environment variables with this prefix.
    Env(String),
    /// The builder.
    Code,
}

impl Source {
    /// What `key` is called there.
    pub(super) fn name(&self, key: Key) -> String {
        match self {
            Self::File | Self::Code => key.name().to_owned(),
            Self::Env(prefix) => format!("{prefix}{}", key.name().to_uppercase()),
        }
    }

    /// What it takes to give `key` the value, in backticks.
    pub(super) fn assign(&self, key: Key, Raw { text, quoted }: &Raw) -> String {
        let name = self.name(key);
        match self {
            Self::File if *quoted => format!("`{name} = {text:?}`"),
            Self::File => format!("`{name} = {text}`"),
            Self::Env(_) => format!("`{name}={text}`"),
            Self::Code => match (text.strip_prefix("factor:"), text.strip_prefix(CLAMP)) {
                (Some(factor), _) => format!("`{name}_factor({factor})`"),
                (_, Some(most)) => format!("`{name}(MaxHint::Clamp({most}))`"),
                _ => format!("`{name}({text})`"),
            },
        }
    }

    /// The same for a value in its usual form.
    pub(super) fn write(&self, key: Key, text: &str) -> String {
        let is_bare = key.is_number() && text.parse::<f64>().is_ok();
        self.assign(key, &if is_bare { Raw::bare(text) } else { Raw::quoted(text) })
    }

    /// A value that `key` could have.
    pub(super) fn example(&self, key: Key) -> String {
        self.write(key, key.example())
    }

    /// The key that has this name there, without the prefix. Otherwise what to say about it, and
    /// the key that was most likely meant.
    pub(super) fn key(&self, name: &str) -> Result<Key, (String, Option<Key>)> {
        let (what, prefix) = match self {
            Self::File | Self::Code => ("key", ""),
            Self::Env(prefix) => ("variable", prefix.as_str()),
        };
        let written = format!("{prefix}{name}");
        let plain = name.to_lowercase().replace('-', "_");
        let key = Key::of(&plain);
        if let Some(key) = key.filter(|key| self.name(*key) == written) {
            return Ok(key);
        }
        let meant = Key::meant(&plain);
        let similar = || text::similar(&plain, Key::NAMES.iter().copied()).and_then(Key::of);
        let (advice, meant) = if plain.strip_prefix('_').and_then(Key::of).is_some() {
            (format!("; the prefix `{prefix}` lacks its `_`: write `{prefix}_`"), None)
        } else if ENDLESS.contains(&plain.as_str()) {
            (
                format!("; write {}; {ENDLESS_LINK}", self.example(Key::Attempts)),
                Some(Key::Attempts),
            )
        } else if let Some(key) = meant {
            let counts =
                if key == Key::Attempts { ", which counts the first call too" } else { "" };
            (format!("; write {}{counts}", self.example(key)), meant)
        } else if let Some(key) = key.or_else(similar) {
            (format!("; did you mean `{}`?", self.name(key)), Some(key))
        } else {
            let all = text::list(Key::ALL.iter().map(|key| self.name(*key)));
            (format!("; the {what}s are {all}"), None)
        };
        Err((format!("unknown {what} `{written}`{advice}"), meant))
    }
}
