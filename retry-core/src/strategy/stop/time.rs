//! The limits in time.

use crate::Instant;
use core::time::Duration;

use crate::report::reason::StopReason;
use crate::strategy::state::State;
use crate::strategy::stop::{Bounded, Limits, Stop, noting};

/// Gives up when the time since the start of the first attempt and the coming delay together
/// reach `limit`: elapsed + delay ≥ limit. So no attempt starts at or after it; one that has
/// started is not cut short. `within(0)` never retries.
///
/// ```
/// use retry::{State, Stop, stop};
/// use std::time::Duration;
///
/// let secs = Duration::from_secs;
/// let stop = stop::within(secs(10));
/// assert!(!stop.stop(&State::new(1).with_elapsed(secs(7)).with_delay(secs(2))));
/// assert!(stop.stop(&State::new(1).with_elapsed(secs(8)).with_delay(secs(2))));
/// ```
#[doc(alias = "max_elapsed_time")]
#[doc(alias = "timeout")]
pub const fn within(limit: Duration) -> Within {
    Within(limit)
}

/// See [`within`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Within(Duration);

impl Stop for Within {
    type Ends = Bounded;

    fn stop(&self, state: &State) -> bool {
        let next = state.elapsed().saturating_add(state.delay());
        noting(state, StopReason::Time, next >= self.0)
    }

    fn limits(&self, state: &State) -> Limits {
        Limits::none().with_remaining(self.0.saturating_sub(state.elapsed()))
    }
}

/// Gives up when the time since the start of the first attempt has reached `limit`, whatever
/// delay is coming: elapsed ≥ limit. So the last attempt may start one delay late. Prefer
/// [`within`], unless code that is replaced counted like this. `elapsed(0)` never retries.
///
/// ```
/// use retry::{State, Stop, stop};
/// use std::time::Duration;
///
/// let secs = Duration::from_secs;
/// let stop = stop::elapsed(secs(10));
/// assert!(!stop.stop(&State::new(1).with_elapsed(secs(9)).with_delay(secs(60))));
/// assert!(stop.stop(&State::new(1).with_elapsed(secs(10))));
/// ```
#[doc(alias = "max_elapsed_time")]
pub const fn elapsed(limit: Duration) -> Elapsed {
    Elapsed(limit)
}

/// See [`elapsed`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Elapsed(Duration);

impl Stop for Elapsed {
    type Ends = Bounded;

    fn stop(&self, state: &State) -> bool {
        noting(state, StopReason::Time, state.elapsed() >= self.0)
    }

    fn limits(&self, state: &State) -> Limits {
        Limits::none().with_remaining(self.0.saturating_sub(state.elapsed())).starting_late()
    }
}

/// Like [`within`], for an absolute time on the monotonic clock: gives up when now + the coming
/// delay ≥ `instant`, which may be a `tokio::time::Instant`. One that has passed never retries.
///
/// ```
/// use retry::{State, Stop, stop};
/// use std::time::{Duration, Instant};
///
/// let (now, secs) = (Instant::now(), Duration::from_secs);
/// let stop = stop::until(now + secs(10));
/// assert!(!stop.stop(&State::new(1).with_now(now).with_delay(secs(9))));
/// assert!(stop.stop(&State::new(1).with_now(now).with_delay(secs(10))));
/// ```
pub fn until(instant: impl IntoInstant) -> Until {
    Until(instant.into_instant())
}

/// What [`until`] takes: an `Instant`, of `std` or of tokio.
#[diagnostic::on_unimplemented(
    message = "`until` takes an `Instant`, not a `{Self}`",
    label = "not an `Instant`",
    note = "a limit counted from the start of the call is `within(duration)`",
    note = "one counted from elsewhere is `until(start + duration)`; a `SystemTime` jumps, and is no measure"
)]
pub trait IntoInstant {
    /// The instant.
    fn into_instant(self) -> Instant;
}

#[diagnostic::do_not_recommend]
impl<T: Into<Instant>> IntoInstant for T {
    fn into_instant(self) -> Instant {
        self.into()
    }
}

/// See [`until`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Until(Instant);

impl Until {
    fn remaining(self, state: &State) -> Option<Duration> {
        state.now().map(|now| self.0.saturating_duration_since(now))
    }
}

impl Stop for Until {
    type Ends = Bounded;

    fn stop(&self, state: &State) -> bool {
        // Without a clock there is no time to compare; giving up is the answer that ends.
        let over = self.remaining(state).is_none_or(|remaining| state.delay() >= remaining);
        noting(state, StopReason::Time, over)
    }

    fn limits(&self, state: &State) -> Limits {
        self.remaining(state).map_or(Limits::none(), |left| Limits::none().with_remaining(left))
    }
}
