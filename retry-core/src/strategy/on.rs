//! What is worth another attempt, as values: what a policy holds for its `on`.
//!
//! In an attribute, `on` is a grammar of its own, expanded where the outcome is at hand, and
//! [`policy!`](../macro.policy.html) takes the same one. What it makes of it is what lives here,
//! and can be written by hand too; a closure must name the type of its argument:
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

use core::any::Any;
use core::error::Error;
use core::fmt;
use core::marker::PhantomData;
use core::ops;
use std::rc::Rc;
use std::sync::Arc;

pub use crate::expansion::judge::{IntoOn, IntoVerdict, IsCondition, IsFunction, On};
use crate::verdict::outcome::Outcome;
use crate::verdict::transient::Transient;
use crate::verdict::verdict::Verdict;

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

on_error_through!(&C, Box<C>, Rc<C>, Arc<C>);

/// What a boxed policy holds.
impl<O: Outcome<Error = E>, E> On<O> for dyn OnError<E> + Send + Sync {
    fn verdict(&self, outcome: &O) -> Verdict {
        match outcome.as_result() {
            Ok(_) => Verdict::Final,
            Err(error) => self.error_verdict(error),
        }
    }
}

impl<E> fmt::Debug for dyn OnError<E> + Send + Sync {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OnError(..)")
    }
}

/// Judges a failure by its error, with a function that answers `bool` or [`Verdict`]; a success
/// is final.
pub const fn error<F>(f: F) -> ByError<F> {
    ByError(f)
}

/// See [`error`].
#[derive(Clone, Copy)]
#[must_use]
pub struct ByError<F>(F);

/// Judges a success by its value, with a function that answers `bool` or [`Verdict`]; a failure
/// is final.
pub const fn ok<F>(f: F) -> ByOk<F> {
    ByOk(f)
}

/// See [`ok`].
#[derive(Clone, Copy)]
#[must_use]
pub struct ByOk<F>(F);

/// Judges the whole outcome, with a function that answers `bool` or [`Verdict`].
pub const fn output<F>(f: F) -> ByOutput<F> {
    ByOutput(f)
}

/// See [`output`].
#[derive(Clone, Copy)]
#[must_use]
pub struct ByOutput<F>(F);

/// Every failure is worth another attempt.
pub const fn any_error() -> AnyError {
    AnyError
}

/// See [`any_error`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct AnyError;

/// The error itself knows: it implements [`Transient`].
pub const fn transient() -> ByTransient {
    ByTransient
}

/// See [`transient`]. It is what a policy without `on` goes by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct ByTransient;

/// The error is a `T`, or a boxed one that holds a `T`.
///
/// A `Box` or `Arc` of `dyn Error` (with `Send`, or `Send + Sync`) is looked into; an error that
/// hides its content in a type of its own, such as anyhow's, is not: ask it yourself with
/// [`error`].
pub const fn is<T: Error + 'static>() -> Is<T> {
    Is(PhantomData)
}

/// See [`is`].
#[must_use]
pub struct Is<T>(PhantomData<fn() -> T>);

/// An error in the source chain, below the error itself, is a `T`. At most 64 are looked at.
///
/// The error must implement [`Error`], which a `Box<dyn Error>` does not.
pub const fn source_is<T: Error + 'static>() -> SourceIs<T> {
    SourceIs(PhantomData)
}

/// See [`source_is`].
#[must_use]
pub struct SourceIs<T>(PhantomData<fn() -> T>);

/// What a call of the user's own returned: a condition, or a function of the error.
#[doc(hidden)]
pub const fn returned<C, Kind>(condition: C) -> Returned<C, Kind> {
    Returned(condition, PhantomData)
}

/// See [`returned`].
#[doc(hidden)]
#[must_use]
pub struct Returned<C, Kind>(C, PhantomData<fn() -> Kind>);

/// `!condition`: what it retries is final and the other way round, of failures only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Not<C>(C);

/// `a | b`: worth another attempt if either says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Or<A, B>(A, B);

/// `a & b`: worth another attempt if both say so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct And<A, B>(A, B);

impl<O, F, V> On<O> for ByOk<F>
where
    O: Outcome,
    F: Fn(&O::Ok) -> V,
    V: IntoVerdict,
{
    fn verdict(&self, outcome: &O) -> Verdict {
        crate::expansion::judge::ok(outcome, &self.0)
    }
}

impl<O, F, V> On<O> for ByOutput<F>
where
    F: Fn(&O) -> V,
    V: IntoVerdict,
{
    fn verdict(&self, outcome: &O) -> Verdict {
        crate::expansion::judge::output(outcome, &self.0)
    }
}

/// Both traits at once for what judges an error by itself.
macro_rules! errors_only {
    ($([$($param:ident)*] $condition:ty, where [$($bounds:tt)*]: |$this:ident, $error:ident| $verdict:expr;)*) => {$(
        impl<E, $($param),*> OnError<E> for $condition
        where
            $($bounds)*
        {
            fn error_verdict(&self, $error: &E) -> Verdict {
                let $this = self;
                $verdict
            }
        }

        impl<O: Outcome<Error = E>, E, $($param),*> On<O> for $condition
        where
            $($bounds)*
        {
            fn verdict(&self, outcome: &O) -> Verdict {
                match outcome.as_result() {
                    Ok(_) => Verdict::Final,
                    Err(error) => OnError::<E>::error_verdict(self, error),
                }
            }
        }
    )*};
}

errors_only! {
    [F V] ByError<F>, where [F: Fn(&E) -> V, V: IntoVerdict]:
        |this, error| (this.0)(error).into_verdict();
    [] AnyError, where []: |_this, _error| Verdict::Retry;
    [] ByTransient, where [E: Transient]: |_this, error| error.verdict();
    [T] Is<T>, where [E: 'static, T: Error + 'static]: |_this, error| holds::<T>(error).into();
    [T] SourceIs<T>, where [E: Error + 'static, T: Error + 'static]:
        |_this, error| crate::expansion::judge::source_is::<T>(error).into();
    [F V] Returned<F, IsFunction<V>>, where [F: Fn(&E) -> V, V: IntoVerdict]:
        |this, error| (this.0)(error).into_verdict();
}

impl<O, C: On<O>> On<O> for Returned<C, IsCondition> {
    fn verdict(&self, outcome: &O) -> Verdict {
        self.0.verdict(outcome)
    }
}

impl<E, C: OnError<E>> OnError<E> for Returned<C, IsCondition> {
    fn error_verdict(&self, error: &E) -> Verdict {
        self.0.error_verdict(error)
    }
}

impl<O: Outcome, C: On<O>> On<O> for Not<C> {
    fn verdict(&self, outcome: &O) -> Verdict {
        crate::expansion::judge::not(outcome, self.0.verdict(outcome))
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
    ByError<F>, ByOk<F>, ByOutput<F>, AnyError, ByTransient, Is<T>, SourceIs<T>, Returned<C, K>,
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

// Not of `ok` and `output`: turned around, they would retry every other success.
negation!(
    ByError<F>, AnyError, ByTransient, Is<T>, SourceIs<T>, Returned<C, K>, Not<C>, Or<A, B>,
    And<A, B>,
);

macro_rules! opaque {
    ($($condition:ident<$($param:ident),+>),*) => {$(
        impl<$($param),+> fmt::Debug for $condition<$($param),+> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($condition), "(..)"))
            }
        }
    )*};
}

opaque!(ByError<F>, ByOk<F>, ByOutput<F>, Returned<C, K>);

macro_rules! named_by_type {
    ($($condition:ident),*) => {$(
        impl<T> Clone for $condition<T> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<T> Copy for $condition<T> {}

        impl<T> fmt::Debug for $condition<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($condition), "<{}>"), core::any::type_name::<T>())
            }
        }
    )*};
}

named_by_type!(Is, SourceIs);

impl<C: Clone, K> Clone for Returned<C, K> {
    fn clone(&self) -> Self {
        Self(self.0.clone(), PhantomData)
    }
}

/// Whether the error is a `T`, or a box with a `T` in it.
fn holds<T: Error + 'static>(error: &dyn Any) -> bool {
    macro_rules! any_of {
        ($($boxed:ty),*) => {
            false $(|| error.downcast_ref::<$boxed>().is_some_and(|inner| inner.is::<T>()))*
        };
    }
    error.is::<T>()
        || any_of!(
            Box<dyn Error>,
            Box<dyn Error + Send>,
            Box<dyn Error + Send + Sync>,
            Arc<dyn Error>,
            Arc<dyn Error + Send>,
            Arc<dyn Error + Send + Sync>
        )
}

#[cfg(test)]
mod tests {
    use super::*;
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
        assert!(boxed.verdict(&Ok::<u8, _>(1)).is_final());
    }
}
