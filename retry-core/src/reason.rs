//! Why a call ended.

use core::fmt;

/// Why a call ended. Its `Display` is one lowercase word, as in the events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StopReason {
    /// An attempt succeeded.
    Success,
    /// The outcome is a failure that another attempt would not change.
    Permanent,
    /// The attempt may have taken effect, and the call is not `idempotent`.
    Ambiguous,
    /// All attempts have been made.
    Attempts,
    /// The time is up, or the next attempt would start after it is.
    Time,
    /// The other side asked for a longer wait than the call may make.
    HintTooLong,
    /// A stop strategy of the user's own said so.
    Custom,
}

impl StopReason {
    /// The reason as one lowercase word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Permanent => "permanent",
            Self::Ambiguous => "ambiguous",
            Self::Attempts => "attempts",
            Self::Time => "time",
            Self::HintTooLong => "hint_too_long",
            Self::Custom => "custom",
        }
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
