//! When to give up: the [`Stop`] strategies and their combinators.
//!
//! In an attribute they need no import: `stop = attempts(5) | within(30s)`. As values, the
//! operators exist on the types of this module:
//!
//! ```
//! use retry::{State, Stop, stop};
//! use std::time::Duration;
//!
//! let stop = stop::attempts(5) | stop::within(Duration::from_secs(30));
//! assert!(!stop.stop(&State::new(4)));
//! assert!(stop.stop(&State::new(5)));
//! ```

use core::fmt;
use core::marker::PhantomData;
use core::ops::{BitAnd, BitOr};
use core::time::Duration;
use std::time::Instant;

use crate::report::reason::StopReason;
use crate::strategy::state::State;

/// When to give up.
///
/// Asked after every failed attempt, with the delay that would come next already known. A type
/// of your own needs [`stop`](Self::stop), and says in [`Ends`](Self::Ends) whether it is sure
/// to answer `true` one day; only then does `#[retry]` accept it without `forever`.
///
/// ```
/// use retry::{State, Stop, stop, retry};
///
/// /// Gives up at the first throttled answer.
/// struct Throttled;
///
/// impl Stop for Throttled {
///     type Ends = stop::Unbounded;
///     fn stop(&self, state: &State) -> bool {
///         state.verdict().is_throttled()
///     }
/// }
///
/// #[retry(stop = Throttled | attempts(3), wait = none(), on = any_error())]
/// fn call() -> Result<(), String> {
///     Err("no".to_owned())
/// }
/// # assert!(call().is_err());
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say when to give up",
    label = "not a stop strategy",
    note = "write `attempts(n)`, `within(duration)`, `until(instant)`, or join several with `|` and `&`"
)]
pub trait Stop {
    /// [`Bounded`] if the strategy is sure to end every call, else [`Unbounded`].
    type Ends: Boundedness;

    /// Whether to give up instead of waiting `state.delay()` and trying again.
    fn stop(&self, state: &State) -> bool;

    /// Why to give up, or `None` to go on: what [`stop`](Self::stop) answers, with a reason.
    fn reason(&self, state: &State) -> Option<StopReason> {
        self.stop(state).then_some(StopReason::Custom)
    }

    /// The most attempts the strategy allows a call, `None` if it has no limit in number.
    fn most_attempts(&self) -> Option<u32> {
        None
    }

    /// What is left until the strategy's time is up, `None` if it has no limit in time.
    fn remaining(&self, state: &State) -> Option<Duration> {
        let _ = state;
        None
    }
}

/// Whether a stop strategy is sure to end every call: [`Bounded`] or [`Unbounded`].
pub trait Boundedness: sealed::Sealed {
    /// Which of the two it is.
    #[doc(hidden)]
    const ENDS: bool;
    /// Of `a | b`.
    type Or<Other: Boundedness>: Boundedness;
    /// Of `a & b`.
    type And<Other: Boundedness>: Boundedness;
}

/// Sure to end every call.
#[derive(Clone, Copy, Debug)]
pub struct Bounded(());

/// May let a call go on for ever.
#[derive(Clone, Copy, Debug)]
pub struct Unbounded(());

impl Boundedness for Bounded {
    const ENDS: bool = true;
    type Or<Other: Boundedness> = Self;
    type And<Other: Boundedness> = Other;
}

impl Boundedness for Unbounded {
    const ENDS: bool = false;
    type Or<Other: Boundedness> = Other;
    type And<Other: Boundedness> = Self;
}

mod sealed {
    #[allow(unreachable_pub)] // public, but in no public module
    pub trait Sealed {}
    impl Sealed for super::Bounded {}
    impl Sealed for super::Unbounded {}
}

/// Gives up after `attempts` calls in all: `attempts(1)` never retries, and neither does
/// `attempts(0)`, since one call is always made.
///
/// ```
/// # use retry::retry;
/// # let mut calls = 0;
/// #[retry(stop = attempts(3), wait = none(), on = any_error())]
/// fn call(calls: &mut u32) -> Result<(), ()> {
///     *calls += 1;
///     Err(())
/// }
/// assert!(call(&mut calls).is_err());
/// assert_eq!(calls, 3);
/// ```
pub const fn attempts(attempts: u32) -> Attempts {
    Attempts(attempts)
}

/// See [`attempts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Attempts(u32);

impl Stop for Attempts {
    type Ends = Bounded;

    fn stop(&self, state: &State) -> bool {
        state.attempt() >= self.0
    }

    fn reason(&self, state: &State) -> Option<StopReason> {
        self.stop(state).then_some(StopReason::Attempts)
    }

    fn most_attempts(&self) -> Option<u32> {
        Some(self.0.max(1))
    }
}

/// Gives up when the time since the start of the first attempt and the coming delay together
/// reach `limit`, so no attempt starts at or after it. An attempt that has started is not cut
/// short. `within(0)` never retries.
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
        state.elapsed().saturating_add(state.delay()) >= self.0
    }

    fn reason(&self, state: &State) -> Option<StopReason> {
        self.stop(state).then_some(StopReason::Time)
    }

    fn remaining(&self, state: &State) -> Option<Duration> {
        Some(self.0.saturating_sub(state.elapsed()))
    }
}

/// Gives up when the time since the start of the first attempt has reached `limit`, whatever
/// delay is coming: the last attempt may start one delay late. Prefer [`within`].
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
        state.elapsed() >= self.0
    }

    fn reason(&self, state: &State) -> Option<StopReason> {
        self.stop(state).then_some(StopReason::Time)
    }

    fn remaining(&self, state: &State) -> Option<Duration> {
        Some(self.0.saturating_sub(state.elapsed()))
    }
}

/// Like [`within`], for an absolute time on the monotonic clock: no attempt starts at or after
/// `instant`, which may be a `tokio::time::Instant`. One that has passed never retries.
pub fn until(instant: impl Into<Instant>) -> Until {
    Until(instant.into())
}

/// See [`until`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Until(Instant);

impl Stop for Until {
    type Ends = Bounded;

    fn stop(&self, state: &State) -> bool {
        // Without a clock there is no time to compare; giving up is the answer that ends.
        self.remaining(state).is_none_or(|remaining| state.delay() >= remaining)
    }

    fn reason(&self, state: &State) -> Option<StopReason> {
        self.stop(state).then_some(StopReason::Time)
    }

    fn remaining(&self, state: &State) -> Option<Duration> {
        state.now().map(|now| self.0.saturating_duration_since(now))
    }
}

/// Gives up when `f` says so. Nothing says that it ever will, so it is [`Unbounded`]: join it
/// with a bound (`when(f) | attempts(10)`) or write `forever`. In an attribute a closure or the
/// path of a function needs no `when`.
pub const fn when<F: Fn(&State) -> bool>(f: F) -> When<F> {
    When(f)
}

/// See [`when`].
#[derive(Clone, Copy)]
#[must_use]
pub struct When<F>(F);

impl<F: Fn(&State) -> bool> Stop for When<F> {
    type Ends = Unbounded;

    fn stop(&self, state: &State) -> bool {
        (self.0)(state)
    }
}

impl<F> fmt::Debug for When<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("When(..)")
    }
}

/// Never gives up: what the flag `forever` stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Never;

impl Stop for Never {
    type Ends = Unbounded;

    fn stop(&self, _: &State) -> bool {
        false
    }
}

/// Gives up when either does; see [`or`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Or<A, B>(A, B);

/// `a | b` for any two strategies or functions.
pub fn or<A: IntoStop<M>, B: IntoStop<N>, M, N>(a: A, b: B) -> Or<A::Stop, B::Stop> {
    Or(a.into_stop(), b.into_stop())
}

impl<A: Stop, B: Stop> Stop for Or<A, B> {
    type Ends = <A::Ends as Boundedness>::Or<B::Ends>;

    fn stop(&self, state: &State) -> bool {
        self.0.stop(state) || self.1.stop(state)
    }

    fn reason(&self, state: &State) -> Option<StopReason> {
        self.0.reason(state).or_else(|| self.1.reason(state))
    }

    fn most_attempts(&self) -> Option<u32> {
        match (self.0.most_attempts(), self.1.most_attempts()) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    fn remaining(&self, state: &State) -> Option<Duration> {
        match (self.0.remaining(state), self.1.remaining(state)) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }
}

/// Gives up when both do; see [`and`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct And<A, B>(A, B);

/// `a & b` for any two strategies or functions.
pub fn and<A: IntoStop<M>, B: IntoStop<N>, M, N>(a: A, b: B) -> And<A::Stop, B::Stop> {
    And(a.into_stop(), b.into_stop())
}

impl<A: Stop, B: Stop> Stop for And<A, B> {
    type Ends = <A::Ends as Boundedness>::And<B::Ends>;

    fn stop(&self, state: &State) -> bool {
        self.0.stop(state) && self.1.stop(state)
    }

    fn reason(&self, state: &State) -> Option<StopReason> {
        self.0.reason(state).and_then(|_| self.1.reason(state))
    }

    fn most_attempts(&self) -> Option<u32> {
        let (a, b) = (self.0.most_attempts()?, self.1.most_attempts()?);
        Some(a.max(b))
    }

    fn remaining(&self, state: &State) -> Option<Duration> {
        let (a, b) = (self.0.remaining(state)?, self.1.remaining(state)?);
        Some(a.max(b))
    }
}

macro_rules! operators {
    ($($strategy:ident $(<$($param:ident),+>)?),* $(,)?) => {$(
        impl<$($($param,)+)? Rhs: Stop> BitOr<Rhs> for $strategy$(<$($param),+>)? {
            type Output = Or<Self, Rhs>;

            fn bitor(self, rhs: Rhs) -> Self::Output {
                Or(self, rhs)
            }
        }

        impl<$($($param,)+)? Rhs: Stop> BitAnd<Rhs> for $strategy$(<$($param),+>)? {
            type Output = And<Self, Rhs>;

            fn bitand(self, rhs: Rhs) -> Self::Output {
                And(self, rhs)
            }
        }
    )*};
}

operators!(Attempts, Within, Elapsed, Until, When<F>, Never, Or<A, B>, And<A, B>);

/// `None` never gives up, so an optional bound is [`Unbounded`]: `self.max.map(attempts)` needs
/// another bound beside it, or `forever`.
impl<S: Stop> Stop for Option<S> {
    type Ends = Unbounded;

    fn stop(&self, state: &State) -> bool {
        self.as_ref().is_some_and(|stop| stop.stop(state))
    }

    fn reason(&self, state: &State) -> Option<StopReason> {
        self.as_ref().and_then(|stop| stop.reason(state))
    }

    fn most_attempts(&self) -> Option<u32> {
        self.as_ref().and_then(Stop::most_attempts)
    }

    fn remaining(&self, state: &State) -> Option<Duration> {
        self.as_ref().and_then(|stop| stop.remaining(state))
    }
}

macro_rules! stop_through {
    ($($pointer:ty),*) => {$(
        impl<S: Stop + ?Sized> Stop for $pointer {
            type Ends = S::Ends;

            fn stop(&self, state: &State) -> bool {
                (**self).stop(state)
            }

            fn reason(&self, state: &State) -> Option<StopReason> {
                (**self).reason(state)
            }

            fn most_attempts(&self) -> Option<u32> {
                (**self).most_attempts()
            }

            fn remaining(&self, state: &State) -> Option<Duration> {
                (**self).remaining(state)
            }
        }
    )*};
}

stop_through!(&S, Box<S>, std::rc::Rc<S>, std::sync::Arc<S>);

/// A stop strategy, or a function that can serve as one. `Kind` only tells the two apart.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say when to give up",
    label = "neither a stop strategy nor a function of `&State`",
    note = "write `attempts(n)`, `within(duration)`, `until(instant)`, or a closure `|state| …` that returns `bool`"
)]
pub trait IntoStop<Kind> {
    /// The strategy it becomes.
    type Stop: Stop;

    /// Makes it a strategy.
    fn into_stop(self) -> Self::Stop;
}

/// Marks what already is a strategy.
#[derive(Debug)]
pub struct IsStrategy(());

/// Marks a function that returns `T`.
#[derive(Debug)]
pub struct IsFunction<T>(PhantomData<T>);

impl<S: Stop> IntoStop<IsStrategy> for S {
    type Stop = S;

    fn into_stop(self) -> S {
        self
    }
}

impl<F: Fn(&State) -> bool> IntoStop<IsFunction<bool>> for F {
    type Stop = When<F>;

    fn into_stop(self) -> When<F> {
        when(self)
    }
}
