//! The conditions themselves.

use core::error::Error;
use core::fmt;
use core::marker::PhantomData;

use crate::strategy::kind::{IsFunction, IsValue};
use crate::strategy::on::{IntoVerdict, On, OnError, chain};
use crate::verdict::outcome::Outcome;
use crate::verdict::transient::Transient;
use crate::verdict::verdict::Verdict;

/// Judges a failure by its error, with a function that answers `bool` or [`Verdict`]; a success
/// is final.
///
/// ```
/// use retry::{On, Verdict, on};
///
/// let server = on::error(|status: &u16| *status >= 500);
/// assert!(server.verdict(&Err::<(), _>(503)).is_retry());
/// assert!(server.verdict(&Err::<(), _>(404)).is_final());
/// assert!(server.verdict(&Ok::<_, u16>(())).is_final());
/// ```
pub const fn error<F>(f: F) -> ByError<F> {
    ByError(f)
}

/// See [`error`].
#[derive(Clone, Copy)]
#[must_use]
pub struct ByError<F>(F);

/// Judges a success by its value, with a function that answers `bool` or [`Verdict`]; a failure
/// is final.
///
/// ```
/// use retry::{On, on};
///
/// let pending = on::ok(|state: &&str| *state == "pending");
/// assert!(pending.verdict(&Ok::<_, ()>("pending")).is_retry());
/// assert!(pending.verdict(&Ok::<_, ()>("done")).is_final());
/// assert!(pending.verdict(&Err(())).is_final());
/// ```
pub const fn ok<F>(f: F) -> ByOk<F> {
    ByOk(f)
}

/// See [`ok`].
#[derive(Clone, Copy)]
#[must_use]
pub struct ByOk<F>(F);

/// Judges the whole outcome, with a function that answers `bool` or [`Verdict`].
///
/// ```
/// use retry::{On, on};
///
/// let unavailable = on::output(|status: &u16| *status == 503);
/// assert!(unavailable.verdict(&503).is_retry());
/// assert!(unavailable.verdict(&200).is_final());
/// ```
pub const fn output<F>(f: F) -> ByOutput<F> {
    ByOutput(f)
}

/// See [`output`].
#[derive(Clone, Copy)]
#[must_use]
pub struct ByOutput<F>(F);

/// Every failure is worth another attempt.
///
/// ```
/// use retry::{On, on};
///
/// assert!(on::any_error().verdict(&None::<u8>).is_retry());
/// assert!(on::any_error().verdict(&Some(1)).is_final());
/// ```
pub const fn any_error() -> AnyError {
    AnyError
}

/// See [`any_error`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct AnyError;

/// The error itself knows: it implements [`Transient`].
///
/// ```
/// use retry::{On, on};
/// use std::io;
///
/// let refused: io::Result<()> = Err(io::ErrorKind::ConnectionRefused.into());
/// let missing: io::Result<()> = Err(io::ErrorKind::NotFound.into());
/// assert!(on::transient().verdict(&refused).is_retry());
/// assert!(on::transient().verdict(&missing).is_final());
/// ```
pub const fn transient() -> ByTransient {
    ByTransient
}

/// See [`transient`]. It is what a policy without `on` goes by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct ByTransient;

/// Nothing is worth another attempt but what the body has marked so, by [`transient`](crate::Mark::transient)
/// and its like.
///
/// For functions in which only a few of the exits may be tried again, and the exit says more than the type
/// of the error. A mark overrules every condition, so beside others this one adds nothing.
///
/// ```
/// use retry::{Mark, retry};
///
/// #[retry(stop = attempts(3), wait = none(), on = marked())]
/// fn update(reads: &mut u32) -> Result<u32, String> {
///     *reads += 1;
///     if *reads < 2 {
///         return Err("the version has changed".to_owned()).transient();
///     }
///     Err("no such row".to_owned())
/// }
///
/// let mut reads = 0;
/// assert_eq!(update(&mut reads), Err("no such row".to_owned()));
/// assert_eq!(reads, 2);
/// ```
///
/// In a policy it serves the functions that take it with `policy = …`, and `Policy::call`. A
/// [`Schedule`](crate::Schedule) hears no marks, and with this stops at the first failure.
pub const fn marked() -> Marked {
    Marked
}

/// See [`marked`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct Marked;

/// The error is a `T`, or a boxed one that holds a `T`.
///
/// A `Box` or `Arc` of `dyn Error` (with `Send`, or `Send + Sync`) is looked into; an error that
/// hides its content in a type of its own, such as anyhow's, is not: ask it yourself with
/// [`error`].
///
/// ```
/// use retry::{On, on};
/// use std::{fmt, io};
///
/// let boxed: Result<(), Box<dyn std::error::Error>> = Err(Box::new(fmt::Error));
/// assert!(on::is::<fmt::Error>().verdict(&boxed).is_retry());
/// assert!(on::is::<io::Error>().verdict(&boxed).is_final());
/// ```
pub const fn is<T: Error + 'static>() -> Is<T> {
    Is(PhantomData)
}

/// See [`is`].
#[must_use]
pub struct Is<T>(PhantomData<fn() -> T>);

impl<T> Is<T> {
    /// Lets `f` judge the `T`, with a `bool` or a [`Verdict`]. In an attribute it is written
    /// `is::<T>(f)`.
    ///
    /// ```
    /// use retry::{On, Transient, on};
    /// use std::io;
    ///
    /// let io = on::is::<io::Error>().judged_by(Transient::verdict);
    /// let outcome = |kind: io::ErrorKind| -> Result<(), Box<dyn std::error::Error>> {
    ///     Err(Box::new(io::Error::from(kind)))
    /// };
    /// assert!(io.verdict(&outcome(io::ErrorKind::ConnectionRefused)).is_retry());
    /// assert!(io.verdict(&outcome(io::ErrorKind::PermissionDenied)).is_final());
    /// ```
    pub const fn judged_by<F: Fn(&T) -> V, V: IntoVerdict>(self, f: F) -> IsJudged<T, F> {
        IsJudged(f, PhantomData)
    }
}

/// See [`Is::judged_by`].
#[must_use]
pub struct IsJudged<T, F>(F, PhantomData<fn() -> T>);

/// An error in the source chain, below the error itself, is a `T`. At most 64 are looked at.
///
/// The error must implement [`Error`], which a `Box<dyn Error>` does not.
///
/// ```
/// use retry::{On, on};
/// use std::{fmt, io};
///
/// let wrapped: io::Result<()> = Err(io::Error::other(fmt::Error));
/// assert!(on::source_is::<fmt::Error>().verdict(&wrapped).is_retry());
/// // The error itself is not below itself.
/// assert!(on::source_is::<io::Error>().verdict(&wrapped).is_final());
/// ```
pub const fn source_is<T: Error + 'static>() -> SourceIs<T> {
    SourceIs(PhantomData)
}

/// See [`source_is`].
#[must_use]
pub struct SourceIs<T>(PhantomData<fn() -> T>);

impl<T> SourceIs<T> {
    /// Lets `f` judge the `T`, with a `bool` or a [`Verdict`]; where several are in the chain, it is
    /// asked of each, and anything beats `Final`. In an attribute it is written `source_is::<T>(f)`.
    ///
    /// ```
    /// use retry::{On, Transient, on};
    /// use std::io;
    ///
    /// let io = on::source_is::<io::Error>().judged_by(Transient::verdict);
    /// let outcome = |kind: io::ErrorKind| io::Result::<()>::Err(io::Error::other(io::Error::from(kind)));
    /// assert!(io.verdict(&outcome(io::ErrorKind::ConnectionRefused)).is_retry());
    /// assert!(io.verdict(&outcome(io::ErrorKind::PermissionDenied)).is_final());
    /// ```
    pub const fn judged_by<F: Fn(&T) -> V, V: IntoVerdict>(self, f: F) -> SourceIsJudged<T, F> {
        SourceIsJudged(f, PhantomData)
    }
}

/// See [`SourceIs::judged_by`].
#[must_use]
pub struct SourceIsJudged<T, F>(F, PhantomData<fn() -> T>);

/// What a call of the user's own returned: a condition, or a function of the error.
#[doc(hidden)]
pub const fn returned<C, Kind>(condition: C) -> Returned<C, Kind> {
    Returned(condition, PhantomData)
}

/// See [`returned`].
#[doc(hidden)]
#[must_use]
pub struct Returned<C, Kind>(C, PhantomData<fn() -> Kind>);

impl<O, F, V> On<O> for ByOk<F>
where
    O: Outcome,
    F: Fn(&O::Ok) -> V,
    V: IntoVerdict,
{
    fn verdict(&self, outcome: &O) -> Verdict {
        match outcome.as_result() {
            Ok(value) => (self.0)(value).into_verdict(),
            Err(_) => Verdict::Final,
        }
    }
}

impl<O, F, V> On<O> for ByOutput<F>
where
    F: Fn(&O) -> V,
    V: IntoVerdict,
{
    fn verdict(&self, outcome: &O) -> Verdict {
        (self.0)(outcome).into_verdict()
    }
}

/// Both traits at once for what judges an error by itself.
macro_rules! errors_only {
    ($([$($param:ident)* $(; $answer:ident)?] $condition:ty, where [$($bounds:tt)*]: |$this:ident, $error:ident| $verdict:expr;)*) => {$(
        impl<E, $($param,)* $($answer)?> OnError<E> for $condition
        where
            $($bounds)*
        {
            fn error_verdict(&self, $error: &E) -> Verdict {
                let $this = self;
                $verdict
            }
        }

        impl<O: Outcome, $($param),*> On<O> for $condition
        where
            Self: OnError<O::Error>,
        {
            fn verdict(&self, outcome: &O) -> Verdict {
                match outcome.as_result() {
                    Ok(_) => Verdict::Final,
                    Err(error) => self.error_verdict(error),
                }
            }
        }
    )*};
}

errors_only! {
    [F; V] ByError<F>, where [F: Fn(&E) -> V, V: IntoVerdict]:
        |this, error| (this.0)(error).into_verdict();
    [] AnyError, where []: |_this, _error| Verdict::Retry;
    [] Marked, where []: |_this, _error| Verdict::Final;
    [] ByTransient, where [E: Transient]: |_this, error| error.verdict();
    [T] Is<T>, where [E: 'static, T: Error + 'static]: |_this, error| chain::held::<T>(error).is_some().into();
    [T F; V] IsJudged<T, F>, where [E: 'static, T: Error + 'static, F: Fn(&T) -> V, V: IntoVerdict]:
        |this, error| chain::held(error).map_or(Verdict::Final, |held| (this.0)(held).into_verdict());
    [T] SourceIs<T>, where [E: Error + 'static, T: Error + 'static]:
        |_this, error| chain::source_is::<T>(error).into();
    [T F; V] SourceIsJudged<T, F>, where
        [E: Error + 'static, T: Error + 'static, F: Fn(&T) -> V, V: IntoVerdict]:
        |this, error| chain::judge_sources(error, &this.0);
    [F V] Returned<F, IsFunction<V>>, where [F: Fn(&E) -> V, V: IntoVerdict]:
        |this, error| (this.0)(error).into_verdict();
}

impl<O, C: On<O>> On<O> for Returned<C, IsValue> {
    fn verdict(&self, outcome: &O) -> Verdict {
        self.0.verdict(outcome)
    }
}

impl<E, C: OnError<E>> OnError<E> for Returned<C, IsValue> {
    fn error_verdict(&self, error: &E) -> Verdict {
        self.0.error_verdict(error)
    }
}

macro_rules! opaque {
    ($($condition:ident<$($param:ident),+>),*) => {$(
        impl<$($param),+> fmt::Debug for $condition<$($param),+> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($condition), "(..)"))
            }
        }
    )*};
}

opaque!(ByError<F>, ByOk<F>, ByOutput<F>, IsJudged<T, F>, SourceIsJudged<T, F>, Returned<C, K>);

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

macro_rules! cloned {
    ($($condition:ident<$part:ident, $of:ident>: $($params:ident),+;)*) => {$(
        impl<$of, $part: Clone> Clone for $condition<$($params),+> {
            fn clone(&self) -> Self {
                Self(self.0.clone(), PhantomData)
            }
        }
    )*};
}

cloned! {
    Returned<C, K>: C, K;
    IsJudged<F, T>: T, F;
    SourceIsJudged<F, T>: T, F;
}
