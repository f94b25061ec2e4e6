//! Two stop strategies as one, and what forwards to another.

use core::ops::{BitAnd, BitOr};

use crate::strategy::state::State;
use crate::strategy::stop::{
    Attempts, Boundedness, Elapsed, IntoStop, Limits, Never, Stop, Unbounded, Until, When, Within,
    asked,
};

/// Gives up when either does; see [`or`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Or<A, B>(A, B);

/// `a | b` for any two strategies or functions. `b` is asked only where `a` goes on; the reason is
/// that of the one that gave up. Of two limits the tighter counts.
///
/// ```
/// use retry::{State, Stop, stop};
///
/// let stop = stop::or(|state: &State| state.attempt() == 2, stop::attempts(5));
/// assert!(!stop.stop(&State::new(1)));
/// assert!(stop.stop(&State::new(2)));
/// ```
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

/// `a & b` for any two strategies or functions: at least n attempts, and at least so long. `b` is
/// asked only where `a` gives up, and its reason is the one of both. Of two limits the wider
/// counts, and where one has none, neither does the other.
///
/// ```
/// use retry::{State, Stop, stop};
/// use std::time::Duration;
///
/// let secs = Duration::from_secs;
/// let stop = stop::and(stop::attempts(3), stop::elapsed(secs(10)));
/// assert!(!stop.stop(&State::new(3).with_elapsed(secs(1))));
/// assert!(!stop.stop(&State::new(2).with_elapsed(secs(10))));
/// assert!(stop.stop(&State::new(3).with_elapsed(secs(10))));
/// ```
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

stop_through!(&S, Box<S>, std::rc::Rc<S>, std::sync::Arc<S>, crate::strategy::boxed::Boxed<S>);
