//! Errors that know what they mean.

use crate::verdict::verdict::Verdict;

/// An error that knows whether another attempt may succeed.
///
/// With it on the error type, `on` may be left out of `#[retry]`. The derive of the same name makes it
/// of marks on the variants:
///
/// ```
/// use retry::{Transient, Verdict};
///
/// #[derive(Transient)]
/// enum ApiError {
///     #[transient]
///     Unavailable,
///     // The request may have arrived.
///     #[ambiguous]
///     TimedOut,
///     #[permanent]
///     NotFound,
/// }
/// assert_eq!(ApiError::TimedOut.verdict(), Verdict::Ambiguous);
/// ```
///
/// Where more than the variant decides, it is written by hand:
///
/// ```
/// use retry::{Transient, Verdict};
///
/// enum ApiError {
///     Status(u16),
///     TimedOut,
/// }
///
/// impl Transient for ApiError {
///     fn verdict(&self) -> Verdict {
///         match self {
///             Self::Status(429) => Verdict::Retry.throttled(),
///             Self::Status(502 | 503) => Verdict::Retry,
///             Self::Status(504) | Self::TimedOut => Verdict::Ambiguous,
///             Self::Status(_) => Verdict::Final,
///         }
///     }
/// }
///
/// #[retry::retry(stop = attempts(3), wait = none())]
/// fn fetch() -> Result<u32, ApiError> {
///     Err(ApiError::Status(404))
/// }
/// assert!(matches!(fetch(), Err(ApiError::Status(404))));
/// ```
#[diagnostic::on_unimplemented(
    message = "`#[retry]` cannot tell whether `{Self}` is worth another attempt",
    label = "`{Self}` does not implement `retry::Transient`",
    note = "say which errors to retry: `on = |error| …`, `on = any_error()`, or the path of a function",
    note = "or, if the type is yours, put that knowledge on it: `#[derive(retry::Transient)]`, and leave `on` out"
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
