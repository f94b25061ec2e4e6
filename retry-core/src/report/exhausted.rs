//! A retried call that gave up inside an attempt of another.

use core::fmt;

use crate::report::reason::StopReason;
use crate::report::summary::write_summary;
use crate::stats::site::Site;

/// A retried call that gave up inside an attempt of another: [`PastAttempt::exhausted`] of the
/// attempt around it.
///
/// The outer call then repeats what has been repeated already. Where its reports are full of these, one
/// of the two retries is one too many: see the key `nested`.
///
/// [`PastAttempt::exhausted`]: crate::PastAttempt::exhausted
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Exhausted {
    pub(crate) site: &'static Site,
    pub(crate) reason: StopReason,
    pub(crate) attempts: u32,
}

impl Exhausted {
    /// The name of the inner function, or what its `name` gave.
    pub fn name(&self) -> &'static str {
        self.site.name()
    }

    /// Why it gave up: what its own policy and guards said, or who cancelled it. Never
    /// [`Success`](StopReason::Success), [`Permanent`](StopReason::Permanent), which is an answer,
    /// [`Nested`](StopReason::Nested), which leaves the retrying to the outer call, or
    /// [`Disabled`](StopReason::Disabled).
    pub const fn reason(&self) -> StopReason {
        self.reason
    }

    /// How many attempts it made; 0 where it was refused before its first.
    pub const fn attempts(&self) -> u32 {
        self.attempts
    }
}

#[allow(clippy::missing_fields_in_debug)] // the site is shown by its name
impl fmt::Debug for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exhausted")
            .field("name", &self.name())
            .field("reason", &self.reason)
            .field("attempts", &self.attempts)
            .finish()
    }
}

/// What gave up, after how many attempts, and why.
impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_summary(f, self.name(), "gave up", self.reason, self.attempts, None)
    }
}
