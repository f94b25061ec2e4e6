//! How long to wait: the [`Wait`] strategies, their shapers and what joins them.
//!
//! | strategy | the n-th wait |
//! |---|---|
//! | [`none()`](none) | 0 |
//! | [`fixed(d)`](fixed) | d |
//! | [`linear(start, step)`](linear) | start + step·(n − 1) |
//! | [`exponential(base)`](exponential)[`.factor(f)`](Exponential::factor) | base·fⁿ⁻¹, f = 2 unless given |
//! | [`fibonacci(base)`](fibonacci) | base · 1, 1, 2, 3, 5, … |
//! | [`random(a..b)`](random) | U(a, b) |
//! | [`decorrelated(base, cap)`](decorrelated)[`.factor(f)`](Decorrelated::factor) | U(base, min(f·the one before, cap)), f = 3 unless given |
//! | [`sequence([a, b, …])`](sequence) | as listed, the last repeated |
//! | [`by(f)`](by) | what f says |
//! | **joined** | |
//! | `a + b`, [`add(a, b)`](add) | both, one after the other |
//! | [`a.max(b)`](Wait::max), [`a.min(b)`](Wait::min) | the longer, the shorter |
//! | [`a.throttled(b)`](Wait::throttled) | b after a throttled verdict, else a |
//! | [`a.unless_hinted()`](Wait::unless_hinted) | a, unless the other side has asked for a wait |
//! | [`a.times(k)`](Wait::times)[`.then(b)`](Times::then) | a for k waits, then b from its first |
//! | **shaped** | of a wait of v |
//! | [`.cap(d)`](Wait::cap) | at most d, jitter kept |
//! | [`.floor(d)`](Wait::floor) | at least d, which beats the cap |
//! | [`.full_jitter()`](Wait::full_jitter) | U(0, v) |
//! | [`.equal_jitter()`](Wait::equal_jitter) | v/2 + U(0, v/2) |
//! | [`.jitter(d)`](Wait::jitter) | v + U(0, d) |
//! | [`.jitter_factor(f)`](Wait::jitter_factor) | v · U(1 − f, 1) |
//!
//! U(a, b) is drawn uniformly from a to b. In an attribute they need no import:
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
//!
//! Zero is a fine delay. All arithmetic saturates.

use core::fmt;
use core::time::Duration;

mod backoff;
mod drawn;
mod join;
mod shapers;

pub use self::backoff::{
    Exponential, Fibonacci, Fixed, Linear, Sequence, exponential, fibonacci, fixed, linear, none,
    sequence,
};
pub use self::drawn::{Decorrelated, Random, decorrelated, random};
pub use self::join::{Max, Min, Sum, Then, Throttled, Times, UnlessHinted, add};
pub use self::shapers::{Cap, EqualJitter, Floor, FullJitter, Jitter, JitterFactor};
use crate::strategy::boxed::Boxed;
use crate::strategy::delay::Delay;
use crate::strategy::kind::{IsFunction, IsValue};
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
    note = "write `wait::fixed(duration)`, `wait::exponential(base)`, `wait::none()`, …"
)]
#[doc(alias = "backoff")]
#[doc(alias = "delay")]
#[doc(alias = "jitter")]
pub trait Wait {
    /// The delay before the next attempt.
    fn delay(&self, state: &State) -> Delay;

    /// The least that [`delay`](Self::delay) may answer with in this state, which draws the lowest of all
    /// random numbers: by it a call knows in the middle of an attempt that the time leaves room for no
    /// other one ([`is_last`](crate::Current::is_last)). Nobody waits for it, and it is asked more often than
    /// there are waits, so it must note nothing.
    ///
    /// Zero unless a type says more.
    fn least(&self, state: &State) -> Delay {
        let _ = state;
        Delay::ZERO
    }

    /// Waits at most `cap`, without losing jitter: delays that could be longer are scaled by
    /// `cap` over the longest they could have been, not cut off at it. So it may stand before
    /// or after a jitter. Additive [`jitter`](Self::jitter) comes on top, and a
    /// [`floor`](Self::floor) above the cap beats it. A cap of zero waits only those two.
    ///
    /// ```
    /// use retry::{State, Wait, wait};
    /// use std::time::Duration;
    ///
    /// let secs = Duration::from_secs;
    /// let wait = wait::exponential(secs(1)).full_jitter().cap(secs(4));
    /// let waits: Vec<_> = (0..20).map(|seed| wait.delay(&State::new(9).seeded(seed)).total()).collect();
    /// assert!(waits.iter().all(|wait| *wait <= secs(4)));
    /// assert!(waits.iter().filter(|wait| **wait < secs(2)).count() > 5, "still spread out");
    /// ```
    #[doc(alias = "max_delay")]
    #[doc(alias = "max_interval")]
    fn cap(self, cap: Duration) -> Cap<Self>
    where
        Self: Sized,
    {
        Cap::new(self, cap)
    }

    /// Waits at least `floor`, whatever the cap, the jitter and the rest say.
    ///
    /// ```
    /// use retry::{State, Wait, wait};
    /// use std::time::Duration;
    ///
    /// let ms = Duration::from_millis;
    /// let wait = wait::exponential(ms(10)).floor(ms(30)).cap(ms(20));
    /// assert_eq!(wait.delay(&State::new(1)).total(), ms(30));
    /// ```
    fn floor(self, floor: Duration) -> Floor<Self>
    where
        Self: Sized,
    {
        Floor::new(self, floor)
    }

    /// Draws uniformly from zero to the delay, U(0, v): the widest spread. (Full jitter in Brooker,
    /// *Exponential Backoff and Jitter*, AWS Architecture Blog, 2015.)
    ///
    /// ```
    /// use retry::{State, Wait, wait};
    /// use std::time::Duration;
    ///
    /// let second = Duration::from_secs(1);
    /// let drawn = wait::fixed(second).full_jitter().delay(&State::new(1)).total();
    /// assert!(drawn <= second);
    /// ```
    fn full_jitter(self) -> FullJitter<Self>
    where
        Self: Sized,
    {
        FullJitter::new(self)
    }

    /// Draws uniformly from half the delay to the delay, v/2 + U(0, v/2). (Equal jitter, same
    /// source.)
    ///
    /// ```
    /// use retry::{State, Wait, wait};
    /// use std::time::Duration;
    ///
    /// let ms = Duration::from_millis;
    /// let drawn = wait::fixed(ms(100)).equal_jitter().delay(&State::new(1)).total();
    /// assert!(ms(50) <= drawn && drawn <= ms(100));
    /// ```
    fn equal_jitter(self) -> EqualJitter<Self>
    where
        Self: Sized,
    {
        EqualJitter::new(self)
    }

    /// Adds a part drawn uniformly from zero to `width`, v + U(0, width). It may exceed a cap by its
    /// width, and it also spreads the waits that the other side asked for.
    ///
    /// ```
    /// use retry::{State, Wait, wait};
    /// use std::time::Duration;
    ///
    /// let ms = Duration::from_millis;
    /// let drawn = wait::fixed(ms(100)).jitter(ms(20)).cap(ms(100)).delay(&State::new(1)).total();
    /// assert!(ms(100) <= drawn && drawn <= ms(120));
    /// ```
    fn jitter(self, width: Duration) -> Jitter<Self>
    where
        Self: Sized,
    {
        Jitter::new(self, width)
    }

    /// Multiplies the delay by a number drawn uniformly from `1 - factor` to 1, v · U(1 − f, 1):
    /// with 0.2, it comes up to 20 % early. A factor below 0 or not a number counts as 0 (no
    /// jitter), one above 1 as 1 (full jitter).
    ///
    /// ```
    /// use retry::{State, Wait, wait};
    /// use std::time::Duration;
    ///
    /// let ms = Duration::from_millis;
    /// let drawn = wait::fixed(ms(100)).jitter_factor(0.2).delay(&State::new(1)).total();
    /// assert!(ms(80) <= drawn && drawn <= ms(100));
    /// ```
    fn jitter_factor(self, factor: impl Into<f64>) -> JitterFactor<Self>
    where
        Self: Sized,
    {
        JitterFactor::new(self, factor.into())
    }

    /// The longer of the two delays. Of their caps and floors the greater counts.
    ///
    /// ```
    /// use retry::{State, Wait, wait};
    /// use std::time::Duration;
    ///
    /// let ms = Duration::from_millis;
    /// let wait = wait::exponential(ms(100)).max(wait::fixed(ms(150)));
    /// let waits = [1, 2].map(|n| wait.delay(&State::new(n)).total());
    /// assert_eq!(waits, [ms(150), ms(200)]);
    /// ```
    fn max<B: IntoWait<N>, N>(self, other: B) -> Max<Self, B::Wait>
    where
        Self: Sized,
    {
        Max(self, other.into_wait())
    }

    /// The shorter of the two delays, with its own floor.
    ///
    /// ```
    /// use retry::{State, Wait, wait};
    /// use std::time::Duration;
    ///
    /// let ms = Duration::from_millis;
    /// let wait = wait::exponential(ms(100)).min(|_: &State| ms(150));
    /// let waits = [1, 2].map(|n| wait.delay(&State::new(n)).total());
    /// assert_eq!(waits, [ms(100), ms(150)]);
    /// ```
    fn min<B: IntoWait<N>, N>(self, other: B) -> Min<Self, B::Wait>
    where
        Self: Sized,
    {
        Min(self, other.into_wait())
    }

    /// Asks `other` instead after an attempt whose verdict was
    /// [`throttled`](crate::Verdict::throttled). Each counts its own waits: five throttled failures
    /// do not lengthen what the first of the others is waited for.
    ///
    /// ```
    /// use retry::{State, Verdict, Wait, wait};
    /// use std::time::Duration;
    ///
    /// let secs = Duration::from_secs;
    /// let wait = wait::fixed(secs(1)).throttled(wait::fixed(secs(30)));
    /// let throttled = State::new(1).with_verdict(Verdict::Retry.throttled());
    /// assert_eq!(wait.delay(&State::new(1)).total(), secs(1));
    /// assert_eq!(wait.delay(&throttled).total(), secs(30));
    /// ```
    ///
    /// Waits before `first.times(n).then(…)` has come to its `then` do not count for a `throttled`
    /// in there, as far as n is at most 64.
    fn throttled<B: IntoWait<N>, N>(self, other: B) -> Throttled<Self, B::Wait>
    where
        Self: Sized,
    {
        Throttled(self, other.into_wait())
    }

    /// Waits for this only where the other side has not asked for a wait: one that it has asked for
    /// ([`retry_after`](crate::Verdict::retry_after)) is waited in place of this, however much longer this
    /// would be. It does not count for the backoff, which goes on afterwards where it was.
    ///
    /// Without it a hint is a floor, and the longer of the two is waited. Either way the hint must be one
    /// that `max_hint` and the remaining time allow, and is spread upward by up to a tenth where this
    /// strategy spreads its waits.
    ///
    /// ```
    /// use retry::{State, Verdict, Wait, wait};
    /// use std::time::Duration;
    ///
    /// let secs = Duration::from_secs;
    /// let wait = wait::fixed(secs(30)).unless_hinted();
    /// let hinted = State::new(1).with_verdict(Verdict::Retry.retry_after(secs(2)));
    /// assert_eq!(wait.delay(&State::new(1)).total(), secs(30));
    /// // The two seconds are added by the call, as the least that it waits.
    /// assert_eq!(wait.delay(&hinted).total(), secs(0));
    /// ```
    fn unless_hinted(self) -> UnlessHinted<Self>
    where
        Self: Sized,
    {
        UnlessHinted(self)
    }

    /// Uses this strategy for the first `times` waits; say with [`Times::then`] what follows. With
    /// zero, that alone is used.
    ///
    /// ```
    /// use retry::{State, Wait, wait};
    /// use std::time::Duration;
    ///
    /// let secs = Duration::from_secs;
    /// let wait = wait::none().times(1).then(wait::fixed(secs(1)));
    /// let waits = [1, 2, 3].map(|n| wait.delay(&State::new(n)).total());
    /// assert_eq!(waits, [secs(0), secs(1), secs(1)]);
    /// ```
    fn times(self, times: u32) -> Times<Self>
    where
        Self: Sized,
    {
        Times { first: self, times }
    }
}

/// What a function that serves as a wait strategy may answer with: a `Duration`, a [`Delay`], a
/// strategy that is asked in its turn, or an `Option` of one of them.
///
/// `None` ends the call, with the reason [`Custom`](crate::StopReason::Custom) unless `stop` has one
/// too. It does so wherever in a strategy it is answered.
///
/// ```
/// use retry::{Policy, on, stop, wait};
/// use std::time::Duration;
///
/// let twice = wait::by(|state| (state.attempt() <= 2).then_some(Duration::ZERO));
/// let policy = Policy::new(stop::attempts(9), twice, on::any_error());
/// let mut calls = 0;
/// let outcome = policy.call(|| {
///     calls += 1;
///     Err::<(), _>("busy")
/// });
/// assert_eq!((outcome, calls), (Err("busy"), 3));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say how long to wait",
    label = "a function in `wait` answers with a `Duration`, a strategy, or an `Option` of one",
    note = "answer for example `100ms`, `Duration::from_millis(100)` or `exponential(100ms)`; `None` ends the call"
)]
pub trait IntoDelay {
    /// The delay it stands for in this state, or `None` if there shall be no other attempt.
    fn into_delay(self, state: &State) -> Option<Delay>;
}

impl IntoDelay for Duration {
    fn into_delay(self, _: &State) -> Option<Delay> {
        Some(self.into())
    }
}

impl IntoDelay for Delay {
    fn into_delay(self, _: &State) -> Option<Delay> {
        Some(self)
    }
}

#[diagnostic::do_not_recommend]
impl<W: Wait> IntoDelay for W {
    fn into_delay(self, state: &State) -> Option<Delay> {
        Some(self.delay(state))
    }
}

impl<D: IntoDelay> IntoDelay for Option<D> {
    fn into_delay(self, state: &State) -> Option<Delay> {
        self?.into_delay(state)
    }
}

/// Asks `f`, which answers with a `Duration`, or whatever else is [`IntoDelay`]. In an attribute a
/// closure or the path of a function needs no `by`.
///
/// ```
/// use retry::{State, Wait, wait};
/// use std::time::Duration;
///
/// let quadratic = wait::by(|state| Duration::from_millis(10) * state.wait().pow(2));
/// let waits = [1, 2, 3].map(|n| quadratic.delay(&State::new(n)).total().as_millis());
/// assert_eq!(waits, [10, 40, 90]);
/// ```
pub const fn by<F, D>(f: F) -> By<F>
where
    F: Fn(&State) -> D,
    D: IntoDelay,
{
    By { f, ask: |f, state| state.answered(f(state).into_delay(state)) }
}

/// See [`by`].
///
/// How to ask is settled where it is made, so that it is a strategy whatever `F` is: a function that
/// cannot serve is complained of once.
#[derive(Clone, Copy)]
#[must_use]
pub struct By<F> {
    f: F,
    ask: fn(&F, &State) -> Delay,
}

impl<F> Wait for By<F> {
    fn delay(&self, state: &State) -> Delay {
        (self.ask)(&self.f, state)
    }
}

impl<F> fmt::Debug for By<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("By(..)")
    }
}

macro_rules! wait_through {
    ($($pointer:ty),*) => {$(
        impl<W: Wait + ?Sized> Wait for $pointer {
            fn delay(&self, state: &State) -> Delay {
                (**self).delay(state)
            }

            fn least(&self, state: &State) -> Delay {
                (**self).least(state)
            }
        }
    )*};
}

wait_through!(&W, Box<W>, std::rc::Rc<W>, std::sync::Arc<W>, Boxed<W>);

/// A wait strategy, or a function that can serve as one. `Kind` only tells the two apart.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say how long to wait",
    label = "neither a wait strategy nor a function of `&State` that answers with a `Duration`",
    note = "write `fixed(duration)`, `exponential(base)`, `none()`, …, or a closure `|state| …` that answers with a `Duration`",
    note = "`times(n)` needs a `.then(next)` after it"
)]
pub trait IntoWait<Kind> {
    /// The strategy it becomes.
    type Wait: Wait;

    /// Makes it a strategy.
    fn into_wait(self) -> Self::Wait;
}

impl<W: Wait> IntoWait<IsValue> for W {
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
