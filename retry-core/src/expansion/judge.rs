//! What is worth another attempt: the conditions that judge an outcome.
//!
//! In an attribute, `on` is a grammar of its own (`error(f)`, `is::<T>() & |error| …`,
//! `matches(…)`), expanded where the outcome is at hand. What lives here is what that grammar
//! stands on, and [`On`] for a condition of your own.

use core::error::Error;
use std::rc::Rc;
use std::sync::Arc;

use crate::verdict::outcome::Outcome;
use crate::verdict::transient::Transient;
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

on_through!(&C, Box<C>, Rc<C>, Arc<C>);

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

/// Marks what already is a condition.
#[derive(Debug)]
pub struct IsCondition(());

/// Marks a function that answers `V`.
#[derive(Debug)]
pub struct IsFunction<V>(core::marker::PhantomData<V>);

impl<O, C: On<O>> IntoOn<O, IsCondition> for C {
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
        error(outcome, self)
    }
}

/// `error(f)`: judges a failure by its error; a success is final.
#[inline]
pub fn error<O, V>(outcome: &O, f: impl FnOnce(&O::Error) -> V) -> Verdict
where
    O: Outcome,
    V: IntoVerdict,
{
    match outcome.as_result() {
        Ok(_) => Verdict::Final,
        Err(error) => f(error).into_verdict(),
    }
}

/// `ok(f)`: judges a success by its value; a failure is final.
#[inline]
pub fn ok<O, V>(outcome: &O, f: impl FnOnce(&O::Ok) -> V) -> Verdict
where
    O: Outcome,
    V: IntoVerdict,
{
    match outcome.as_result() {
        Ok(value) => f(value).into_verdict(),
        Err(_) => Verdict::Final,
    }
}

/// `output(f)`: judges the whole outcome, of any type.
#[inline]
pub fn output<O, V: IntoVerdict>(outcome: &O, f: impl FnOnce(&O) -> V) -> Verdict {
    f(outcome).into_verdict()
}

/// `any_error()`: every failure is worth another attempt.
#[inline]
pub fn any_error<O: Outcome>(outcome: &O) -> Verdict {
    outcome.as_result().is_err().into()
}

/// `transient()`, and what counts where `on` is left out: the error itself knows.
#[inline]
pub fn transient<O>(outcome: &O) -> Verdict
where
    O: Outcome,
    O::Error: Transient,
{
    error(outcome, Transient::verdict)
}

/// `condition()`: what a call of the user's own returned.
#[inline]
pub fn condition<O, Kind>(outcome: &O, condition: impl IntoOn<O, Kind>) -> Verdict {
    condition.judge(outcome)
}

/// `!condition`, which judges failures only: a success stays final.
#[inline]
pub fn not<O: Outcome>(outcome: &O, verdict: Verdict) -> Verdict {
    if outcome.as_result().is_ok() { Verdict::Final } else { !verdict }
}

/// `condition.at_most(n)`: final once the condition has granted `n` retries.
///
/// The verdict comes first, so that one limit inside another has been counted before the count of
/// this one is borrowed.
pub fn at_most(verdict: Verdict, granted: &mut u32, n: u32) -> Verdict {
    if verdict.is_final() || *granted >= n {
        return Verdict::Final;
    }
    *granted += 1;
    verdict
}

/// `is::<T>()` on a concrete error, or on a generic one.
pub trait IsAny {
    /// Whether the error is a `T`.
    fn is<T: 'static>(&self) -> bool;
}

impl<E: 'static> IsAny for &E {
    fn is<T: 'static>(&self) -> bool {
        core::any::TypeId::of::<E>() == core::any::TypeId::of::<T>()
    }
}

/// `is::<T>()` on a boxed error.
pub trait IsDyn {
    /// Whether the error in the box is a `T`.
    fn is<T: Error + 'static>(&self) -> bool;
}

/// `source_is::<T>()` on a concrete error.
pub trait SourceIsAny {
    /// Whether an error in the source chain, below this one, is a `T`.
    fn source_is<T: Error + 'static>(&self) -> bool;
}

impl<E: Error + 'static> SourceIsAny for &E {
    fn source_is<T: Error + 'static>(&self) -> bool {
        source_is::<T>(*self)
    }
}

/// `source_is::<T>()` on a boxed error, and on what dereferences to one (anyhow's).
pub trait SourceIsDyn {
    /// Whether an error in the source chain, below this one, is a `T`.
    fn source_is<T: Error + 'static>(&self) -> bool;
}

macro_rules! boxed {
    ($($error:ty),*) => {$(
        impl IsDyn for Box<$error> {
            fn is<T: Error + 'static>(&self) -> bool {
                (**self).is::<T>()
            }
        }

        impl IsDyn for Arc<$error> {
            fn is<T: Error + 'static>(&self) -> bool {
                (**self).is::<T>()
            }
        }

        impl SourceIsDyn for Arc<$error> {
            // Not left to the `Error` impl of `Arc`, behind which an `io::Error` is hidden.
            fn source_is<T: Error + 'static>(&self) -> bool {
                source_is::<T>(&**self)
            }
        }

        impl SourceIsDyn for $error {
            fn source_is<T: Error + 'static>(&self) -> bool {
                source_is::<T>(self)
            }
        }
    )*};
}

boxed!(dyn Error, dyn Error + Send, dyn Error + Send + Sync);

/// How many errors of a source chain are looked at: a chain that leads back to itself ends too.
const CHAIN: usize = 64;

pub(crate) fn source_is<T: Error + 'static>(error: &(dyn Error + 'static)) -> bool {
    core::iter::successors(below(error), |error| below(*error))
        .take(CHAIN)
        .any(<dyn Error>::is::<T>)
}

fn below<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a (dyn Error + 'static)> {
    // `io::Error::source` skips the error it was made from and starts with that one's source.
    match error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref) {
        Some(inner) => Some(inner),
        None => error.source(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt;
    use std::io;

    #[derive(Debug)]
    struct Layer(Option<Box<dyn Error + Send + Sync>>);

    impl fmt::Display for Layer {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("layer")
        }
    }

    impl Error for Layer {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            self.0.as_deref().map(|error| error as _)
        }
    }

    #[test]
    fn the_chain_starts_below_the_error_itself() {
        let leaf = Layer(None);
        assert!(!source_is::<Layer>(&leaf));
        assert!(source_is::<Layer>(&Layer(Some(leaf.into()))));
    }

    #[test]
    fn an_error_hidden_in_an_io_error_is_found() {
        let hidden = io::Error::other(Layer(None));
        assert!(source_is::<Layer>(&hidden));
        assert!(source_is::<Layer>(&Layer(Some(hidden.into()))));
    }

    #[test]
    fn a_chain_that_leads_back_to_itself_ends() {
        #[derive(Debug)]
        struct Ouroboros;
        impl fmt::Display for Ouroboros {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("ouroboros")
            }
        }
        impl Error for Ouroboros {
            fn source(&self) -> Option<&(dyn Error + 'static)> {
                Some(&Ouroboros)
            }
        }
        assert!(!source_is::<Layer>(&Ouroboros));
        assert!(source_is::<Ouroboros>(&Ouroboros));
    }

    #[test]
    fn a_condition_grants_no_more_retries_than_it_may() {
        let mut granted = 0;
        let mut ask = |verdict| at_most(verdict, &mut granted, 2);
        assert_eq!(ask(Verdict::Retry), Verdict::Retry);
        assert_eq!(ask(Verdict::Final), Verdict::Final);
        assert_eq!(ask(Verdict::Ambiguous), Verdict::Ambiguous);
        assert_eq!(ask(Verdict::Retry), Verdict::Final);
        assert_eq!(at_most(Verdict::Retry, &mut 0, 0), Verdict::Final);
    }
}
