//! Where a setting was written, and so how advice on it is written.

use super::key::Key;
use super::raw::Raw;

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
    /// The key that has this name there, without the prefix.
    pub(super) fn key(&self, name: &str) -> Option<Key> {
        match self {
            Self::File | Self::Code => Key::of(name),
            Self::Env(_) if name.contains(char::is_lowercase) => None,
            Self::Env(_) => Key::of(&name.to_lowercase()),
        }
    }

    /// The name of the key there.
    pub(super) fn name(&self, key: &str) -> String {
        match self {
            Self::File | Self::Code => key.to_owned(),
            Self::Env(prefix) => format!("{prefix}{}", key.to_uppercase()),
        }
    }

    /// What a key is called there.
    pub(super) fn what(&self) -> &'static str {
        match self {
            Self::File | Self::Code => "key",
            Self::Env(_) => "variable",
        }
    }

    /// A name in full that was written there, whether there is such a key or not.
    pub(super) fn written(&self, name: &str) -> String {
        match self {
            Self::File | Self::Code => name.to_owned(),
            Self::Env(prefix) => format!("{prefix}{name}"),
        }
    }

    /// The prefix, if it should have ended with the `_` that `rest`, what follows it, starts with.
    pub(super) fn unended(&self, rest: &str) -> Option<&str> {
        match self {
            Self::Env(prefix) if rest.strip_prefix('_').and_then(Key::of).is_some() => Some(prefix),
            _ => None,
        }
    }

    /// What it takes to give `key` the value, in backticks.
    pub(super) fn assign(&self, key: Key, value: &Raw) -> String {
        let name = self.name(key.name());
        match self {
            Self::File => format!("`{name} = {}`", value.quoted()),
            Self::Env(_) => format!("`{name}={}`", value.bare()),
            Self::Code => match value.bare().strip_prefix("factor:") {
                Some(factor) => format!("`{name}_factor({factor})`"),
                None => format!("`{name}({})`", value.bare()),
            },
        }
    }

    /// The same for a value that is text.
    pub(super) fn assign_text(&self, key: Key, text: &str) -> String {
        self.assign(key, &Raw::Str(text.to_owned()))
    }

    /// A value that `key` could have.
    pub(super) fn example(&self, key: Key) -> String {
        self.assign(key, &key.example())
    }
}
