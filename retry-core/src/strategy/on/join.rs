//! Two conditions as one, and one turned around.

use core::ops;

use crate::strategy::on::{
    AnyError, ByError, ByOk, ByOutput, ByTransient, Is, IsJudged, Marked, On, OnError, Returned,
    SourceIs, SourceIsJudged,
};
use crate::verdict::outcome::Outcome;
use crate::verdict::verdict::Verdict;

/// `!condition`: what it retries is final and the other way round, of failures only. So there is no
/// `!ok(…)`, and a success stays what it was: the answer.
///
/// ```
/// use retry::{On, on};
///
/// let not_missing = !on::error(|status: &u16| *status == 404);
/// assert!(not_missing.verdict(&Err::<(), _>(503)).is_retry());
/// assert!(not_missing.verdict(&Err::<(), _>(404)).is_final());
/// assert!(not_missing.verdict(&Ok::<_, u16>(())).is_final());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Not<C>(C);

/// `a | b`: worth another attempt if either says so. Both are asked, and what they know besides is
/// joined, as for [`Verdict`].
///
/// ```
/// use retry::{On, on};
///
/// let either = on::error(|status: &u16| *status == 503) | on::ok(|text: &&str| text.is_empty());
/// assert!(either.verdict(&Err::<&str, _>(503)).is_retry());
/// assert!(either.verdict(&Ok::<_, u16>("")).is_retry());
/// assert!(either.verdict(&Ok::<_, u16>("text")).is_final());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Or<A, B>(A, B);

/// `a & b`: worth another attempt if both say so. Both are asked, and what they know besides is
/// joined, as for [`Verdict`].
///
/// ```
/// use retry::{On, on};
///
/// let both = on::any_error() & on::error(|status: &u16| *status >= 500);
/// assert!(both.verdict(&Err::<(), _>(503)).is_retry());
/// assert!(both.verdict(&Err::<(), _>(404)).is_final());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct And<A, B>(A, B);

impl<O: Outcome, C: On<O>> On<O> for Not<C> {
    fn verdict(&self, outcome: &O) -> Verdict {
        let verdict = self.0.verdict(outcome);
        if outcome.as_result().is_ok() { Verdict::Final } else { !verdict }
    }
}

impl<E, C: OnError<E>> OnError<E> for Not<C> {
    fn error_verdict(&self, error: &E) -> Verdict {
        !self.0.error_verdict(error)
    }
}

macro_rules! joined {
    ($($join:ident by $operator:tt),*) => {$(
        impl<O, A: On<O>, B: On<O>> On<O> for $join<A, B> {
            fn verdict(&self, outcome: &O) -> Verdict {
                self.0.verdict(outcome) $operator self.1.verdict(outcome)
            }
        }

        impl<E, A: OnError<E>, B: OnError<E>> OnError<E> for $join<A, B> {
            fn error_verdict(&self, error: &E) -> Verdict {
                self.0.error_verdict(error) $operator self.1.error_verdict(error)
            }
        }
    )*};
}

joined!(Or by |, And by &);

macro_rules! operators {
    ($($condition:ident $(<$($param:ident),+>)?),* $(,)?) => {$(
        impl<$($($param,)+)? Rhs> ops::BitOr<Rhs> for $condition$(<$($param),+>)? {
            type Output = Or<Self, Rhs>;

            fn bitor(self, rhs: Rhs) -> Self::Output {
                Or(self, rhs)
            }
        }

        impl<$($($param,)+)? Rhs> ops::BitAnd<Rhs> for $condition$(<$($param),+>)? {
            type Output = And<Self, Rhs>;

            fn bitand(self, rhs: Rhs) -> Self::Output {
                And(self, rhs)
            }
        }
    )*};
}

operators!(
    ByError<F>, ByOk<F>, ByOutput<F>, AnyError, Marked, ByTransient, Is<T>, SourceIs<T>, IsJudged<T, F>, SourceIsJudged<T, F>, Returned<C, K>,
    Not<C>, Or<A, B>, And<A, B>,
);

macro_rules! negation {
    ($($condition:ident $(<$($param:ident),+>)?),* $(,)?) => {$(
        impl$(<$($param),+>)? ops::Not for $condition$(<$($param),+>)? {
            type Output = Not<Self>;

            fn not(self) -> Self::Output {
                Not(self)
            }
        }
    )*};
}

// Not of `ok` and `output`: turned around, they would retry every other success. Of `marked` it would be
// `any_error`.
negation!(
    ByError<F>, AnyError, ByTransient, Is<T>, SourceIs<T>, IsJudged<T, F>, SourceIsJudged<T, F>, Returned<C, K>, Not<C>, Or<A, B>,
    And<A, B>,
);
