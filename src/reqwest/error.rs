//! What can go wrong with a request, as one error that shows no URL.

use core::error::Error;
use core::fmt;

use ::http::StatusCode;
use ::reqwest::Url;
use retry_core::{Interrupted, Transient, Verdict};

use crate::http::StatusError;

/// A request that was not answered, or not well.
///
/// It is made of a [`reqwest::Error`](::reqwest::Error) and of a [`StatusError`] by `?`, and of an
/// [`Interrupted`], so that it serves functions with a `deadline`, an `attempt_timeout` or a `breaker`.
/// What it means is what those mean.
///
/// A URL may hold what is nobody's business, such as a key of an API, and what an error displays ends
/// up in logs. This one shows it nowhere: not in its `Display`, not in its `Debug`, and not in its
/// [`source`](Error::source). [`url`](Self::url) knows it.
///
/// A function that returns a plain `reqwest::Error` keeps it out of the events by
/// `describe = |outcome| …`; see the [guide](crate::guide::http#with-reqwest).
///
/// ```
/// use retry::Transient;
/// use retry::reqwest::RequestError;
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let client = reqwest::Client::builder().no_proxy().build().unwrap();
/// // Nobody listens there.
/// let failed = client.get("http://127.0.0.1:1/?key=secret").send().await;
/// let error = RequestError::from(failed.unwrap_err());
/// assert!(error.verdict().is_retry());
/// assert!(!format!("{error} {error:?}").contains("secret"));
/// assert_eq!(error.url().unwrap().query(), Some("key=secret"));
/// # }
/// ```
pub struct RequestError {
    cause: Cause,
    // Boxed, as a `Url` is large and most results hold no error.
    url: Option<Box<Url>>,
}

#[derive(Debug)]
enum Cause {
    Failed(::reqwest::Error),
    Status(StatusError),
    Interrupted(Interrupted),
    Spent,
}

impl RequestError {
    /// There is nothing left to send.
    pub(super) const fn spent() -> Self {
        Self { cause: Cause::Spent, url: None }
    }

    /// Where it was sent, or was redirected to last; `None` if that is not known.
    pub fn url(&self) -> Option<&Url> {
        self.url.as_deref()
    }

    /// The error of the client, without its URL.
    pub fn failed(&self) -> Option<&::reqwest::Error> {
        match &self.cause {
            Cause::Failed(error) => Some(error),
            _ => None,
        }
    }

    /// The status, if it was answered.
    pub fn status(&self) -> Option<StatusCode> {
        match &self.cause {
            Cause::Failed(error) => error.status(),
            Cause::Status(error) => Some(error.status()),
            Cause::Interrupted(_) | Cause::Spent => None,
        }
    }

    /// What cut or refused the call, if that is what happened.
    pub fn interrupted(&self) -> Option<Interrupted> {
        match self.cause {
            Cause::Interrupted(interrupted) => Some(interrupted),
            _ => None,
        }
    }
}

#[diagnostic::do_not_recommend]
impl Transient for RequestError {
    fn verdict(&self) -> Verdict {
        match &self.cause {
            Cause::Failed(error) => error.verdict(),
            Cause::Status(error) => error.verdict(),
            Cause::Interrupted(interrupted) => interrupted.verdict(),
            Cause::Spent => Verdict::Final,
        }
    }
}

impl From<::reqwest::Error> for RequestError {
    fn from(error: ::reqwest::Error) -> Self {
        let url = error.url().cloned().map(Box::new);
        Self { cause: Cause::Failed(error.without_url()), url }
    }
}

impl From<StatusError> for RequestError {
    fn from(error: StatusError) -> Self {
        Self { cause: Cause::Status(error), url: None }
    }
}

impl From<Interrupted> for RequestError {
    fn from(interrupted: Interrupted) -> Self {
        Self { cause: Cause::Interrupted(interrupted), url: None }
    }
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.cause {
            Cause::Failed(error) => {
                fmt::Display::fmt(error, f)?;
                // "error sending request" alone says nothing.
                match root(error) {
                    Some(root) => write!(f, ": {root}"),
                    None => Ok(()),
                }
            }
            Cause::Status(error) => fmt::Display::fmt(error, f),
            Cause::Interrupted(interrupted) => fmt::Display::fmt(interrupted, f),
            Cause::Spent => f.write_str("the body of the request was a stream, and has been sent"),
        }
    }
}

/// What it began with.
fn root(error: &::reqwest::Error) -> Option<&(dyn Error + 'static)> {
    core::iter::successors(error.source(), |&error| error.source()).last()
}

impl fmt::Debug for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.cause {
            Cause::Failed(error) => fmt::Debug::fmt(error, f),
            Cause::Status(error) => fmt::Debug::fmt(error, f),
            Cause::Interrupted(interrupted) => fmt::Debug::fmt(interrupted, f),
            Cause::Spent => f.write_str("Spent"),
        }
    }
}

impl Error for RequestError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(match &self.cause {
            Cause::Failed(error) => error,
            Cause::Status(error) => error,
            Cause::Interrupted(interrupted) => interrupted,
            Cause::Spent => return None,
        })
    }
}
