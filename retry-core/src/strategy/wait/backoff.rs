//! The waits that no chance plays a part in.

use core::time::Duration;

use crate::strategy::delay::{Delay, from_nanos, scale};
use crate::strategy::state::State;
use crate::strategy::wait::Wait;

/// No wait: the next attempt starts at once. An async call still yields to the executor.
///
/// ```
/// use retry::{State, Wait, wait};
///
/// assert!(wait::none().delay(&State::new(9)).total().is_zero());
/// ```
pub const fn none() -> Fixed {
    Fixed(Duration::ZERO)
}

/// The same wait every time.
///
/// ```
/// use retry::{State, Wait, wait};
/// use std::time::Duration;
///
/// let second = Duration::from_secs(1);
/// assert_eq!(wait::fixed(second).delay(&State::new(9)).total(), second);
/// ```
#[doc(alias = "constant")]
#[doc(alias = "delay")]
#[doc(alias = "interval")]
pub const fn fixed(delay: Duration) -> Fixed {
    Fixed(delay)
}

/// See [`fixed`] and [`none`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Fixed(Duration);

impl Wait for Fixed {
    fn delay(&self, _: &State) -> Delay {
        self.0.into()
    }

    fn least(&self, state: &State) -> Delay {
        self.delay(state)
    }
}

/// `start`, then `step` more each time: the n-th wait is start + step·(n − 1). Saturates at
/// [`Duration::MAX`].
///
/// ```
/// use retry::{State, Wait, wait};
/// use std::time::Duration;
///
/// let ms = Duration::from_millis;
/// let wait = wait::linear(ms(100), ms(50));
/// let waits = [1, 2, 3].map(|n| wait.delay(&State::new(n)).total());
/// assert_eq!(waits, [ms(100), ms(150), ms(200)]);
/// ```
pub const fn linear(start: Duration, step: Duration) -> Linear {
    Linear { start, step }
}

/// See [`linear`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Linear {
    start: Duration,
    step: Duration,
}

impl Wait for Linear {
    fn delay(&self, state: &State) -> Delay {
        self.start.saturating_add(self.step.saturating_mul(state.wait() - 1)).into()
    }

    fn least(&self, state: &State) -> Delay {
        self.delay(state)
    }
}

/// `base`, then twice as long each time: the n-th wait is base·2ⁿ⁻¹; see
/// [`factor`](Exponential::factor). Saturates at [`Duration::MAX`], and a base of zero stays
/// zero; put a [`cap`](Wait::cap) on it.
///
/// ```
/// use retry::{State, Wait, wait};
/// use std::time::Duration;
///
/// let ms = Duration::from_millis;
/// let wait = wait::exponential(ms(100)).cap(ms(350));
/// let waits = [1, 2, 3, 4].map(|n| wait.delay(&State::new(n)).total());
/// assert_eq!(waits, [ms(100), ms(200), ms(350), ms(350)]);
/// ```
#[doc(alias = "backoff")]
pub const fn exponential(base: Duration) -> Exponential {
    Exponential { base, factor: 2.0 }
}

/// See [`exponential`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct Exponential {
    base: Duration,
    factor: f64,
}

impl Exponential {
    /// Grows by `factor` each time instead of 2: the n-th wait is base·factorⁿ⁻¹. One below 1 or
    /// not a number counts as 1: every wait is the base.
    ///
    /// ```
    /// use retry::{State, Wait, wait};
    /// use std::time::Duration;
    ///
    /// let ms = Duration::from_millis;
    /// let wait = wait::exponential(ms(100)).factor(1.5);
    /// let waits = [1, 2, 3].map(|n| wait.delay(&State::new(n)).total());
    /// assert_eq!(waits, [ms(100), ms(150), ms(225)]);
    /// ```
    pub fn factor(self, factor: impl Into<f64>) -> Self {
        Self { factor: factor.into(), ..self }
    }
}

impl Wait for Exponential {
    fn delay(&self, state: &State) -> Delay {
        // `max` also turns a NaN into 1.
        let factor = self.factor.max(1.0).powf(f64::from(state.wait() - 1));
        scale(self.base, factor).into()
    }

    fn least(&self, state: &State) -> Delay {
        self.delay(state)
    }
}

/// `base` times the Fibonacci numbers: 1, 1, 2, 3, 5, 8, … Grows by about 1.6 each time. Saturates
/// at [`Duration::MAX`].
///
/// ```
/// use retry::{State, Wait, wait};
/// use std::time::Duration;
///
/// let wait = wait::fibonacci(Duration::from_secs(1));
/// let waits = [1, 2, 3, 4, 5, 6].map(|n| wait.delay(&State::new(n)).total().as_secs());
/// assert_eq!(waits, [1, 1, 2, 3, 5, 8]);
/// ```
pub const fn fibonacci(base: Duration) -> Fibonacci {
    Fibonacci(base)
}

/// See [`fibonacci`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Fibonacci(Duration);

impl Wait for Fibonacci {
    fn delay(&self, state: &State) -> Delay {
        // The 187th number no longer fits, and even one nanosecond times it is beyond any
        // duration, so the loop is short whatever the wait.
        let (mut a, mut b) = (1_u128, 1_u128);
        for _ in 1..state.wait().min(186) {
            (a, b) = (b, a.saturating_add(b));
        }
        from_nanos(self.0.as_nanos().saturating_mul(a)).into()
    }

    fn least(&self, state: &State) -> Delay {
        self.delay(state)
    }
}

/// The delays as listed, the last one repeated. An empty list waits not at all. Takes an array, a
/// slice or a `Vec`.
///
/// ```
/// use retry::{State, Wait, wait};
/// use std::time::Duration;
///
/// let wait = wait::sequence([1, 5, 30].map(Duration::from_secs));
/// let waits = [1, 2, 3, 4].map(|n| wait.delay(&State::new(n)).total().as_secs());
/// assert_eq!(waits, [1, 5, 30, 30]);
/// ```
pub const fn sequence<S: AsRef<[Duration]>>(delays: S) -> Sequence<S> {
    Sequence(delays)
}

/// See [`sequence`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Sequence<S>(S);

impl<S: AsRef<[Duration]>> Wait for Sequence<S> {
    fn delay(&self, state: &State) -> Delay {
        let delays = self.0.as_ref();
        let index = usize::try_from(state.wait() - 1).unwrap_or(usize::MAX);
        delays.get(index).or(delays.last()).copied().unwrap_or_default().into()
    }

    fn least(&self, state: &State) -> Delay {
        self.delay(state)
    }
}
