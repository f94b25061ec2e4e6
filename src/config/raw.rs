//! A value as it was written.

/// A value as it was written, before anything is known about its key.
#[derive(Clone, Debug)]
pub(super) enum Raw {
    Int(i128),
    Float(f64),
    Bool(bool),
    Str(String),
    List,
    Table,
}

impl Raw {
    /// The value without quotes, as an environment variable or a call holds it.
    pub(super) fn bare(&self) -> String {
        match self {
            Self::Str(text) => text.clone(),
            other => other.quoted(),
        }
    }

    /// The value as TOML and JSON write it.
    pub(super) fn quoted(&self) -> String {
        match self {
            Self::Int(n) => n.to_string(),
            // `Debug` keeps the point of `5.0`; TOML's names are lowercase: `nan`, `inf`.
            Self::Float(n) => format!("{n:?}").to_lowercase(),
            Self::Bool(value) => value.to_string(),
            Self::Str(text) => format!("{text:?}"),
            Self::List => "[…]".to_owned(),
            Self::Table => "{…}".to_owned(),
        }
    }
}
