//! An answer as an error.

use ::reqwest::Response;

use crate::http::{StatusError, Statuses};

/// What an answer of reqwest can be asked, too.
pub trait ResponseExt: sealed::Sealed + Sized {
    /// The answer if it is good; otherwise its status as an error, which knows what it means and how
    /// long the server asked to wait.
    ///
    /// It is reqwest's `error_for_status` with the headers read, and without the URL in the error.
    /// A status is not good if it is a 4xx or 5xx, or in the set. The rest of the answer is dropped.
    ///
    /// ```
    /// use retry::http::statuses;
    /// use retry::reqwest::ResponseExt;
    /// use std::time::Duration;
    ///
    /// let busy = http::Response::builder().status(503).header("retry-after", "7").body("")?;
    /// let error = reqwest::Response::from(busy).check_status(&statuses::transient()).unwrap_err();
    /// assert_eq!(error.retry_after(), Some(Duration::from_secs(7)));
    /// # Ok::<(), http::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The status, if it is not good.
    fn check_status(self, statuses: &Statuses) -> Result<Self, StatusError>;
}

impl ResponseExt for Response {
    fn check_status(self, statuses: &Statuses) -> Result<Self, StatusError> {
        match statuses.check_of(self.status(), self.headers()) {
            Ok(()) => Ok(self),
            Err(error) => Err(error),
        }
    }
}

mod sealed {
    #[allow(unreachable_pub)] // public, but in no public module
    pub trait Sealed {}
    impl Sealed for ::reqwest::Response {}
}
