//! The waits that are drawn.

use core::ops::Range;
use core::time::Duration;

use crate::strategy::delay::{Delay, scale};
use crate::strategy::state::State;
use crate::strategy::wait::Wait;

/// Drawn uniformly from a range each time: U(start, end). A range that ends before it starts
/// counts as the other way round, and an empty one is a fixed wait.
///
/// ```
/// use retry::{State, Wait, wait};
/// use std::time::Duration;
///
/// let secs = Duration::from_secs;
/// let drawn = wait::random(secs(1)..secs(3)).delay(&State::new(1)).total();
/// assert!(secs(1) <= drawn && drawn <= secs(3));
/// ```
pub fn random(range: Range<Duration>) -> Random {
    Random { least: range.start.min(range.end), most: range.start.max(range.end) }
}

/// See [`random`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Random {
    least: Duration,
    most: Duration,
}

impl Wait for Random {
    fn delay(&self, state: &State) -> Delay {
        Delay::between(draw(state.random(), self.least, self.most), self.most)
    }
}

/// Drawn uniformly from `base` to three times the value before, or to `cap` where that is less:
/// U(base, min(3·previous, cap)); the first from `base` to 3·`base`. A `cap` below the base counts
/// as the base.
///
/// This is the decorrelated jitter of Brooker, *Exponential Backoff and Jitter* (AWS
/// Architecture Blog, 2015), with one change: there the draw is cut off at the cap, which lets a
/// third of all clients wait exactly the cap; here the range ends at the cap. "The value before"
/// is this strategy's own, not a wait that the other side asked for.
///
/// ```
/// use retry::{State, Wait, wait};
/// use std::time::Duration;
///
/// let secs = Duration::from_secs;
/// let (wait, state) = (wait::decorrelated(secs(1), secs(5)), State::new(1).seeded(7));
/// let first = wait.delay(&state).total();
/// assert!(secs(1) <= first && first <= secs(3));
/// let second = wait.delay(&state).total();
/// assert!(secs(1) <= second && second <= (3 * first).min(secs(5)));
/// ```
pub const fn decorrelated(base: Duration, cap: Duration) -> Decorrelated {
    Decorrelated { base, cap }
}

/// See [`decorrelated`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Decorrelated {
    base: Duration,
    cap: Duration,
}

impl Wait for Decorrelated {
    fn delay(&self, state: &State) -> Delay {
        let Self { base, cap } = *self;
        state.with_memory(|memory| {
            let previous = memory.decorrelated(base, cap).unwrap_or(base);
            let most = previous.saturating_mul(3).min(cap).max(base);
            let value = draw(memory.random(), base, most);
            memory.set_decorrelated(base, cap, value);
            Delay::between(value, most)
        })
    }
}

/// What `random`, from 0 to 1, is in the range from `least` to `most`.
fn draw(random: f64, least: Duration, most: Duration) -> Duration {
    least.saturating_add(scale(most.saturating_sub(least), random)).min(most)
}
