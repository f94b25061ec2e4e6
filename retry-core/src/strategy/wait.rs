//! How long to wait: the [`Wait`] strategies, their shapers and combinators.
//!
//! In an attribute they need no import:
//! `wait = exponential(100ms).cap(10s).full_jitter()`. As values:
//!
//! ```
//! use retry::{State, Wait, wait};
//! use std::time::Duration;
//!
//! let ms = Duration::from_millis;
//! let wait = wait::exponential(ms(100)).cap(ms(300)) + wait::fixed(ms(5));
//! assert_eq!(wait.delay(&State::new(1)).total(), ms(105));
//! assert_eq!(wait.delay(&State::new(9)).total(), ms(305));
//! ```

use core::fmt;
use core::marker::PhantomData;
use core::ops::{Add, Range};
use core::time::Duration;

use crate::strategy::delay::{Delay, from_nanos, scale};
pub use crate::strategy::shapers::{Cap, EqualJitter, Floor, FullJitter, Jitter, JitterFactor};
use crate::strategy::state::State;

/// How long to wait before the next attempt.
///
/// Asked once after every failed attempt. A type of your own needs [`delay`](Self::delay) and
/// gets the shapers and combinators below. It is shared between calls, so what it must remember
/// of a call it finds in the [`State`].
///
/// ```
/// use retry::{Delay, State, Wait};
/// use std::time::Duration;
///
/// struct Quadratic(Duration);
///
/// impl Wait for Quadratic {
///     fn delay(&self, state: &State) -> Delay {
///         let n = state.wait();
///         self.0.saturating_mul(n.saturating_mul(n)).into()
///     }
/// }
/// let wait = Quadratic(Duration::from_millis(10)).cap(Duration::from_millis(50));
/// assert_eq!(wait.delay(&State::new(2)).total(), Duration::from_millis(40));
/// assert_eq!(wait.delay(&State::new(3)).total(), Duration::from_millis(50));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say how long to wait",
    label = "not a wait strategy",
    note = "write `fixed(duration)`, `exponential(base)`, `none()`, …"
)]
pub trait Wait {
    /// The delay before the next attempt.
    fn delay(&self, state: &State) -> Delay;

    /// Waits at most `cap`, without losing jitter: delays that could be longer are scaled by
    /// `cap` over the longest they could have been, not cut off at it. So it may stand before
    /// or after a jitter. Additive [`jitter`](Self::jitter) comes on top, and a
    /// [`floor`](Self::floor) above the cap beats it. A cap of zero waits only those two.
    fn cap(self, cap: Duration) -> Cap<Self>
    where
        Self: Sized,
    {
        Cap::new(self, cap)
    }

    /// Waits at least `floor`, whatever the cap, the jitter and the rest say.
    fn floor(self, floor: Duration) -> Floor<Self>
    where
        Self: Sized,
    {
        Floor::new(self, floor)
    }

    /// Draws uniformly from zero to the delay: the widest spread. (Full jitter in Brooker,
    /// *Exponential Backoff and Jitter*, AWS Architecture Blog, 2015.)
    fn full_jitter(self) -> FullJitter<Self>
    where
        Self: Sized,
    {
        FullJitter::new(self)
    }

    /// Draws uniformly from half the delay to the delay. (Equal jitter, same source.)
    fn equal_jitter(self) -> EqualJitter<Self>
    where
        Self: Sized,
    {
        EqualJitter::new(self)
    }

    /// Adds a part drawn uniformly from zero to `width`. It may exceed a cap by its width, and
    /// it also spreads the waits that the other side asked for.
    fn jitter(self, width: Duration) -> Jitter<Self>
    where
        Self: Sized,
    {
        Jitter::new(self, width)
    }

    /// Multiplies the delay by a number drawn uniformly from `1 - factor` to 1: with 0.2, it
    /// comes up to 20 % early. A factor below 0 or not a number counts as 0 (no jitter), one
    /// above 1 as 1 (full jitter).
    fn jitter_factor(self, factor: impl Into<f64>) -> JitterFactor<Self>
    where
        Self: Sized,
    {
        JitterFactor::new(self, factor.into())
    }

    /// The longer of the two delays.
    fn max<B: IntoWait<N>, N>(self, other: B) -> Max<Self, B::Wait>
    where
        Self: Sized,
    {
        Max(self, other.into_wait())
    }

    /// The shorter of the two delays.
    fn min<B: IntoWait<N>, N>(self, other: B) -> Min<Self, B::Wait>
    where
        Self: Sized,
    {
        Min(self, other.into_wait())
    }

    /// Asks `other` instead after an attempt whose verdict was
    /// [`throttled`](crate::Verdict::throttled).
    fn throttled<B: IntoWait<N>, N>(self, other: B) -> Throttled<Self, B::Wait>
    where
        Self: Sized,
    {
        Throttled(self, other.into_wait())
    }

    /// Uses this strategy for the first `times` waits; say with [`Times::then`] what follows.
    fn times(self, times: u32) -> Times<Self>
    where
        Self: Sized,
    {
        Times { first: self, times }
    }
}

/// No wait: the next attempt starts at once. An async call still yields to the executor.
pub const fn none() -> Fixed {
    Fixed(Duration::ZERO)
}

/// The same wait every time.
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
}

/// `start`, then `step` more each time: start + step·(n − 1) before attempt n + 1. Saturates.
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
}

/// `base`, then twice as long each time: base·2ⁿ⁻¹ before attempt n + 1; see
/// [`factor`](Exponential::factor). Saturates at [`Duration::MAX`], and a base of zero stays
/// zero; put a [`cap`](Wait::cap) on it.
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
    /// Grows by `factor` each time instead of 2. One below 1 or not a number counts as 1: every
    /// wait is the base.
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
}

/// `base` times the Fibonacci numbers: 1, 1, 2, 3, 5, 8, … Saturates.
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
        // duration, so the loop is short whatever the attempt.
        let (mut a, mut b) = (1_u128, 1_u128);
        for _ in 1..state.wait().min(186) {
            (a, b) = (b, a.saturating_add(b));
        }
        from_nanos(self.0.as_nanos().saturating_mul(a)).into()
    }
}

/// Drawn uniformly from a range each time. A range that ends before it starts counts as the
/// other way round.
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

/// Drawn uniformly from `base` to three times the value before, or to `cap` where that is less;
/// the first from `base` to 3·`base`. A `cap` below the base counts as the base.
///
/// This is the decorrelated jitter of Brooker, *Exponential Backoff and Jitter* (AWS
/// Architecture Blog, 2015), with one change: there the draw is cut off at the cap, which lets a
/// third of all clients wait exactly the cap; here the range ends at the cap. "The value before"
/// is this strategy's own, not a wait that the other side asked for.
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

/// The delays as listed, the last one repeated: `sequence([1s, 5s, 30s])`. An empty list waits
/// not at all. Takes an array, a slice or a `Vec`.
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
}

/// What a function that serves as a wait strategy may return: a `Duration`, or a [`Delay`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no delay",
    label = "a function in `wait` must return a `Duration`",
    note = "return a `std::time::Duration`, for example `Duration::from_millis(100)` or `100ms`"
)]
pub trait IntoDelay {
    /// The delay it stands for.
    fn into_delay(self) -> Delay;
}

impl IntoDelay for Duration {
    fn into_delay(self) -> Delay {
        self.into()
    }
}

impl IntoDelay for Delay {
    fn into_delay(self) -> Self {
        self
    }
}

/// Asks `f`, which returns a `Duration` (or a [`Delay`]). In an attribute a closure or the path
/// of a function needs no `by`.
pub const fn by<F, D>(f: F) -> By<F>
where
    F: Fn(&State) -> D,
    D: IntoDelay,
{
    By(f)
}

/// See [`by`].
#[derive(Clone, Copy)]
#[must_use]
pub struct By<F>(F);

impl<F, D> Wait for By<F>
where
    F: Fn(&State) -> D,
    D: IntoDelay,
{
    fn delay(&self, state: &State) -> Delay {
        (self.0)(state).into_delay()
    }
}

impl<F> fmt::Debug for By<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("By(..)")
    }
}

/// Both delays, one after the other; see [`add`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Sum<A, B>(A, B);

/// `a + b` for any two strategies or functions. Each keeps its own cap and jitter; floors add.
pub fn add<A: IntoWait<M>, B: IntoWait<N>, M, N>(a: A, b: B) -> Sum<A::Wait, B::Wait> {
    Sum(a.into_wait(), b.into_wait())
}

impl<A: Wait, B: Wait> Wait for Sum<A, B> {
    fn delay(&self, state: &State) -> Delay {
        self.0.delay(state).plus(self.1.delay(state))
    }
}

/// See [`Wait::max`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Max<A, B>(A, B);

impl<A: Wait, B: Wait> Wait for Max<A, B> {
    fn delay(&self, state: &State) -> Delay {
        self.0.delay(state).longer(self.1.delay(state))
    }
}

/// See [`Wait::min`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Min<A, B>(A, B);

impl<A: Wait, B: Wait> Wait for Min<A, B> {
    fn delay(&self, state: &State) -> Delay {
        self.0.delay(state).shorter(self.1.delay(state))
    }
}

/// See [`Wait::throttled`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Throttled<A, B>(A, B);

impl<A: Wait, B: Wait> Wait for Throttled<A, B> {
    fn delay(&self, state: &State) -> Delay {
        if state.verdict().is_throttled() { self.1.delay(state) } else { self.0.delay(state) }
    }
}

/// A strategy for the first few waits, which lacks what comes after: see [`Wait::times`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "say what follows: `.then(next)`"]
pub struct Times<A> {
    first: A,
    times: u32,
}

impl<A: Wait> Times<A> {
    /// What follows the first few waits. For `next` the waits are numbered
    /// from 1 again.
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
        match state.wait().checked_sub(self.times) {
            None | Some(0) => self.first.delay(state),
            Some(wait) => state.as_wait(wait, |state| self.next.delay(state)),
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
    EqualJitter<W>, Jitter<W>, JitterFactor<W>,
);

macro_rules! wait_through {
    ($($pointer:ty),*) => {$(
        impl<W: Wait + ?Sized> Wait for $pointer {
            fn delay(&self, state: &State) -> Delay {
                (**self).delay(state)
            }
        }
    )*};
}

wait_through!(&W, Box<W>, std::rc::Rc<W>, std::sync::Arc<W>);

/// A wait strategy, or a function that can serve as one. `Kind` only tells the two apart.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say how long to wait",
    label = "neither a wait strategy nor a function of `&State`",
    note = "write `fixed(duration)`, `exponential(base)`, `none()`, …, or a closure `|state| …` that returns a `Duration`",
    note = "`times(n)` needs a `.then(next)` after it"
)]
pub trait IntoWait<Kind> {
    /// The strategy it becomes.
    type Wait: Wait;

    /// Makes it a strategy.
    fn into_wait(self) -> Self::Wait;
}

/// Marks what already is a strategy.
#[derive(Debug)]
pub struct IsStrategy(());

/// Marks a function that returns `D`.
#[derive(Debug)]
pub struct IsFunction<D>(PhantomData<D>);

impl<W: Wait> IntoWait<IsStrategy> for W {
    type Wait = W;

    fn into_wait(self) -> W {
        self
    }
}

impl<F, D> IntoWait<IsFunction<D>> for F
where
    F: Fn(&State) -> D,
    D: IntoDelay,
{
    type Wait = By<F>;

    fn into_wait(self) -> By<F> {
        by(self)
    }
}
