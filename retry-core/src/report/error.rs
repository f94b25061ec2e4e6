//! `RetryError`: the outcome of a call that gave up, with what led to it.

use core::error::Error;
use core::fmt;
use core::time::Duration;

use crate::report::reason::StopReason;
use crate::report::report::{PastAttempt, Report};
use crate::report::summary::{write_cut, write_summary};
use crate::stats::site::Site;
use crate::verdict::transient::Transient;
use crate::verdict::verdict::Verdict;

/// The error of a call that gave up: what failed, how often, and why it stopped.
///
/// Written in the signature of an annotated function, as `Result<T, RetryError<E>>`. The body
/// still gives `Result<T, E>`, and `on`, hooks and `fallback` still see that; what the caller gets
/// is this. It is the name that is recognised, so write it out: behind an alias of the type, or of
/// the whole `Result`, it is not seen, and the function does not compile.
///
/// ```
/// use retry::{RetryError, StopReason, retry};
///
/// #[retry(stop = attempts(3), wait = none(), on = any_error())]
/// fn fetch() -> Result<u32, RetryError<std::num::ParseIntError>> {
///     "seven".parse::<u32>()
/// }
///
/// let error = fetch().unwrap_err();
/// assert_eq!((error.reason, error.attempts), (StopReason::Attempts, 3));
/// assert!(error.to_string().contains("failed after 3 attempts"));
/// ```
///
/// With an `E` that is an [`Error`] it is one too, and `source()` is the last error. One that is
/// not (`anyhow::Error`, `Box<dyn Error>`) makes it none, so that `?` does not convert it; take the
/// last error out, with [`into_source`](Self::into_source) or from the field `source`.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RetryError<E> {
    /// Why the call ended.
    pub reason: StopReason,
    /// How many attempts were made, the first included.
    pub attempts: u32,
    /// The time from the start of the first attempt to the end of the call, all attempts and
    /// pauses included. Known wherever an attempt was made.
    pub elapsed: Option<Duration>,
    /// The attempts in order: the first and the last 99, should there have been more than 100.
    pub history: Vec<PastAttempt>,
    /// The last error; `None` if the call ended without one of its own. With the trait
    /// [`Error`] in scope, `error.source()` gives the same as `&dyn Error`.
    pub source: Option<E>,
    site: &'static Site,
}

impl<E> RetryError<E> {
    /// The outcome as the caller sees it.
    #[doc(hidden)]
    #[allow(clippy::missing_errors_doc)] // the error is the outcome's own
    pub fn __wrap<T>(outcome: Result<T, E>, report: impl FnOnce() -> Report) -> Result<T, Self> {
        outcome.map_err(|source| Self::of(Some(source), report()))
    }

    /// The same for a call that may have been cut or refused, and have no outcome.
    #[doc(hidden)]
    #[allow(clippy::missing_errors_doc)]
    pub fn __wrap_any<T>(
        outcome: Option<Result<T, E>>,
        report: impl FnOnce() -> Report,
    ) -> Result<T, Self> {
        let outcome = outcome.map_or(Err(None), |outcome| outcome.map_err(Some));
        outcome.map_err(|source| Self::of(source, report()))
    }

    fn of(source: Option<E>, report: Report) -> Self {
        Self {
            reason: report.reason,
            attempts: report.attempts,
            elapsed: report.elapsed,
            site: report.site,
            history: report.history,
            source,
        }
    }

    /// The name of the function, or what `name` gave.
    pub fn name(&self) -> &'static str {
        self.site.name()
    }

    /// The last error itself.
    pub fn into_source(self) -> Option<E> {
        self.source
    }
}

#[allow(clippy::missing_fields_in_debug)] // the site is shown by its name
impl<E: fmt::Debug> fmt::Debug for RetryError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RetryError")
            .field("name", &self.name())
            .field("reason", &self.reason)
            .field("attempts", &self.attempts)
            .field("elapsed", &self.elapsed)
            .field("source", &self.source)
            .field("history", &self.history)
            .finish()
    }
}

/// What failed, how often, why it stopped, and whether the last attempt was cut. The last error is left to `source()`, as a report
/// of the whole chain would show it twice.
impl<E> fmt::Display for RetryError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_summary(f, self.name(), "failed", self.reason, self.attempts, self.elapsed)?;
        write_cut(f, self.history.last().and_then(PastAttempt::interruption))
    }
}

impl<E: Error + 'static> Error for RetryError<E> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_ref().map(|source| source as _)
    }
}

/// What the last error would have said, to a retry around this one.
impl<E: Transient> Transient for RetryError<E> {
    fn verdict(&self) -> Verdict {
        self.source.as_ref().map_or(Verdict::Final, Transient::verdict)
    }
}
