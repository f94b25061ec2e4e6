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
pub use crate::strategy::limits::Limits;
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

    /// What the strategy allows at most, as far as it knows: what [`State::remaining`] and the
    /// reports of a call stand on. A strategy that wraps another should pass that one's on.
    fn limits(&self, state: &State) -> Limits {
        let _ = state;
        Limits::none()
    }
}

/// Why to give up, or `None` to go on. The strategy is asked once.
///
/// The strategies of this module note their reason in the state. One of a user's own has none to
/// note, unless it asks one of these.
pub(crate) fn reason_to_stop(stop: &(impl Stop + ?Sized), state: &State) -> Option<StopReason> {
    asked(stop, state).then(|| state.noted().unwrap_or(StopReason::Custom))
}

/// Asks a strategy, without the note of one that was asked before.
fn asked(stop: &(impl Stop + ?Sized), state: &State) -> bool {
    state.note(None);
    stop.stop(state)
}

/// Notes `reason` where the answer is to give up.
fn noting(state: &State, reason: StopReason, stop: bool) -> bool {
    if stop {
        state.note(Some(reason));
    }
    stop
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
        noting(state, StopReason::Attempts, state.attempt() >= self.0)
    }

    fn limits(&self, _: &State) -> Limits {
        Limits::none().with_attempts(self.0)
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
        let next = state.elapsed().saturating_add(state.delay());
        noting(state, StopReason::Time, next >= self.0)
    }

    fn limits(&self, state: &State) -> Limits {
        Limits::none().with_remaining(self.0.saturating_sub(state.elapsed()))
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
        noting(state, StopReason::Time, state.elapsed() >= self.0)
    }

    fn limits(&self, state: &State) -> Limits {
        Limits::none().with_remaining(self.0.saturating_sub(state.elapsed()))
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
        let stop = (self.0)(state);
        noting(state, StopReason::Custom, stop)
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
        asked(&self.0, state) || asked(&self.1, state)
    }

    fn limits(&self, state: &State) -> Limits {
        self.0.limits(state).either(self.1.limits(state))
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
        asked(&self.0, state) && asked(&self.1, state)
    }

    fn limits(&self, state: &State) -> Limits {
        self.0.limits(state).both(self.1.limits(state))
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

    fn limits(&self, state: &State) -> Limits {
        self.as_ref().map_or(Limits::none(), |stop| stop.limits(state))
    }
}

macro_rules! stop_through {
    ($($pointer:ty),*) => {$(
        impl<S: Stop + ?Sized> Stop for $pointer {
            type Ends = S::Ends;

            fn stop(&self, state: &State) -> bool {
                (**self).stop(state)
            }

            fn limits(&self, state: &State) -> Limits {
                (**self).limits(state)
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    const SECS: fn(u64) -> Duration = Duration::from_secs;

    /// A strategy that is not of this module: says yes or no, after it has asked another.
    struct Own<S>(S, bool);

    impl<S: Stop> Stop for Own<S> {
        type Ends = Unbounded;

        fn stop(&self, state: &State) -> bool {
            let _ = self.0.stop(state);
            self.1
        }
    }

    fn reason(stop: impl Stop, state: &State) -> Option<StopReason> {
        reason_to_stop(&stop, state)
    }

    #[test]
    fn the_reason_is_that_of_the_strategy_that_gave_up() {
        let late = State::new(1).with_elapsed(SECS(20));
        let last = State::new(5);
        let both = State::new(5).with_elapsed(SECS(20));
        let neither = State::new(1);

        let stop = attempts(5) | within(SECS(10));
        assert_eq!(reason(stop, &neither), None);
        assert_eq!(reason(stop, &late), Some(StopReason::Time));
        assert_eq!(reason(stop, &last), Some(StopReason::Attempts));
        // Both have: the one written first.
        assert_eq!(reason(stop, &both), Some(StopReason::Attempts));
        assert_eq!(reason(elapsed(SECS(10)) | attempts(5), &both), Some(StopReason::Time));

        // `&` gives up because of the one that held out longest; of two at once, the second.
        let stop = attempts(5) & within(SECS(10));
        assert_eq!(reason(stop, &late), None);
        assert_eq!(reason(stop, &last), None);
        assert_eq!(reason(stop, &both), Some(StopReason::Time));

        let own = when(|state| state.attempt() == 5);
        assert_eq!(reason(own, &last), Some(StopReason::Custom));
        assert_eq!(reason(own | within(SECS(10)), &last), Some(StopReason::Custom));
        let boxed: Box<dyn Stop<Ends = Bounded>> = Box::new(Arc::new(attempts(5)));
        assert_eq!(reason(&boxed, &last), Some(StopReason::Attempts));
        assert_eq!(reason(Some(boxed), &last), Some(StopReason::Attempts));
        assert_eq!(reason(None::<Attempts>, &last), None);
        assert_eq!(reason(until(Instant::now()), &last), Some(StopReason::Time));
    }

    #[test]
    fn a_strategy_that_says_no_leaves_no_reason_to_the_next() {
        let (last, custom) = (State::new(5), Some(StopReason::Custom));
        // One of a user's own that asked `attempts`, and still says no.
        assert_eq!(reason(Own(attempts(5), false), &last), None);
        assert_eq!(reason(or(Own(attempts(5), false), Own(Never, true)), &last), custom);
        // Of `&`, the second is the one that held out.
        assert_eq!(reason(attempts(5) & Own(Never, true), &last), custom);
        // `&` has said no, though `attempts` has not.
        assert_eq!(reason((attempts(5) & Never) | Own(Never, true), &last), custom);
        // And what a state was asked before is no concern of the next question.
        assert!(attempts(5).stop(&last));
        assert_eq!(reason(Own(Never, true), &last), custom);
    }

    #[test]
    fn one_of_a_users_own_that_asks_another_stops_by_its_reason() {
        let last = State::new(5);
        assert_eq!(reason(Own(attempts(5), true), &last), Some(StopReason::Attempts));
        assert_eq!(reason(Own(Some(attempts(6)), true), &last), Some(StopReason::Custom));
    }
}
