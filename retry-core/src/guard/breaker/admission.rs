//! What a breaker gives to an attempt that it lets through.

use crate::Instant;
use core::fmt;
use core::time::Duration;

use crate::guard::breaker::Breaker;
use crate::guard::breaker::probes::Taken;
use crate::guard::breaker::state::{BreakerState, Change};
use crate::scope::effective::chance_here;
use crate::strategy::memory::Memory;

/// One attempt that a [`Breaker`] has let through.
///
/// Say how it ended: [`succeeded`](Self::succeeded) or [`failed`](Self::failed). Dropped instead, as
/// when the call is cancelled or panics, it counts nothing, and the place of a probe is free again.
///
/// It belongs to the state in which it was given. If the breaker has changed since, how the attempt
/// ended changes nothing: neither does a late success close a breaker that has opened meanwhile, nor
/// does a late failure open one that has closed again.
#[must_use = "dropped, it counts nothing"]
pub struct Admission<'a> {
    breaker: &'a Breaker,
    generation: u64,
    probe: Option<Taken>,
    half_opened: bool,
}

impl<'a> Admission<'a> {
    #[inline]
    pub(crate) const fn closed(breaker: &'a Breaker, generation: u64) -> Self {
        Self { breaker, generation, probe: None, half_opened: false }
    }

    pub(crate) const fn probe(
        breaker: &'a Breaker,
        generation: u64,
        probe: Taken,
        half_opened: bool,
    ) -> Self {
        Self { breaker, generation, probe: Some(probe), half_opened }
    }

    /// Whether the attempt is a probe: its call makes no other.
    pub const fn is_probe(&self) -> bool {
        self.probe.is_some()
    }

    /// What letting it through has changed: the first probe turns an open breaker half-open.
    pub const fn change(&self) -> Option<Change> {
        if self.half_opened {
            let (from, to) = (BreakerState::Open, BreakerState::HalfOpen);
            Some(Change { from, to, open_for: None })
        } else {
            None
        }
    }

    /// The attempt has been answered, after this long if somebody has
    /// [measured](Breaker::measures) it: with success, or with an error that says nothing about the
    /// health of the other side (a 404, anything that is not worth another attempt).
    ///
    /// The time is asked for only where it matters: the attempt was a probe, or slow.
    #[inline]
    pub fn succeeded(
        self,
        took: Option<Duration>,
        now: impl FnOnce() -> Instant,
    ) -> Option<Change> {
        self.ended(false, took, now, chance)
    }

    /// The attempt has failed in a way that another may not.
    pub fn failed(self, now: Instant) -> Option<Change> {
        self.ended(true, None, || now, chance)
    }

    /// Either, with a source of randomness (from 0 to 1) for the open time.
    #[inline]
    pub(crate) fn ended(
        mut self,
        fails: bool,
        took: Option<Duration>,
        now: impl FnOnce() -> Instant,
        random: impl FnOnce() -> f64,
    ) -> Option<Change> {
        let (breaker, generation) = (self.breaker, self.generation);
        let fails = fails || breaker.settings.is_slow(took);
        match self.probe.take() {
            None if !fails => {
                breaker.success(generation);
                None
            }
            None => breaker.failure(generation, now(), random),
            Some(probe) => breaker.probed(generation, probe, fails, now(), random),
        }
    }
}

/// The system's, unless a test has a seed for it.
fn chance() -> f64 {
    chance_here().map_or_else(Memory::unseeded, Memory::drawing).random()
}

impl Drop for Admission<'_> {
    #[inline]
    fn drop(&mut self) {
        if let Some(probe) = self.probe.take() {
            self.breaker.abandoned(self.generation, probe);
        }
    }
}

impl fmt::Debug for Admission<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Admission")
            .field("generation", &self.generation)
            .field("is_probe", &self.is_probe())
            .finish_non_exhaustive()
    }
}
