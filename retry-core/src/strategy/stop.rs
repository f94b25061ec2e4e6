//! When to give up: the [`Stop`] strategies and what joins them.
//!
//! | strategy | gives up | kind |
//! |---|---|---|
//! | [`attempts(n)`](attempts) | after n calls in all | [`Bounded`] |
//! | [`within(d)`](within) | when elapsed + the coming delay ≥ d | [`Bounded`] |
//! | [`elapsed(d)`](elapsed) | when elapsed ≥ d | [`Bounded`] |
//! | [`until(instant)`](until) | when now + the coming delay ≥ instant | [`Bounded`] |
//! | [`when(f)`](when) | when f says so | [`Unbounded`] |
//! | [`Never`] | never | [`Unbounded`] |
//! | `Option` of one | as that one, and `None` never | [`Unbounded`] |
//! | `a \| b`, [`or(a, b)`](or) | when either does | bounded if either is |
//! | `a & b`, [`and(a, b)`](and) | when both do | bounded if both are |
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
//!
//! Reaching a limit counts as over it, everywhere. No limit cuts an attempt that has started.

use core::fmt;

mod bound;
mod join;
mod limits;
mod time;

pub use self::bound::{Bounded, Boundedness, Unbounded};
#[doc(hidden)]
pub use self::bound::{MayGoOn, MustEnd, may_go_on, must_end};
pub use self::join::{And, Or, and, or};
pub use self::limits::Limits;
pub(crate) use self::limits::tighter;
pub use self::time::{Elapsed, IntoInstant, Until, Within, elapsed, until, within};
use crate::report::reason::StopReason;
use crate::strategy::kind::{IsFunction, IsValue};
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
///
/// A call that it ends has the reason [`Custom`](crate::StopReason::Custom), or that of the
/// strategy of this module it has asked.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say when to give up",
    label = "not a stop strategy",
    note = "write `stop::attempts(n)`, `stop::within(duration)`, `stop::until(instant)`, or join several with `|` and `&`"
)]
pub trait Stop {
    /// [`Bounded`] if the strategy is sure to end every call, else [`Unbounded`].
    type Ends: Boundedness;

    /// Whether to give up instead of waiting `state.delay()` and trying again.
    fn stop(&self, state: &State) -> bool;

    /// What the strategy allows at most, as far as it knows: what [`State::remaining`] and
    /// [`Attempt::is_last`](crate::Attempt::is_last) stand on. Unless it says so, it has no limits
    /// in numbers. A strategy that wraps another should pass that one's on.
    ///
    /// ```
    /// use retry::stop::{self, Bounded, Limits, Stop};
    /// use retry::State;
    ///
    /// /// As often as it says, unless the other side is overloaded.
    /// struct Polite(stop::Attempts);
    ///
    /// impl Stop for Polite {
    ///     type Ends = Bounded;
    ///     fn stop(&self, state: &State) -> bool {
    ///         state.verdict().is_throttled() || self.0.stop(state)
    ///     }
    ///     fn limits(&self, state: &State) -> Limits {
    ///         self.0.limits(state)
    ///     }
    /// }
    /// assert_eq!(Polite(stop::attempts(3)).limits(&State::new(1)).attempts, Some(3));
    /// ```
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
#[doc(alias = "max_retries")]
#[doc(alias = "max_attempts")]
#[doc(alias = "tries")]
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
        noting(state, StopReason::Attempts, state.used() >= self.0.max(1))
    }

    fn limits(&self, _: &State) -> Limits {
        Limits::none().with_attempts(self.0)
    }
}

/// Gives up when `f` says so. Nothing says that it ever will, so it is [`Unbounded`]: join it
/// with a bound (`when(f) | attempts(10)`) or write `forever`. In an attribute a closure or the
/// path of a function needs no `when`.
///
/// ```
/// use retry::{State, Stop, Verdict, stop};
///
/// let stop = stop::when(|state| state.verdict().is_throttled()) | stop::attempts(10);
/// assert!(!stop.stop(&State::new(1)));
/// assert!(stop.stop(&State::new(1).with_verdict(Verdict::Retry.throttled())));
/// ```
pub const fn when<F: Fn(&State) -> bool>(f: F) -> When<F> {
    When { f, ask: |f, state| f(state) }
}

/// See [`when`].
///
/// How to ask is settled where it is made, so that it is a strategy whatever `F` is: a function that
/// cannot serve is complained of once.
#[derive(Clone, Copy)]
#[must_use]
pub struct When<F> {
    f: F,
    ask: fn(&F, &State) -> bool,
}

impl<F> Stop for When<F> {
    type Ends = Unbounded;

    fn stop(&self, state: &State) -> bool {
        let stop = (self.ask)(&self.f, state);
        noting(state, StopReason::Custom, stop)
    }
}

impl<F> fmt::Debug for When<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("When(..)")
    }
}

/// Never gives up: what the flag `forever` stands for.
///
/// ```
/// use retry::{State, Stop, stop};
///
/// assert!(!stop::Never.stop(&State::new(u32::MAX)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Never;

impl Stop for Never {
    type Ends = Unbounded;

    fn stop(&self, _: &State) -> bool {
        false
    }
}

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

impl<S: Stop> IntoStop<IsValue> for S {
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
    use crate::Instant;
    use core::time::Duration;
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
