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
    /// Attempts that may follow.
    pub(crate) left: Option<u32>,
    /// Whether the time leaves no room for another one.
    pub(crate) is_last: bool,
    pub(crate) elapsed: Option<Duration>,
    pub(crate) duration: Option<Duration>,
    pub(crate) remaining: Option<Duration>,
    pub(crate) verdict: Option<Verdict>,
    pub(crate) previous_delay: Option<Duration>,
    pub(crate) next_delay: Option<Duration>,
}

impl Attempt {
    /// The first attempt of a call of which nothing more is known than what its site says.
    pub(crate) const fn first(site: &'static Site, elapsed: Option<Duration>) -> Self {
        let limits = site.limits();
        Self {
            site,
            number: 1,
            left: match limits.attempts {
                Some(most) => Some(most.saturating_sub(1)),
                None => None,
            },
            is_last: false,
            elapsed,
            duration: None,
            remaining: if elapsed.is_some() { limits.remaining } else { None },
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
        (self.left == Some(0) || self.is_last) && self.next_delay.is_none()
    }

    /// How many attempts may still follow this one, as far as `stop` counts them: 4 in the first
    /// of `attempts(5)`. `None` where it does not, as with `within(30s)` alone. A new outage (the
    /// key `reset`, [`Current::progress`](crate::Current::progress)) gives them back.
    ///
    /// Known in the first attempt where the number is a literal in the attribute, else once `stop`
    /// has been asked. Time may be up before all of them are made.
    pub fn left(&self) -> Option<u32> {
        self.left
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
    /// `None` where `stop` has no limit in time, and in `before` and `after` of the first attempt
    /// unless the limit is a literal in the attribute. A new outage starts the time anew.
    pub fn remaining(&self) -> Option<Duration> {
        self.remaining
    }

    /// What the outcome of the attempt that ended last meant; see the table above. `None` in
    /// `before` of the first attempt, and in `reset` beside an `at_most`, where it is asked before
    /// the attempt is judged.
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
            .field("is_last", &self.is_last())
            .field("left", &self.left)
            .field("elapsed", &self.elapsed)
            .field("duration", &self.duration)
            .field("remaining", &self.remaining)
            .field("verdict", &self.verdict)
            .field("previous_delay", &self.previous_delay)
            .field("next_delay", &self.next_delay)
            .finish()
    }
}
