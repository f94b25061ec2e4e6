//! What hooks are told about an attempt.

use core::fmt;
use core::time::Duration;

use crate::stats::site::Site;
use crate::verdict::verdict::Verdict;

/// What the hooks `before`, `after`, `before_sleep` and `gate` are told about an attempt.
///
/// Plain data, `Send` and `Sync`, so that an `async` hook may hold it across an `.await`.
///
/// | | `before` | `after` | `before_sleep` | `gate` |
/// |---|---|---|---|---|
/// | the attempt | is about to start | has failed | has failed | is about to start |
/// | [`verdict`](Self::verdict) | on the one before | on this attempt | on this attempt | on the one before |
/// | [`next_delay`](Self::next_delay) | `None` | `None` | about to be slept | `None` |
///
/// ```
/// # use retry::retry;
/// # #[derive(Debug)] struct Busy;
/// #[retry(
///     stop = attempts(3),
///     wait = fixed(10ms),
///     on = any_error(),
///     before_sleep = |attempt, outcome: &Result<u32, Busy>| {
///         println!("attempt {}: {outcome:?}; again in {:?}", attempt.number(), attempt.next_delay());
///     },
/// )]
/// fn fetch() -> Result<u32, Busy> {
///     Ok(7)
/// }
/// # fetch().unwrap();
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Attempt {
    pub(crate) site: &'static Site,
    pub(crate) number: u32,
    pub(crate) is_last: bool,
    pub(crate) elapsed: Option<Duration>,
    pub(crate) duration: Option<Duration>,
    pub(crate) remaining: Option<Duration>,
    pub(crate) verdict: Option<Verdict>,
    pub(crate) previous_delay: Option<Duration>,
    pub(crate) next_delay: Option<Duration>,
}

impl Attempt {
    /// The first attempt of a call of which nothing more is known.
    pub(crate) const fn first(site: &'static Site, elapsed: Option<Duration>) -> Self {
        Self {
            site,
            number: 1,
            is_last: false,
            elapsed,
            duration: None,
            remaining: None,
            verdict: None,
            previous_delay: None,
            next_delay: None,
        }
    }

    /// The name of the function, or what `name` gave.
    pub fn name(&self) -> &'static str {
        self.site.name()
    }

    /// The number of the attempt, from 1. A reset does not start it anew.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Whether it is sure that no other follows: see [`Current::is_last`](crate::Current::is_last).
    pub fn is_last(&self) -> bool {
        self.is_last
    }

    /// The time since the start of the call, by when the attempt failed or is about to start.
    ///
    /// Always known in a hook: a call that has one reads the clock at its start.
    pub fn elapsed(&self) -> Option<Duration> {
        self.elapsed
    }

    /// How long the attempt took; `None` in `before` and `gate`, where it has not started.
    pub fn duration(&self) -> Option<Duration> {
        self.duration
    }

    /// What is left until the call's time is up, by when the attempt failed or is about to start;
    /// `None` where `stop` has no limit in time, and before `stop` has first been asked: in
    /// `before` and `after` of the first attempt.
    pub fn remaining(&self) -> Option<Duration> {
        self.remaining
    }

    /// What the outcome of the attempt that ended last meant; see the table above. `None` in
    /// `before` of the first attempt.
    pub fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }

    /// The delay slept before this attempt; `None` in the first.
    pub fn previous_delay(&self) -> Option<Duration> {
        self.previous_delay
    }

    /// The delay about to be slept after this attempt: in `before_sleep`, where it is known.
    pub fn next_delay(&self) -> Option<Duration> {
        self.next_delay
    }
}

#[allow(clippy::missing_fields_in_debug)] // the site is shown by its name
impl fmt::Debug for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Attempt")
            .field("name", &self.name())
            .field("number", &self.number)
            .field("is_last", &self.is_last)
            .field("elapsed", &self.elapsed)
            .field("duration", &self.duration)
            .field("remaining", &self.remaining)
            .field("verdict", &self.verdict)
            .field("previous_delay", &self.previous_delay)
            .field("next_delay", &self.next_delay)
            .finish()
    }
}
