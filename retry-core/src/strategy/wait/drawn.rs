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
        Delay::between(draw(state.random_spread(), self.least, self.most), self.most)
    }

    fn least(&self, state: &State) -> Delay {
        self.delay(state)
    }
}

/// Drawn uniformly from `base` to three times the value before, or to `cap` where that is less:
/// U(base, min(3·previous, cap)); the first from `base` to 3·`base`. A `cap` below the base counts
/// as the base. See [`factor`](Decorrelated::factor) for another number than three.
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
    Decorrelated { base, cap, factor: 3.0 }
}

/// See [`decorrelated`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct Decorrelated {
    base: Duration,
    cap: Duration,
    factor: f64,
}

impl Decorrelated {
    /// Draws up to `factor` times the value before instead of three times: U(base,
    /// min(factor·previous, cap)). One below 1 or not a number counts as 1: every wait is the base.
    ///
    /// ```
    /// use retry::{State, Wait, wait};
    /// use std::time::Duration;
    ///
    /// let secs = Duration::from_secs;
    /// let wait = wait::decorrelated(secs(1), secs(60)).factor(10);
    /// let first = wait.delay(&State::new(1).seeded(7));
    /// assert_eq!(first.most(), secs(10));
    /// ```
    pub fn factor(self, factor: impl Into<f64>) -> Self {
        Self { factor: factor.into(), ..self }
    }
}

impl Wait for Decorrelated {
    fn delay(&self, state: &State) -> Delay {
        let Self { base, cap, factor } = *self;
        // `max` also turns a NaN into 1, which would be no bound to know it by.
        let factor = factor.max(1.0);
        if state.is_ahead() {
            return Delay::between(base, cap.max(base));
        }
        state.spread();
        state.with_memory(|memory| {
            let previous = memory.decorrelated((base, cap, factor)).unwrap_or(base);
            let most = scale(previous, factor).min(cap).max(base);
            let value = draw(memory.random(), base, most);
            memory.set_decorrelated((base, cap, factor), value);
            Delay::between(value, most)
        })
    }

    fn least(&self, state: &State) -> Delay {
        self.delay(state)
    }
}

/// What `random`, from 0 to 1, is in the range from `least` to `most`.
fn draw(random: f64, least: Duration, most: Duration) -> Duration {
    least.saturating_add(scale(most.saturating_sub(least), random)).min(most)
}
