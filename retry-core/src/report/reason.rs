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
    /// A shared retry budget was empty.
    Budget,
    /// A circuit breaker refused the attempt.
    BreakerOpen,
    /// The call was cancelled.
    #[doc(alias = "cancel")]
    Cancelled,
    /// The gate between two attempts did not let the next one through.
    Gate,
    /// The call stood inside another retried call, and left the retrying to that one.
    Nested,
    /// Retrying was switched off for the call.
    Disabled,
    /// A stop strategy of the user's own said so, or a function in `wait` that answered `None`.
    Custom,
}

impl StopReason {
    /// Whether a call that ends so has used up what it was given, instead of getting an answer.
    pub(crate) const fn is_exhaustion(self) -> bool {
        !matches!(self, Self::Success | Self::Permanent | Self::Nested | Self::Disabled)
    }

    pub(crate) const COUNT: usize = 13;

    /// Every reason, in the order of their declaration. A later version may know more.
    ///
    /// ```
    /// use retry::StopReason;
    ///
    /// assert!(StopReason::ALL.contains(&StopReason::Attempts));
    /// ```
    pub const ALL: &'static [Self] = &[
        Self::Success,
        Self::Permanent,
        Self::Ambiguous,
        Self::Attempts,
        Self::Time,
        Self::HintTooLong,
        Self::Budget,
        Self::BreakerOpen,
        Self::Cancelled,
        Self::Gate,
        Self::Nested,
        Self::Disabled,
        Self::Custom,
    ];

    /// The place of the reason in [`ALL`](Self::ALL), below [`COUNT`](Self::COUNT).
    pub(crate) const fn index(self) -> usize {
        self as usize
    }

    /// The reason as one lowercase word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Permanent => "permanent",
            Self::Ambiguous => "ambiguous",
            Self::Attempts => "attempts",
            Self::Time => "time",
            Self::HintTooLong => "hint_too_long",
            Self::Budget => "budget",
            Self::BreakerOpen => "breaker_open",
            Self::Cancelled => "cancelled",
            Self::Gate => "gate",
            Self::Nested => "nested",
            Self::Disabled => "disabled",
            Self::Custom => "custom",
        }
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_stands_at_its_own_place() {
        assert_eq!(StopReason::ALL.len(), StopReason::COUNT);
        for (place, reason) in StopReason::ALL.iter().enumerate() {
            assert_eq!(reason.index(), place, "{reason}");
        }
        // The last one declared: `ALL` has forgotten none after it.
        assert_eq!(StopReason::Custom.index() + 1, StopReason::COUNT);
    }

    #[test]
    fn every_reason_is_a_lowercase_word_of_its_own() {
        for (place, reason) in StopReason::ALL.iter().enumerate() {
            let word = reason.as_str();
            assert!(word.chars().all(|c| c.is_ascii_lowercase() || c == '_'), "{word}");
            assert!(StopReason::ALL[..place].iter().all(|other| other.as_str() != word), "{word}");
        }
    }
}
