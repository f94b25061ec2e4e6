//! A status as an error.

use core::error::Error;
use core::fmt;
use core::time::Duration;

use ::http::StatusCode;
use retry_core::{Transient, Verdict};

/// An answer whose status is not good, and what that means; from
/// [`Statuses::check`](super::Statuses::check).
///
/// It is [`Transient`], so that `on` may be left out, and an error of your own can ask it:
///
/// ```
/// use http::Response;
/// use retry::http::{StatusError, statuses};
/// use retry::{Transient, Verdict};
/// use std::io;
///
/// enum FetchError {
///     Io(io::Error),
///     Status(StatusError),
/// }
///
/// impl Transient for FetchError {
///     fn verdict(&self) -> Verdict {
///         match self {
///             Self::Io(error) => error.verdict(),
///             Self::Status(error) => error.verdict(),
///         }
///     }
/// }
///
/// let busy = Response::builder().status(503).header("retry-after", "7").body(())?;
/// let error = statuses::transient().check(busy).unwrap_err();
/// assert_eq!(error.to_string(), "503 Service Unavailable, to be retried after 7s");
/// assert!(FetchError::Status(error).verdict().is_retry());
/// # let _ = FetchError::Io(io::Error::other("reset"));
/// # Ok::<(), http::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatusError {
    status: StatusCode,
    verdict: Verdict,
}

impl StatusError {
    pub(super) const fn new(status: StatusCode, verdict: Verdict) -> Self {
        Self { status, verdict }
    }

    /// The status.
    pub const fn status(&self) -> StatusCode {
        self.status
    }

    /// How long the server asked to be left alone; `None` if it did not, or if the status is not one
    /// to retry.
    pub const fn retry_after(&self) -> Option<Duration> {
        self.verdict.hint()
    }
}

// What a mistake is told must not depend on the feature.
#[diagnostic::do_not_recommend]
impl Transient for StatusError {
    fn verdict(&self) -> Verdict {
        self.verdict
    }
}

impl fmt::Display for StatusError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Its own `Display` gives a number without a name the name `<unknown status code>`.
        match self.status.canonical_reason() {
            Some(reason) => write!(f, "{} {reason}", self.status.as_str())?,
            None => f.write_str(self.status.as_str())?,
        }
        match self.retry_after() {
            Some(wait) => write!(f, ", to be retried after {wait:?}"),
            None => Ok(()),
        }
    }
}

impl Error for StatusError {}
