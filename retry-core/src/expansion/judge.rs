//! What the `on` of an attribute is expanded to: calls of these, where the outcome is at hand, so
//! that closures need no annotations and may borrow.

use core::error::Error;
use std::sync::Arc;

use crate::expansion::compared::Compared;
use crate::strategy::on::chain::{judge_sources, source_is};
use crate::strategy::on::{IntoOn, IntoVerdict};
use crate::verdict::outcome::Outcome;
use crate::verdict::transient::Transient;
use crate::verdict::verdict::Verdict;

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

/// `is::<T>(f)`: judges the `T` that was found.
pub fn found<T, V: IntoVerdict>(found: Option<&T>, f: impl FnOnce(&T) -> V) -> Verdict {
    found.map_or(Verdict::Final, |found| f(found).into_verdict())
}

/// `is::<T>()` on a concrete error, or on a generic one.
pub trait IsAny {
    /// What the error is.
    type Error;

    /// Whether the error is a `T`.
    fn is<T: 'static>(&self) -> Compared<Self::Error, T>;

    /// The error as a `T`.
    fn downcast_ref<T: 'static>(&self) -> Option<&T>;
}

impl<E: 'static> IsAny for &E {
    type Error = E;

    fn is<T: 'static>(&self) -> Compared<E, T> {
        Compared::new()
    }

    fn downcast_ref<T: 'static>(&self) -> Option<&T> {
        <dyn core::any::Any>::downcast_ref(*self)
    }
}

/// `is::<T>()` on a boxed error.
pub trait IsDyn {
    /// Whether the error in the box is a `T`.
    fn is<T: Error + 'static>(&self) -> bool;

    /// The error in the box as a `T`.
    fn downcast_ref<T: Error + 'static>(&self) -> Option<&T>;
}

/// `source_is::<T>()` on a concrete error.
pub trait SourceIsAny {
    /// Whether an error in the source chain, below this one, is a `T`.
    fn source_is<T: Error + 'static>(&self) -> bool;

    /// What `f` says of those that are.
    fn judge_sources<T, V, F>(&self, f: F) -> Verdict
    where
        T: Error + 'static,
        V: IntoVerdict,
        F: FnMut(&T) -> V;
}

impl<E: Error + 'static> SourceIsAny for &E {
    fn source_is<T: Error + 'static>(&self) -> bool {
        source_is::<T>(*self)
    }

    fn judge_sources<T, V, F>(&self, f: F) -> Verdict
    where
        T: Error + 'static,
        V: IntoVerdict,
        F: FnMut(&T) -> V,
    {
        judge_sources(*self, f)
    }
}

/// `source_is::<T>()` on a boxed error, and on what dereferences to one (anyhow's).
pub trait SourceIsDyn {
    /// Whether an error in the source chain, below this one, is a `T`.
    fn source_is<T: Error + 'static>(&self) -> bool;

    /// What `f` says of those that are.
    fn judge_sources<T, V, F>(&self, f: F) -> Verdict
    where
        T: Error + 'static,
        V: IntoVerdict,
        F: FnMut(&T) -> V;
}

macro_rules! boxed {
    ($($error:ty),*) => {$(
        impl IsDyn for Box<$error> {
            fn is<T: Error + 'static>(&self) -> bool {
                (**self).is::<T>()
            }

            fn downcast_ref<T: Error + 'static>(&self) -> Option<&T> {
                (**self).downcast_ref()
            }
        }

        impl IsDyn for Arc<$error> {
            fn is<T: Error + 'static>(&self) -> bool {
                (**self).is::<T>()
            }

            fn downcast_ref<T: Error + 'static>(&self) -> Option<&T> {
                (**self).downcast_ref()
            }
        }

        impl SourceIsDyn for Arc<$error> {
            // Not left to the `Error` impl of `Arc`, behind which an `io::Error` is hidden.
            fn source_is<T: Error + 'static>(&self) -> bool {
                source_is::<T>(&**self)
            }

            fn judge_sources<T, V, F>(&self, f: F) -> Verdict
            where
                T: Error + 'static,
                V: IntoVerdict,
                F: FnMut(&T) -> V,
            {
                judge_sources(&**self, f)
            }
        }

        impl SourceIsDyn for $error {
            fn source_is<T: Error + 'static>(&self) -> bool {
                source_is::<T>(self)
            }

            fn judge_sources<T, V, F>(&self, f: F) -> Verdict
            where
                T: Error + 'static,
                V: IntoVerdict,
                F: FnMut(&T) -> V,
            {
                judge_sources(self, f)
            }
        }
    )*};
}

boxed!(dyn Error, dyn Error + Send, dyn Error + Send + Sync);

#[cfg(test)]
mod tests {
    use super::*;

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
