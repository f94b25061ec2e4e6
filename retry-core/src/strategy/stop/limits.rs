//! What a stop strategy allows, in numbers.

use core::time::Duration;

/// What a [`Stop`](crate::Stop) strategy allows at most, as far as it can say so in advance: what
/// [`Stop::limits`](crate::Stop::limits) answers.
///
/// ```
/// use retry::stop::Limits;
/// use retry::{State, Stop, stop};
/// use std::time::Duration;
///
/// let secs = Duration::from_secs;
/// let stop = stop::attempts(5) | stop::within(secs(30));
/// let limits = stop.limits(&State::new(1).with_elapsed(secs(12)));
/// assert_eq!(limits, Limits::none().with_attempts(5).with_remaining(secs(18)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The most attempts a call may make, `None` if it has no limit in number.
    pub attempts: Option<u32>,
    /// What is left until the time is up, `None` if there is no limit in time.
    pub remaining: Option<Duration>,
    /// What is left until no attempt may start any more: the same, but where a strategy lets one
    /// start late.
    pub(crate) starting: Option<Duration>,
}

impl Limits {
    /// No limit at all.
    ///
    /// ```
    /// use retry::stop::{Limits, Never};
    /// use retry::{State, Stop};
    ///
    /// assert_eq!(Never.limits(&State::new(1)), Limits::none());
    /// ```
    pub const fn none() -> Self {
        Self { attempts: None, remaining: None, starting: None }
    }

    /// At most so many attempts. The first is always made, so zero counts as 1.
    pub const fn with_attempts(mut self, attempts: u32) -> Self {
        self.attempts = Some(if attempts == 0 { 1 } else { attempts });
        self
    }

    /// So much time is left; no attempt starts once it is up.
    pub const fn with_remaining(mut self, remaining: Duration) -> Self {
        self.remaining = Some(remaining);
        self.starting = Some(remaining);
        self
    }

    /// The same limits, where an attempt may start after the time is up.
    pub(crate) const fn starting_late(mut self) -> Self {
        self.starting = None;
        self
    }

    /// Those of `a | b`: the tighter of two, and where only one has a limit, that one.
    pub(crate) fn either(self, other: Self) -> Self {
        Self {
            attempts: tighter(self.attempts, other.attempts),
            remaining: tighter(self.remaining, other.remaining),
            starting: tighter(self.starting, other.starting),
        }
    }

    /// Those of `a & b`: the wider of two, and where only one has a limit, none.
    pub(crate) fn both(self, other: Self) -> Self {
        fn wider<T: Ord>(a: Option<T>, b: Option<T>) -> Option<T> {
            a.zip(b).map(|(a, b)| a.max(b))
        }
        Self {
            attempts: wider(self.attempts, other.attempts),
            remaining: wider(self.remaining, other.remaining),
            starting: wider(self.starting, other.starting),
        }
    }
}

/// The tighter of two limits, where there are any.
pub(crate) fn tighter<T: Ord>(a: Option<T>, b: Option<T>) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}
