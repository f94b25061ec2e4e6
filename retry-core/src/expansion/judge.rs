//! What the `on` of an attribute is expanded to: calls of these, where the outcome is at hand, so
//! that closures need no annotations and may borrow.

use core::error::Error;
use core::ops::Deref;
use std::sync::Arc;

use crate::expansion::compared::Compared;
use crate::strategy::on::chain::{judge_sources, source_is};
use crate::strategy::on::{IntoOn, IntoVerdict, WithoutArguments};
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

/// `marked()`: none is, but for what the body says.
#[inline]
pub fn marked<O: Outcome>(_: &O) -> Verdict {
    Verdict::Final
}

/// `transient()`: the error itself knows.
#[inline]
pub fn transient<O>(outcome: &O) -> Verdict
where
    O: Outcome,
    O::Error: Transient,
{
    error(outcome, Transient::verdict)
}

/// What an error means where `on` is left out.
#[inline]
pub fn without_on(asked: impl Itself) -> Verdict {
    asked.knows()
}

/// The outcome of an attempt, where `on` is left out.
#[derive(Debug)]
pub struct Asked<'a, O>(pub &'a O);

/// Whom to ask, by one method lookup: the error itself, unless it is one that may hold any other, of
/// which there is something else to say.
pub trait Ask {
    /// Who that is.
    type Asked;

    /// Who that is.
    fn __retry_ask(&self) -> Self::Asked;
}

impl<'a, T, E: Transient> Ask for &&Asked<'a, Result<T, E>> {
    type Asked = Knowing<'a, Result<T, E>>;

    #[inline]
    fn __retry_ask(&self) -> Self::Asked {
        Knowing(self.0)
    }
}

impl<'a, T, E: Deref<Target: AnyOther>> Ask for &Asked<'a, Result<T, E>> {
    type Asked = Holding<'a, E>;

    #[inline]
    fn __retry_ask(&self) -> Self::Asked {
        Holding(self.0.as_ref().err())
    }
}

impl<'a, O> Ask for Asked<'a, O> {
    type Asked = Knowing<'a, O>;

    #[inline]
    fn __retry_ask(&self) -> Self::Asked {
        Knowing(self.0)
    }
}

/// An outcome whose error must know itself.
#[derive(Debug)]
pub struct Knowing<'a, O>(&'a O);

/// An error that may hold any other.
#[derive(Debug)]
pub struct Holding<'a, E>(Option<&'a E>);

/// What boxed errors point to, and what anyhow's and eyre's do.
pub trait AnyOther {}

impl AnyOther for dyn Error {}
impl AnyOther for dyn Error + Send {}
impl AnyOther for dyn Error + Send + Sync {}

/// What knows what the outcome means.
pub trait Itself {
    /// That.
    fn knows(self) -> Verdict;
}

impl<O: Outcome<Error: Transient>> Itself for Knowing<'_, O> {
    #[inline]
    fn knows(self) -> Verdict {
        transient(self.0)
    }
}

impl<E: SaysWhichOnes> Itself for Holding<'_, E> {
    fn knows(self) -> Verdict {
        self.0.map_or(Verdict::Final, SaysWhichOnes::verdict)
    }
}

/// What no error that may hold any other can do.
#[diagnostic::on_unimplemented(
    message = "`#[retry]` cannot tell which `{Self}` is worth another attempt",
    label = "any error may be in a `{Self}`",
    note = "say which errors to retry: `on = is::<std::io::Error>()`, `on = |error| …`, or `on = any_error()` for all of them"
)]
pub trait SaysWhichOnes {
    /// What this one means.
    fn verdict(&self) -> Verdict;
}

/// The function of `f()` in `on`, before it is called.
#[derive(Debug)]
pub struct Called<F>(pub F);

/// `f()`, which gives a condition or a function of the error.
pub trait Gives {
    /// What it gives.
    type Given;
    /// Calls it.
    fn give(self) -> Self::Given;
}

impl<G, F: FnOnce() -> G> Gives for Called<F> {
    type Given = G;

    #[inline]
    fn give(self) -> G {
        self.0()
    }
}

/// `f()` where `f` takes an argument: found by method lookup where [`Gives`] is not.
pub trait GivesNot {
    /// Its function.
    type F;
    /// Never called.
    fn give(self) -> <Self::F as WithoutArguments>::Given
    where
        Self::F: WithoutArguments;
}

impl<F> GivesNot for &Called<F> {
    type F = F;

    fn give(self) -> F::Given
    where
        F: WithoutArguments,
    {
        F::GIVEN
    }
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

/// The type of an error, as which one in a box or in a chain can be.
#[diagnostic::on_unimplemented(
    message = "no error can be a `{Self}`, which is none itself",
    label = "does not implement `std::error::Error`",
    note = "name the type of an error, such as `is::<std::io::Error>()`; what one says of itself is asked in a closure: `on = |error| …`"
)]
pub trait AnError: Error + 'static {}

#[diagnostic::do_not_recommend]
impl<E: Error + 'static> AnError for E {}

/// `is::<T>()` on a boxed error.
pub trait IsDyn {
    /// Whether the error in the box is a `T`.
    fn is<T: AnError>(&self) -> bool;

    /// The error in the box as a `T`.
    fn downcast_ref<T: AnError>(&self) -> Option<&T>;
}

/// `source_is::<T>()` on a concrete error.
pub trait SourceIsAny {
    /// Whether an error in the source chain, below this one, is a `T`.
    fn source_is<T: AnError>(&self) -> bool;

    /// What `f` says of those that are.
    fn judge_sources<T, V, F>(&self, f: F) -> Verdict
    where
        T: AnError,
        V: IntoVerdict,
        F: FnMut(&T) -> V;
}

impl<E: Error + 'static> SourceIsAny for &E {
    fn source_is<T: AnError>(&self) -> bool {
        source_is::<T>(*self)
    }

    fn judge_sources<T, V, F>(&self, f: F) -> Verdict
    where
        T: AnError,
        V: IntoVerdict,
        F: FnMut(&T) -> V,
    {
        judge_sources(*self, f)
    }
}

/// `source_is::<T>()` on a boxed error, and on what dereferences to one (anyhow's).
pub trait SourceIsDyn {
    /// Whether an error in the source chain, below this one, is a `T`.
    fn source_is<T: AnError>(&self) -> bool;

    /// What `f` says of those that are.
    fn judge_sources<T, V, F>(&self, f: F) -> Verdict
    where
        T: AnError,
        V: IntoVerdict,
        F: FnMut(&T) -> V;
}

macro_rules! boxed {
    ($($error:ty),*) => {$(
        impl IsDyn for Box<$error> {
            fn is<T: AnError>(&self) -> bool {
                (**self).is::<T>()
            }

            fn downcast_ref<T: AnError>(&self) -> Option<&T> {
                (**self).downcast_ref()
            }
        }

        impl IsDyn for Arc<$error> {
            fn is<T: AnError>(&self) -> bool {
                (**self).is::<T>()
            }

            fn downcast_ref<T: AnError>(&self) -> Option<&T> {
                (**self).downcast_ref()
            }
        }

        impl SourceIsDyn for Arc<$error> {
            // Not left to the `Error` impl of `Arc`, behind which an `io::Error` is hidden.
            fn source_is<T: AnError>(&self) -> bool {
                source_is::<T>(&**self)
            }

            fn judge_sources<T, V, F>(&self, f: F) -> Verdict
            where
                T: AnError,
                V: IntoVerdict,
                F: FnMut(&T) -> V,
            {
                judge_sources(&**self, f)
            }
        }

        impl SourceIsDyn for $error {
            fn source_is<T: AnError>(&self) -> bool {
                source_is::<T>(self)
            }

            fn judge_sources<T, V, F>(&self, f: F) -> Verdict
            where
                T: AnError,
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
