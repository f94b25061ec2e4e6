//! What a call holds from before its first attempt.

// What a denial means is said once, at `Denied`.
#![allow(clippy::missing_errors_doc)]

pub(crate) mod breaker;
pub(crate) mod budget;

use core::time::Duration;
use std::time::Instant;

use crate::guard::breaker::state::Change;
use crate::report::reason::StopReason;

/// Something that was given out for one call, before its first attempt, and is given back when the
/// call ends: by telling it how, or by dropping it where there is nothing to tell (the call was
/// cancelled, or has panicked).
///
/// In the order of a call: `enter`, then for each attempt `starts`, `attempted` and, where another is
/// wanted, `retry`; and `ended`. A time is asked for only where it matters.
pub trait Permit {
    /// Whether it asks how long attempts take.
    #[inline]
    fn measures(&self) -> bool {
        false
    }

    /// Asks for the first attempt.
    #[inline]
    fn enter(&mut self, _now: impl Fn() -> Instant) -> Result<Option<Change>, Denied> {
        Ok(None)
    }

    /// An attempt starts.
    #[inline]
    fn starts(&mut self) {}

    /// An attempt has ended, with a failure that another may not end with, or with an answer.
    #[inline]
    fn attempted(
        &mut self,
        _fails: bool,
        _took: Option<Duration>,
        _now: impl Fn() -> Instant,
        _random: impl FnOnce() -> f64,
    ) -> Option<Change> {
        None
    }

    /// Asks for another attempt, before the sleep.
    #[inline]
    fn retry(&mut self, _throttled: bool, _now: impl Fn() -> Instant) -> Result<(), Denied> {
        Ok(())
    }

    /// The call has ended with an outcome.
    #[inline]
    fn ended(&mut self, _reason: StopReason) {}
}

/// Why an attempt may not be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Denied {
    /// What the call ends with.
    pub reason: StopReason,
    /// How long until it is worth asking again, where that is known.
    pub retry_after: Option<Duration>,
}

/// Nothing was asked for.
impl Permit for () {}

/// The first is asked first; what it gave stays with it until the call ends if the second denies.
impl<A: Permit, B: Permit> Permit for (A, B) {
    #[inline]
    fn measures(&self) -> bool {
        self.0.measures() || self.1.measures()
    }

    #[inline]
    fn enter(&mut self, now: impl Fn() -> Instant) -> Result<Option<Change>, Denied> {
        let first = self.0.enter(&now)?;
        Ok(first.or(self.1.enter(now)?))
    }

    #[inline]
    fn starts(&mut self) {
        self.0.starts();
        self.1.starts();
    }

    #[inline]
    fn attempted(
        &mut self,
        fails: bool,
        took: Option<Duration>,
        now: impl Fn() -> Instant,
        random: impl FnOnce() -> f64,
    ) -> Option<Change> {
        let mut random = Some(random);
        let mut draw = || random.take().map_or(1.0, |random| random());
        let first = self.0.attempted(fails, took, &now, &mut draw);
        first.or(self.1.attempted(fails, took, now, draw))
    }

    #[inline]
    fn retry(&mut self, throttled: bool, now: impl Fn() -> Instant) -> Result<(), Denied> {
        self.0.retry(throttled, &now)?;
        self.1.retry(throttled, now)
    }

    #[inline]
    fn ended(&mut self, reason: StopReason) {
        self.0.ended(reason);
        self.1.ended(reason);
    }
}

#[cfg(all(test, not(retry_loom)))]
mod tests;
