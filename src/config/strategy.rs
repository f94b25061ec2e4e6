//! A configuration at work.

use core::time::Duration;

use retry_core::stop::{Attempts, Bounded, Limits, Or, Within};
use retry_core::{Delay, State, Stop, Wait, stop, wait};

use super::value::Jitter;

/// The stop strategy of a [`PolicyConfig`](super::PolicyConfig): its bounds, of which it has at
/// least one, joined with `|`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct ConfigStop {
    pub(super) attempts: Option<u32>,
    pub(super) within: Option<Duration>,
    /// As far as a stop can keep it.
    pub(super) deadline: Option<Duration>,
}

impl ConfigStop {
    fn either(self) -> Or<Option<Attempts>, Option<Within>> {
        let limit = match (self.within, self.deadline) {
            (Some(within), Some(deadline)) => Some(within.min(deadline)),
            (within, deadline) => within.or(deadline),
        };
        stop::or(self.attempts.map(stop::attempts), limit.map(stop::within))
    }
}

impl Stop for ConfigStop {
    type Ends = Bounded;

    fn stop(&self, state: &State) -> bool {
        self.either().stop(state)
    }

    fn limits(&self, state: &State) -> Limits {
        self.either().limits(state)
    }
}

/// The wait strategy of a [`PolicyConfig`](super::PolicyConfig): its backoff, capped, spread and
/// with its floor.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct ConfigWait {
    pub(super) backoff: Backoff,
    pub(super) cap: Option<Duration>,
    pub(super) floor: Option<Duration>,
    pub(super) jitter: Jitter,
}

/// What was given, so that a `step` left out still follows a `linear` that is overridden.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Backoff {
    Fixed(Duration),
    Linear { start: Duration, step: Option<Duration> },
    Exponential { base: Duration, factor: Option<f64> },
}

impl Wait for ConfigWait {
    fn delay(&self, state: &State) -> Delay {
        let delay = match self.backoff {
            Backoff::Fixed(delay) => wait::fixed(delay).delay(state),
            Backoff::Linear { start, step } => {
                wait::linear(start, step.unwrap_or(start)).delay(state)
            }
            Backoff::Exponential { base, factor } => {
                wait::exponential(base).factor(factor.unwrap_or(2.0)).delay(state)
            }
        };
        let delay = self.cap.map_or(delay, |cap| delay.capped(cap));
        let unspread = wait::by(|_: &State| delay);
        let delay = match self.jitter {
            Jitter::None => delay,
            Jitter::Full => unspread.full_jitter().delay(state),
            Jitter::Equal => unspread.equal_jitter().delay(state),
            Jitter::Factor(factor) => unspread.jitter_factor(factor).delay(state),
            Jitter::Additive(width) => unspread.jitter(width).delay(state),
        };
        self.floor.map_or(delay, |floor| delay.floored(floor))
    }

    fn least(&self, state: &State) -> Delay {
        self.delay(state)
    }
}
