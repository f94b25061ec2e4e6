//! What outside of the policy may refuse: the one place, and the one order.
//!
//! They are asked twice: before the first attempt, and when the policy would make a retry, before
//! anybody is told of it. Today they are the process-wide switch, under the key `enabled` and the
//! overrides of a test.

use crate::report::reason::StopReason;
use crate::scope::switch;
use crate::strategy::stop::{Boundedness, Stop};

/// What the keys of one call say about being refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// By an override or the switch.
    Open,
    /// `enabled` said `false`.
    Disabled,
    /// By an override, but not by the switch: `forever` means that the call must not end because
    /// retrying was off for a while.
    Forever,
    /// By nothing, since only a success gives a value that could be returned.
    Endless,
}

impl Entry {
    /// What `enabled` says.
    #[inline]
    pub const fn enabled(enabled: bool) -> Self {
        if enabled { Self::Open } else { Self::Disabled }
    }

    /// What `enabled` says beside `forever`.
    #[inline]
    pub const fn forever(enabled: bool) -> Self {
        if enabled { Self::Forever } else { Self::Disabled }
    }

    /// What the type of a stop strategy says.
    #[inline]
    pub(crate) const fn of<S: Stop>() -> Self {
        if <S::Ends as Boundedness>::ENDS { Self::Open } else { Self::Forever }
    }
}

/// The gates of one call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gates {
    closed: Option<StopReason>,
}

impl Gates {
    /// Nothing refuses.
    pub(crate) const OPEN: Self = Self { closed: None };

    /// Asks before the first attempt. An override has the last word.
    pub(crate) fn at_entry(entry: Entry, overridden: Option<bool>) -> Self {
        let enabled = match entry {
            Entry::Endless => true,
            Entry::Open => overridden.unwrap_or_else(switch::is_enabled),
            Entry::Forever => overridden.unwrap_or(true),
            Entry::Disabled => overridden.unwrap_or(false),
        };
        Self { closed: (!enabled).then_some(StopReason::Disabled) }
    }

    /// Why the call is no more than its plain body, if it is: decided before its first attempt.
    pub(crate) const fn closed(self) -> Option<StopReason> {
        self.closed
    }

    /// Asks about a retry that the policy would make: why it may not, if it may not.
    pub(crate) const fn refuse(self) -> Option<StopReason> {
        self.closed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_override_has_the_last_word_and_an_endless_call_hears_nobody() {
        let closed = Some(StopReason::Disabled);
        for (entry, overridden, expected) in [
            (Entry::Open, None, None),
            (Entry::Open, Some(false), closed),
            (Entry::Disabled, None, closed),
            (Entry::Disabled, Some(true), None),
            (Entry::Forever, None, None),
            (Entry::Forever, Some(false), closed),
            (Entry::Endless, None, None),
            (Entry::Endless, Some(false), None),
        ] {
            let gates = Gates::at_entry(entry, overridden);
            assert_eq!(gates.closed(), expected, "{entry:?} {overridden:?}");
            assert_eq!(gates.refuse(), expected, "{entry:?} {overridden:?}");
        }
        assert_eq!((Gates::OPEN.closed(), Gates::OPEN.refuse()), (None, None));
    }
}
