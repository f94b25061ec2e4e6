//! What is worth another attempt: the [`On`] conditions and what joins them.
//!
//! | condition | is for another attempt |
//! |---|---|
//! | [`error(f)`](error) | after an error that f says so of |
//! | [`ok(f)`](ok) | after a success that f says so of |
//! | [`output(f)`](output) | after an outcome that f says so of |
//! | [`any_error()`](any_error) | after every error |
//! | [`is::<T>()`](is) | after an error that is a `T` |
//! | [`source_is::<T>()`](source_is) | after an error with a `T` below it |
//! | [`….judged_by(f)`](Is::judged_by) | when f, too, says so of the `T` |
//! | [`transient()`](transient) | after an error that says so itself |
//! | [`marked()`](marked) | never, unless the body has marked it so |
//! | `a \| b` | when either is |
//! | `a & b` | when both are |
//! | `!a` | after a failure, when a is not |
//!
//! A function `f` answers with a `bool`, or a [`Verdict`] that says more.
//!
//! In an attribute, `on` is a grammar of its own, expanded where the outcome is at hand, and
//! [`policy!`](../macro.policy.html) takes the same one; `matches(…)` and `.at_most(n)` exist there
//! only. What it makes of it is what lives here, and can be written by hand too; a closure must
//! name the type of its argument:
//!
//! ```
//! use retry::{Policy, on, stop, wait};
//!
//! #[derive(Debug, PartialEq)]
//! enum ApiError {
//!     Busy,
//!     NotFound,
//! }
//!
//! let busy = on::error(|error: &ApiError| *error == ApiError::Busy);
//! let policy = Policy::new(stop::attempts(3), wait::none(), busy | on::is::<std::io::Error>());
//! let mut calls = 0;
//! let outcome = policy.call(|| -> Result<(), ApiError> {
//!     calls += 1;
//!     Err(if calls == 1 { ApiError::Busy } else { ApiError::NotFound })
//! });
//! assert_eq!((outcome, calls), (Err(ApiError::NotFound), 2));
//! ```

use core::fmt;
use std::rc::Rc;
use std::sync::Arc;

pub(crate) mod chain;
mod condition;
mod join;

pub use self::condition::{
    AnyError, ByError, ByOk, ByOutput, ByTransient, Is, IsJudged, Marked, SourceIs, SourceIsJudged,
    any_error, error, is, marked, ok, output, source_is, transient,
};
#[doc(hidden)]
pub use self::condition::{Returned, returned};
pub use self::join::{And, Not, Or};
use crate::strategy::boxed::Boxed;
use crate::strategy::kind::{IsFunction, IsValue};
use crate::verdict::outcome::Outcome;
use crate::verdict::verdict::Verdict;

/// A condition of your own: judges the whole outcome of an attempt.
///
/// For most conditions a function of the error is enough. A type is worth it where the condition
/// has settings, or looks at successes too.
///
/// ```
/// use retry::{On, Verdict, retry};
///
/// struct Statuses(&'static [u16]);
///
/// impl<E> On<Result<u16, E>> for Statuses {
///     fn verdict(&self, outcome: &Result<u16, E>) -> Verdict {
///         outcome.as_ref().is_ok_and(|status| self.0.contains(status)).into()
///     }
/// }
///
/// fn unavailable() -> Statuses {
///     Statuses(&[502, 503])
/// }
///
/// #[retry(stop = attempts(3), wait = none(), on = unavailable() | any_error())]
/// fn fetch() -> Result<u16, String> {
///     Ok(200)
/// }
/// # assert_eq!(fetch(), Ok(200));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not judge `{O}`",
    label = "not a condition for `{O}`",
    note = "in a `Policy::new`, a function becomes a condition with `on::error(f)`, `on::ok(f)` or `on::output(f)`"
)]
pub trait On<O: ?Sized> {
    /// What the outcome means.
    fn verdict(&self, outcome: &O) -> Verdict;
}

macro_rules! on_through {
    ($($pointer:ty),*) => {$(
        impl<O: ?Sized, C: On<O> + ?Sized> On<O> for $pointer {
            fn verdict(&self, outcome: &O) -> Verdict {
                (**self).verdict(outcome)
            }
        }
    )*};
}

on_through!(&C, Box<C>, Rc<C>, Arc<C>, Boxed<C>);

/// A condition on the error alone, so that one value serves functions with any type of success:
/// what [`Policy::boxed`](crate::Policy::boxed) needs.
///
/// All conditions of this module are such, except [`ok`] and [`output`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not judge the error `{E}` by itself",
    label = "a boxed policy judges errors only",
    note = "`ok(…)`, `output(…)` and patterns of successes look at values, whose type a boxed policy does not know"
)]
pub trait OnError<E: ?Sized> {
    /// What the error means.
    fn error_verdict(&self, error: &E) -> Verdict;
}

macro_rules! on_error_through {
    ($($pointer:ty),*) => {$(
        impl<E: ?Sized, C: OnError<E> + ?Sized> OnError<E> for $pointer {
            fn error_verdict(&self, error: &E) -> Verdict {
                (**self).error_verdict(error)
            }
        }
    )*};
}

on_error_through!(&C, Box<C>, Rc<C>, Arc<C>, Boxed<C>);

/// What a boxed policy holds.
impl<O: Outcome, E: IsThe<O::Error>> On<O> for dyn OnError<E> + Send + Sync {
    fn verdict(&self, outcome: &O) -> Verdict {
        match outcome.as_result() {
            Ok(_) => Verdict::Final,
            Err(error) => self.error_verdict(E::of(error)),
        }
    }
}

/// That two types of errors are one, with a message of its own where they are not. The type that is
/// known stands first, for from it the compiler can tell the other.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "this policy judges a `{Self}`, and the error here is a `{Other}`",
    label = "made for `{Self}`",
    note = "take a policy made for `{Other}`; or say `on` beside `policy`, and the policy's own judgement is not asked"
)]
pub trait IsThe<Other> {
    /// The error.
    fn of(error: &Other) -> &Self;
}

impl<E> IsThe<E> for E {
    fn of(error: &E) -> &E {
        error
    }
}

impl<E> fmt::Debug for dyn OnError<E> + Send + Sync {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OnError(..)")
    }
}

/// What a condition's function may answer: `bool` or [`Verdict`].
#[diagnostic::on_unimplemented(
    message = "a condition of `#[retry]` cannot answer with `{Self}`",
    label = "neither `bool` nor `retry::Verdict`",
    note = "answer `true` to retry and `false` to return the outcome, or with a `retry::Verdict`"
)]
pub trait IntoVerdict {
    /// The verdict it stands for.
    fn into_verdict(self) -> Verdict;
}

impl IntoVerdict for bool {
    #[inline]
    fn into_verdict(self) -> Verdict {
        self.into()
    }
}

impl IntoVerdict for Verdict {
    #[inline]
    fn into_verdict(self) -> Verdict {
        self
    }
}

/// A condition, or a function of the error. `Kind` only tells the two apart.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not judge `{O}`",
    label = "neither a condition for `{O}` nor a function of its error",
    note = "write `error(|error| …)`, `ok(|value| …)`, `output(|outcome| …)` or `matches(…)`"
)]
pub trait IntoOn<O, Kind> {
    /// Judges the outcome.
    fn judge(self, outcome: &O) -> Verdict;
}

/// What a function written with parentheses in `on` would have to be. Implemented by nothing.
#[diagnostic::on_unimplemented(
    message = "this is called without an argument, and takes one",
    label = "a function of the error is written without the parentheses",
    note = "with parentheses it is called at once, and gives a condition or a function of the error"
)]
#[doc(hidden)]
pub trait WithoutArguments {
    /// What it gives.
    type Given;
    /// The same.
    const GIVEN: Self::Given;
}

impl<O, C: On<O>> IntoOn<O, IsValue> for C {
    fn judge(self, outcome: &O) -> Verdict {
        self.verdict(outcome)
    }
}

impl<O, F, V> IntoOn<O, IsFunction<V>> for F
where
    O: Outcome,
    F: FnOnce(&O::Error) -> V,
    V: IntoVerdict,
{
    fn judge(self, outcome: &O) -> Verdict {
        match outcome.as_result() {
            Ok(_) => Verdict::Final,
            Err(error) => self(error).into_verdict(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::error::Error;
    use core::time::Duration;
    use std::io;

    type Judged<E> = Result<u8, E>;

    fn broken_pipe() -> io::Error {
        io::ErrorKind::BrokenPipe.into()
    }

    #[test]
    fn an_error_in_a_box_is_told_by_its_type() {
        let boxed: Judged<Box<dyn Error + Send + Sync>> = Err(broken_pipe().into());
        assert!(is::<io::Error>().verdict(&boxed).is_retry());
        assert!(is::<fmt::Error>().verdict(&boxed).is_final());
        let shared: Judged<Arc<dyn Error>> = Err(Arc::new(broken_pipe()));
        assert!(is::<io::Error>().verdict(&shared).is_retry());
        assert!(is::<io::Error>().verdict(&Judged::Err(broken_pipe())).is_retry());
        assert!(is::<fmt::Error>().verdict(&Judged::Err(broken_pipe())).is_final());
    }

    #[test]
    fn an_error_below_the_error_is_told_by_its_type() {
        let hidden: Judged<io::Error> = Err(io::Error::other(fmt::Error));
        assert!(source_is::<fmt::Error>().verdict(&hidden).is_retry());
        assert!(source_is::<io::Error>().verdict(&hidden).is_final());
    }

    #[test]
    fn joined_conditions_answer_like_their_verdicts() {
        let hint = Verdict::Retry.retry_after(Duration::from_secs(1));
        let asks = error(move |error: &u16| if *error == 429 { hint } else { Verdict::Final });
        let server = error(|error: &u16| *error >= 500);
        let either = asks | server;
        assert_eq!(either.verdict(&Judged::Err(429)), hint);
        assert!(either.verdict(&Judged::Err(500)).is_retry());
        assert!(either.verdict(&Judged::Err(404)).is_final());
        assert!((asks & server).verdict(&Judged::Err(429)).is_final());
    }

    #[test]
    fn a_condition_turned_around_still_leaves_successes_alone() {
        let not = !error(|error: &u16| *error == 404);
        assert!(not.verdict(&Judged::Err(500)).is_retry());
        assert!(not.verdict(&Judged::Err(404)).is_final());
        assert!(not.verdict(&Judged::<u16>::Ok(1)).is_final());
        assert!(not.error_verdict(&500).is_retry());
    }

    #[test]
    fn a_value_and_a_whole_outcome_are_judged_too() {
        let pending = ok(|value: &u8| *value == 0);
        assert!(pending.verdict(&Judged::<u16>::Ok(0)).is_retry());
        assert!(pending.verdict(&Judged::<u16>::Err(0)).is_final());
        let unavailable = output(|status: &u16| *status == 503);
        assert!(unavailable.verdict(&503).is_retry());
        assert!(unavailable.verdict(&200).is_final());
    }

    #[test]
    fn what_a_function_returned_is_a_condition_or_a_function_of_the_error() {
        fn condition() -> AnyError {
            any_error()
        }
        fn above(least: u16) -> impl Fn(&u16) -> bool {
            move |error| *error >= least
        }
        let either = returned(condition()) & returned(above(500));
        assert!(either.verdict(&Judged::Err(500)).is_retry());
        assert!(either.verdict(&Judged::Err(404)).is_final());
    }

    #[test]
    fn a_boxed_condition_judges_errors_and_leaves_successes_alone() {
        let boxed: Arc<dyn OnError<u16> + Send + Sync> = Arc::new(error(|error: &u16| *error > 1));
        assert!(boxed.verdict(&Err::<(), _>(2)).is_retry());
        assert!(boxed.verdict(&Err::<String, _>(1)).is_final());
        assert!(boxed.verdict(&Ok::<u8, u16>(1)).is_final());
    }
}
