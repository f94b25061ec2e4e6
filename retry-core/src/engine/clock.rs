//! The clocks: one of the two places that touch time.

use crate::Instant;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};
use core::time::Duration;
use std::sync::Arc;

/// Reads a monotonic clock.
pub type Clock = fn() -> Instant;

/// The clock of sync calls: the system's, even under a paused runtime, since their sleeps are
/// real too.
#[inline]
pub fn system() -> Instant {
    Instant::now()
}

/// The clock of async calls: tokio's with the feature `tokio`, so that a paused one is followed
/// (outside a runtime it is the system's), else the system's. In a browser tokio has no clock either.
#[inline]
pub fn runtime() -> Instant {
    #[cfg(all(feature = "tokio", not(all(target_family = "wasm", target_os = "unknown"))))]
    return tokio::time::Instant::now().into_std();
    #[cfg(any(not(feature = "tokio"), all(target_family = "wasm", target_os = "unknown")))]
    Instant::now()
}

/// Which of the two clocks a call goes by. A type, so that a call carries no word for it.
pub trait Source {
    /// The clock.
    const CLOCK: Clock;
}

/// Goes by [`system`].
#[derive(Debug)]
pub struct System;

impl Source for System {
    const CLOCK: Clock = system;
}

/// Goes by [`runtime`].
#[derive(Debug)]
pub struct Runtime;

impl Source for Runtime {
    const CLOCK: Clock = runtime;
}

/// When a call started, if somebody may ask. A type, so that a call that nobody asks carries
/// nothing.
pub trait Start: Copy {
    /// The start.
    fn instant(self) -> Option<Instant>;
}

/// The start of a call that nobody asks for the time.
#[derive(Clone, Copy, Debug)]
pub struct Untimed;

impl Start for Untimed {
    #[inline]
    fn instant(self) -> Option<Instant> {
        None
    }
}

impl Start for Instant {
    #[inline]
    fn instant(self) -> Option<Instant> {
        Some(self)
    }
}

/// The time that one call goes by: a clock, and what has been skipped on top of it.
#[derive(Clone, Debug)]
pub(crate) struct Time {
    clock: Clock,
    skipped: Option<VirtualClock>,
}

impl Time {
    pub(crate) const fn real(clock: Clock) -> Self {
        Self { clock, skipped: None }
    }

    pub(crate) const fn new(clock: Clock, skipped: Option<VirtualClock>) -> Self {
        Self { clock, skipped }
    }

    pub(crate) const fn set_clock(&mut self, clock: Clock) {
        self.clock = clock;
    }

    pub(crate) fn now(&self) -> Instant {
        self.at((self.clock)())
    }

    /// The time of the call when that of the clock is `real`.
    pub(crate) fn at(&self, real: Instant) -> Instant {
        self.skipped.as_ref().map_or(real, |skipped| skipped.at(real))
    }

    /// How long a pause is in real time: none at all where it is skipped.
    pub(crate) fn pause(&self, pause: Duration) -> Duration {
        match &self.skipped {
            Some(clock) => {
                clock.skip(pause);
                Duration::ZERO
            }
            None => pause,
        }
    }
}

/// The time that has been skipped, for all calls of a scope.
#[derive(Clone, Debug, Default)]
pub(crate) struct VirtualClock(Arc<AtomicU64>);

/// More than any call lives, and less than what any system's clock overflows at.
const MOST_SKIPPED: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

impl VirtualClock {
    fn skip(&self, pause: Duration) {
        let nanos = |pause: Duration| u64::try_from(pause.as_nanos()).unwrap_or(u64::MAX);
        let most = nanos(MOST_SKIPPED);
        let add = |skipped: u64| Some(skipped.saturating_add(nanos(pause)).min(most));
        let _ = self.0.fetch_update(Relaxed, Relaxed, add);
    }

    /// The virtual time when the real one is `real`.
    fn at(&self, real: Instant) -> Instant {
        let skipped = Duration::from_nanos(self.0.load(Relaxed));
        real.checked_add(skipped).unwrap_or(real)
    }
}
