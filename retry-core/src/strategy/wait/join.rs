//! Two wait strategies as one.

use core::ops::Add;

use crate::strategy::delay::Delay;
use crate::strategy::state::State;
use crate::strategy::wait::{
    By, Cap, Decorrelated, EqualJitter, Exponential, Fibonacci, Fixed, Floor, FullJitter, IntoWait,
    Jitter, JitterFactor, Linear, Random, Sequence, Wait,
};

/// Both delays, one after the other; see [`add`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Sum<A, B>(A, B);

/// `a + b` for any two strategies or functions. Each keeps its own cap and jitter; floors add.
/// Saturates at [`Duration::MAX`](core::time::Duration::MAX).
///
/// ```
/// use retry::{State, Wait, wait};
/// use std::time::Duration;
///
/// let ms = Duration::from_millis;
/// let wait = wait::add(wait::exponential(ms(100)).cap(ms(150)), |_: &State| ms(5));
/// let waits = [1, 2, 3].map(|n| wait.delay(&State::new(n)).total());
/// assert_eq!(waits, [ms(105), ms(155), ms(155)]);
/// ```
pub fn add<A: IntoWait<M>, B: IntoWait<N>, M, N>(a: A, b: B) -> Sum<A::Wait, B::Wait> {
    Sum(a.into_wait(), b.into_wait())
}

impl<A: Wait, B: Wait> Wait for Sum<A, B> {
    fn delay(&self, state: &State) -> Delay {
        self.0.delay(state).plus(self.1.delay(state))
    }

    fn least(&self, state: &State) -> Delay {
        self.0.least(state).plus(self.1.least(state))
    }
}

/// See [`Wait::max`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Max<A, B>(pub(super) A, pub(super) B);

impl<A: Wait, B: Wait> Wait for Max<A, B> {
    fn delay(&self, state: &State) -> Delay {
        self.0.delay(state).longer(self.1.delay(state))
    }

    fn least(&self, state: &State) -> Delay {
        self.0.least(state).longer(self.1.least(state))
    }
}

/// See [`Wait::min`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Min<A, B>(pub(super) A, pub(super) B);

impl<A: Wait, B: Wait> Wait for Min<A, B> {
    fn delay(&self, state: &State) -> Delay {
        self.0.delay(state).shorter(self.1.delay(state))
    }

    fn least(&self, state: &State) -> Delay {
        self.0.least(state).shorter(self.1.least(state))
    }
}

/// See [`Wait::throttled`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Throttled<A, B>(pub(super) A, pub(super) B);

impl<A: Wait, B: Wait> Wait for Throttled<A, B> {
    fn delay(&self, state: &State) -> Delay {
        state.among_alike(|state| {
            if state.verdict().is_throttled() { self.1.delay(state) } else { self.0.delay(state) }
        })
    }
}

/// See [`Wait::unless_hinted`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct UnlessHinted<W>(pub(super) W);

impl<W: Wait> Wait for UnlessHinted<W> {
    fn delay(&self, state: &State) -> Delay {
        if state.verdict().hint().is_none() {
            return self.0.delay(state);
        }
        state.replace(|aside| {
            self.0.delay(aside);
        });
        Delay::ZERO
    }
}

/// A strategy for the first few waits, which lacks what comes after: see [`Wait::times`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "say what follows: `.then(next)`"]
pub struct Times<A> {
    pub(super) first: A,
    pub(super) times: u32,
}

impl<A: Wait> Times<A> {
    /// What follows the first few waits. For `next` the waits are numbered from 1 again.
    ///
    /// ```
    /// use retry::{State, Wait, wait};
    /// use std::time::Duration;
    ///
    /// let ms = Duration::from_millis;
    /// let wait = wait::fixed(ms(1)).times(2).then(wait::exponential(ms(100)));
    /// let waits = [1, 2, 3, 4].map(|n| wait.delay(&State::new(n)).total());
    /// assert_eq!(waits, [ms(1), ms(1), ms(100), ms(200)]);
    /// ```
    pub fn then<B: IntoWait<N>, N>(self, next: B) -> Then<A, B::Wait> {
        Then { first: self.first, times: self.times, next: next.into_wait() }
    }
}

/// See [`Times::then`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Then<A, B> {
    first: A,
    times: u32,
    next: B,
}

impl<A: Wait, B: Wait> Wait for Then<A, B> {
    fn delay(&self, state: &State) -> Delay {
        if state.wait() <= self.times {
            self.first.delay(state)
        } else {
            state.past_waits(self.times, |state| self.next.delay(state))
        }
    }

    fn least(&self, state: &State) -> Delay {
        if state.wait() <= self.times {
            self.first.least(state)
        } else {
            state.past_waits(self.times, |state| self.next.least(state))
        }
    }
}

macro_rules! plus {
    ($($strategy:ident $(<$($param:ident),+>)?),* $(,)?) => {$(
        impl<$($($param,)+)? Rhs: Wait> Add<Rhs> for $strategy$(<$($param),+>)? {
            type Output = Sum<Self, Rhs>;

            fn add(self, rhs: Rhs) -> Self::Output {
                Sum(self, rhs)
            }
        }
    )*};
}

plus!(
    Fixed, Linear, Exponential, Fibonacci, Random, Decorrelated, Sequence<S>, By<F>, Sum<A, B>,
    Max<A, B>, Min<A, B>, Throttled<A, B>, Then<A, B>, Cap<W>, Floor<W>, FullJitter<W>,
    EqualJitter<W>, Jitter<W>, JitterFactor<W>, UnlessHinted<W>,
);
