//! Errors that know what they mean.

use crate::verdict::verdict::Verdict;

/// An error that knows whether another attempt may succeed.
///
/// With it on the error type, `on` may be left out of `#[retry]`:
///
/// ```
/// use retry::{Transient, Verdict};
///
/// enum ApiError {
///     Unavailable,
///     TimedOut,
///     NotFound,
/// }
///
/// impl Transient for ApiError {
///     fn verdict(&self) -> Verdict {
///         match self {
///             Self::Unavailable => Verdict::Retry,
///             // The request may have arrived.
///             Self::TimedOut => Verdict::Ambiguous,
///             Self::NotFound => Verdict::Final,
///         }
///     }
/// }
///
/// #[retry::retry(stop = attempts(3), wait = none())]
/// fn fetch() -> Result<u32, ApiError> {
///     Err(ApiError::NotFound)
/// }
/// assert!(matches!(fetch(), Err(ApiError::NotFound)));
/// ```
#[diagnostic::on_unimplemented(
    message = "`#[retry]` cannot tell whether `{Self}` is worth another attempt",
    label = "`{Self}` does not implement `retry::Transient`",
    note = "say which errors to retry: `on = |error| …`, `on = any_error()`, or the path of a function",
    note = "or, if the type is yours, put that knowledge on it: `impl retry::Transient for {Self}`, and leave `on` out"
)]
pub trait Transient {
    /// What this error means for the attempt that ended with it.
    fn verdict(&self) -> Verdict;
}

macro_rules! transient_through {
    ($($pointer:ty),*) => {$(
        impl<E: Transient + ?Sized> Transient for $pointer {
            fn verdict(&self) -> Verdict {
                (**self).verdict()
            }
        }
    )*};
}

transient_through!(&E, Box<E>, std::rc::Rc<E>, std::sync::Arc<E>);

impl Transient for core::convert::Infallible {
    fn verdict(&self) -> Verdict {
        match *self {}
    }
}
