//! A configuration at work.

use core::time::Duration;

use retry_core::stop::{Attempts, Bounded, Or, Within};
use retry_core::{Delay, State, Stop, StopReason, Wait, stop, wait};

use super::value::Jitter;
use super::{Backoff, PolicyConfig};

/// The stop strategy of a [`PolicyConfig`]; see [`PolicyConfig::stop`]. It has at least one bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct ConfigStop(Or<Option<Attempts>, Option<Within>>);

impl ConfigStop {
    pub(super) fn new(attempts: Option<u32>, within: Option<Duration>) -> Self {
        Self(stop::or(attempts.map(stop::attempts), within.map(stop::within)))
    }
}

impl Stop for ConfigStop {
    type Ends = Bounded;

    fn stop(&self, state: &State) -> bool {
        self.0.stop(state)
    }

    fn reason(&self, state: &State) -> Option<StopReason> {
        self.0.reason(state)
    }

    fn remaining(&self, state: &State) -> Option<Duration> {
        self.0.remaining(state)
    }
}

/// The wait strategy of a [`PolicyConfig`]; see [`PolicyConfig::wait`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct ConfigWait {
    backoff: Backoff,
    cap: Option<Duration>,
    floor: Option<Duration>,
    jitter: Jitter,
}

impl ConfigWait {
    pub(super) fn new(config: &PolicyConfig) -> Self {
        let PolicyConfig { backoff, cap, floor, jitter, .. } = *config;
        Self { backoff, cap, floor, jitter }
    }
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
}
