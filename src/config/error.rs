//! What is wrong with a configuration.

use core::error::Error;
use core::fmt;

/// What is wrong with a configuration: at least one fault, each naming the key (or the
/// environment variable) and the value as written.
///
/// Displayed, the faults are lines of their own.
///
/// ```
/// use retry::PolicyConfig;
/// use std::time::Duration;
///
/// let secs = Duration::from_secs;
/// let error = PolicyConfig::builder().attempts(0).exponential(secs(2)).cap(secs(1)).build();
/// let error = error.unwrap_err();
/// let faults: Vec<_> = error.faults().collect();
/// assert_eq!(
///     faults,
///     [
///         "`attempts(0)` would never call the function; `attempts` counts all calls, the first \
///          included",
///         "`cap(1s)` is below the first wait of `exponential(2s)`; write `cap(2s)` or more",
///     ],
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    faults: Vec<String>,
}

impl ConfigError {
    pub(super) fn new(faults: Vec<String>) -> Self {
        Self { faults }
    }

    /// The faults, one by one: first unknown keys, then each key's own in the order of the keys,
    /// then what does not go together.
    pub fn faults(&self) -> impl Iterator<Item = &str> {
        self.faults.iter().map(String::as_str)
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.faults.join("\n"))
    }
}

impl Error for ConfigError {}
