//! What an attempt may end with.

use core::fmt;

/// What a retried function may return where its errors or values are judged apart: a `Result`
/// or an `Option`.
///
/// The conditions `error(f)`, `ok(f)`, `any_error()`, `is::<T>()`, `source_is::<T>()` and
/// `transient()` need it; `output(f)` and `matches(…)` judge a value of any type. An `Option`'s
/// error is [`NoValue`]. Of an outcome with layers, such as `Result<Result<T, E>, Elapsed>`, they judge
/// the outer one; `matches(Ok(Err(_)))` looks inside. No other type can be one: an annotated function looks for the error in
/// these two before it knows any trait.
#[diagnostic::on_unimplemented(
    message = "`#[retry]` cannot find an error in `{Self}`",
    label = "neither a `Result` nor an `Option`",
    note = "if this is a future: make the function an `async fn`, or end it with an `async` block; a policy calls an async closure with `call_async`",
    note = "else judge the whole value: `on = output(|value| …)` or `on = matches(…)`",
    note = "a `Schedule` is told the outcome, a `Result`, and not its error alone"
)]
pub trait Outcome: sealed::Sealed {
    /// The value of a success.
    type Ok;
    /// The error of a failure.
    type Error;

    /// The outcome as a `Result` of references.
    #[allow(clippy::missing_errors_doc)] // the error is the outcome's own
    fn as_result(&self) -> Result<&Self::Ok, &Self::Error>;

    /// The outcome as a `Result`.
    #[allow(clippy::missing_errors_doc)]
    fn into_result(self) -> Result<Self::Ok, Self::Error>;
}

mod sealed {
    #[diagnostic::on_unimplemented(
        message = "`{Self}` cannot be made an outcome",
        label = "only a `Result` and an `Option` are",
        note = "return a `Result` or an `Option`, or judge the whole value: `on = output(|value| …)` or `on = matches(…)`"
    )]
    #[allow(unreachable_pub)] // public, but in no public module
    pub trait Sealed {}
    impl<T, E> Sealed for Result<T, E> {}
    impl<T> Sealed for Option<T> {}
}

impl<T, E> Outcome for Result<T, E> {
    type Ok = T;
    type Error = E;

    #[inline]
    fn as_result(&self) -> Result<&T, &E> {
        self.as_ref()
    }

    #[inline]
    fn into_result(self) -> Self {
        self
    }
}

impl<T> Outcome for Option<T> {
    type Ok = T;
    type Error = NoValue;

    #[inline]
    fn as_result(&self) -> Result<&T, &NoValue> {
        self.as_ref().ok_or(&NoValue)
    }

    #[inline]
    fn into_result(self) -> Result<T, NoValue> {
        self.ok_or(NoValue)
    }
}

/// The error of an `Option` that is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NoValue;

impl fmt::Display for NoValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no value")
    }
}

impl core::error::Error for NoValue {}
