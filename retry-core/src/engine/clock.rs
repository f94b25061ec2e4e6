//! The clocks: one of the two places that touch time.

use std::time::Instant;

/// Reads a monotonic clock.
pub type Clock = fn() -> Instant;

/// The clock of sync calls: the system's, even under a paused runtime, since their sleeps are
/// real too.
#[inline]
pub fn system() -> Instant {
    Instant::now()
}

/// The clock of async calls: tokio's with the feature `tokio`, so that a paused one is followed
/// (outside a runtime it is the system's), else the system's.
#[inline]
pub fn runtime() -> Instant {
    #[cfg(feature = "tokio")]
    return tokio::time::Instant::now().into_std();
    #[cfg(not(feature = "tokio"))]
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
