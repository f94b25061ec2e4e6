//! The static identity of one annotated function or block.

use core::fmt;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use core::time::Duration;
use std::sync::OnceLock;

use crate::stats::counters::Counters;
#[cfg(feature = "metrics")]
use crate::stats::metrics::Meters;
use crate::stats::name::{Name, ends_like, is_called};
use crate::strategy::stop::Limits;

/// One annotated function or block.
pub struct Site {
    name: Name,
    counters: &'static Counters,
    /// `log = off`
    is_silent: bool,
    /// `forever`
    is_endless: bool,
    /// What its `stop` allows, as far as that is written in numbers.
    limits: Limits,
    /// How many attempts its calls have been seen to make at most; 0 is unknown.
    bound: AtomicU32,
    /// Set once the site is in the list of all: the site that was listed before it.
    listed_after: OnceLock<Option<&'static Site>>,
    #[cfg(feature = "metrics")]
    meters: Meters,
}

impl Site {
    /// A site named by the user.
    pub const fn named(name: &'static str, counters: &'static Counters) -> Self {
        Self::new(Name::Given(name), counters)
    }

    /// A site named after the function that `inside`, which returns its own path, stands in.
    pub const fn around(inside: fn() -> &'static str, counters: &'static Counters) -> Self {
        Self::new(Name::Inside(inside), counters)
    }

    const fn new(name: Name, counters: &'static Counters) -> Self {
        Self {
            name,
            counters,
            is_silent: false,
            is_endless: false,
            limits: Limits::none(),
            bound: AtomicU32::new(0),
            listed_after: OnceLock::new(),
            #[cfg(feature = "metrics")]
            meters: Meters::new(),
        }
    }

    /// The same, but no event tells of it.
    #[must_use]
    pub const fn without_events(mut self) -> Self {
        self.is_silent = true;
        self
    }

    /// Whether no event tells of it.
    pub(crate) const fn is_silent(&self) -> bool {
        self.is_silent
    }

    /// The same, but its calls go on until they succeed.
    #[must_use]
    pub const fn endless(mut self) -> Self {
        self.is_endless = true;
        self
    }

    /// Whether its calls go on until they succeed.
    pub(crate) const fn is_endless(&self) -> bool {
        self.is_endless
    }

    /// With what its `stop` allows: attempts, and nanoseconds from the start of a call to when no
    /// attempt may start any more. Zero is no limit.
    #[must_use]
    pub const fn allowing(mut self, attempts: u32, starting: u64) -> Self {
        if attempts > 0 {
            self.limits = self.limits.with_attempts(attempts);
        }
        if starting > 0 {
            self.limits = self.limits.with_remaining(Duration::from_nanos(starting));
        }
        self
    }

    /// With a limit in time, in nanoseconds, after which an attempt may still start.
    #[must_use]
    pub const fn remaining(mut self, remaining: u64) -> Self {
        self.limits.remaining = Some(Duration::from_nanos(remaining));
        self
    }

    pub(crate) const fn limits(&self) -> Limits {
        self.limits
    }

    /// How many attempts its calls make at most, if that is known.
    pub(crate) fn bound(&self) -> Option<u32> {
        match self.bound.load(Relaxed) {
            0 => self.limits.attempts,
            bound => Some(bound),
        }
    }

    /// A call of it makes no more attempts than this.
    pub(crate) fn learn_bound(&self, attempts: u32) {
        if self.bound.load(Relaxed) != attempts {
            self.bound.store(attempts, Relaxed);
        }
    }

    /// What it is called.
    pub fn name(&self) -> &'static str {
        self.name.get()
    }

    /// Whether it answers to `name`.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        is_called(self.name(), name)
    }

    /// What it answers to that has as many parts as `name`.
    pub(crate) fn answers_like(&self, name: &str) -> Vec<String> {
        ends_like(self.name(), name)
    }

    #[inline]
    pub(crate) const fn counters(&self) -> &'static Counters {
        self.counters
    }

    pub(crate) const fn listed_after(&self) -> &OnceLock<Option<&'static Site>> {
        &self.listed_after
    }

    #[cfg(feature = "metrics")]
    pub(crate) const fn meters(&'static self) -> &'static Meters {
        &self.meters
    }
}

impl fmt::Debug for Site {
    /// Neither the numbers nor the sites listed after it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Site").field("name", &self.name()).finish_non_exhaustive()
    }
}

impl PartialEq for Site {
    /// A site is itself, not what it is called.
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self, other)
    }
}

impl Eq for Site {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_shows_the_name() {
        static COUNTERS: Counters = Counters::new();
        static SITE: Site = Site::named("fetch", &COUNTERS);
        assert_eq!(format!("{SITE:?}"), r#"Site { name: "fetch", .. }"#);
    }
}
