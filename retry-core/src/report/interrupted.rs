//! What a call ends with that was cut or refused, and so has no outcome of its own.

use core::error::Error;
use core::fmt;
use core::time::Duration;

use crate::report::reason::StopReason;
use crate::stats::site::Site;
use crate::verdict::outcome::{NoValue, Outcome};
use crate::verdict::transient::Transient;
use crate::verdict::verdict::Verdict;

/// A call, or one attempt of it, was cut or refused before it had an outcome of its own.
///
/// The keys `deadline` and `attempt_timeout` of an async function cut an attempt, `cancel` and
/// `breaker` may refuse even the first one. The function must return something then, and returns
/// the last real outcome if there is one. Where there is none it returns `E::from(Interrupted)`, so
/// these keys ask for `E: From<Interrupted>`; `std::io::Error`, `Box<dyn Error + Send + Sync>` and
/// `anyhow::Error` have it, an `Option` gives `None`. For another type write
///
/// ```
/// use retry::Interrupted;
///
/// enum ApiError {
///     Interrupted(Interrupted),
///     // …
/// }
///
/// impl From<Interrupted> for ApiError {
///     fn from(interrupted: Interrupted) -> Self {
///         Self::Interrupted(interrupted)
///     }
/// }
/// ```
///
/// (with thiserror: `#[error(transparent)] Interrupted(#[from] Interrupted)`), or make the error on
/// the spot: `interrupted = |it| ApiError::Timeout(it.to_string())`.
///
/// To a retry around the call it is [`Ambiguous`](Verdict::Ambiguous) if an attempt was cut, since
/// that may have taken effect, and [`Final`](Verdict::Final) otherwise: what was cut by a deadline
/// of its own, refused or cancelled is not to be repeated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Interrupted {
    site: &'static Site,
    by: Interruption,
    after: Option<Duration>,
}

/// What has interrupted a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Interruption {
    /// The `deadline` of the call, or of one around it, came while an attempt was running.
    Deadline,
    /// The attempt took longer than `attempt_timeout`.
    AttemptTimeout,
    /// The `breaker` was open.
    BreakerOpen,
    /// `cancel` said so.
    #[doc(alias = "cancel")]
    Cancelled,
}

impl Interruption {
    /// Its name in events: `deadline`, `attempt_timeout`, `breaker_open`, `cancelled`.
    ///
    /// ```
    /// assert_eq!(retry::Interruption::AttemptTimeout.as_str(), "attempt_timeout");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Deadline => "deadline",
            Self::AttemptTimeout => "attempt_timeout",
            Self::BreakerOpen => "breaker_open",
            Self::Cancelled => "cancelled",
        }
    }
}

impl Interrupted {
    pub(crate) const fn new(
        site: &'static Site,
        by: Interruption,
        after: Option<Duration>,
    ) -> Self {
        Self { site, by, after }
    }

    /// The name of the function, or what `name` gave.
    pub fn name(&self) -> &'static str {
        self.site.name()
    }

    /// What has interrupted it.
    pub const fn by(&self) -> Interruption {
        self.by
    }

    /// How long the call, or for [`AttemptTimeout`](Interruption::AttemptTimeout) the attempt, had
    /// been running; `None` where it had not started.
    pub const fn after(&self) -> Option<Duration> {
        self.after
    }

    /// The same as the reason of a report.
    pub const fn reason(&self) -> StopReason {
        match self.by {
            Interruption::Deadline => StopReason::Time,
            Interruption::AttemptTimeout => StopReason::Ambiguous,
            Interruption::BreakerOpen => StopReason::BreakerOpen,
            Interruption::Cancelled => StopReason::Cancelled,
        }
    }
}

#[allow(clippy::missing_fields_in_debug)] // the site is shown by its name
impl fmt::Debug for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Interrupted")
            .field("name", &self.name())
            .field("by", &self.by)
            .field("after", &self.after)
            .finish()
    }
}

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name();
        match self.by {
            Interruption::Deadline => write!(f, "`{name}` was cut by its deadline")?,
            Interruption::AttemptTimeout => write!(f, "an attempt of `{name}` timed out")?,
            Interruption::BreakerOpen => write!(f, "the breaker of `{name}` is open")?,
            Interruption::Cancelled => write!(f, "`{name}` was cancelled")?,
        }
        match self.after {
            Some(after) => write!(f, " after {after:.1?}"),
            None => Ok(()),
        }
    }
}

impl Error for Interrupted {}

/// What it means to a retry around the call that it has ended.
impl Transient for Interrupted {
    fn verdict(&self) -> Verdict {
        match self.by {
            Interruption::AttemptTimeout => Verdict::Ambiguous,
            _ => Verdict::Final,
        }
    }
}

/// An error that a cut or refused call can end with: one that is `From<Interrupted>`.
#[diagnostic::on_unimplemented(
    message = "a call that is cut or refused has no `{Self}` to end with",
    label = "`{Self}` is not `From<retry::Interrupted>`",
    note = "if the type is yours, write `impl From<retry::Interrupted> for {Self}`",
    note = "or make one on the spot: `interrupted = |it| …`"
)]
pub trait FromInterrupted {
    /// The error of a call that has none of its own.
    fn from_interrupted(interrupted: Interrupted) -> Self;
}

#[diagnostic::do_not_recommend]
impl<E: From<Interrupted>> FromInterrupted for E {
    fn from_interrupted(interrupted: Interrupted) -> Self {
        Self::from(interrupted)
    }
}

/// An outcome that a cut or refused call can end with: a `Result` whose error is
/// `From<Interrupted>`, or an `Option`.
#[diagnostic::on_unimplemented(
    message = "a call that is cut or refused has no `{Self}` to end with",
    label = "neither a `Result` nor an `Option`",
    note = "return a `Result` whose error is `From<retry::Interrupted>`"
)]
pub trait Interruptible: Outcome {
    /// The outcome of a call that has none of its own.
    fn interrupted(interrupted: Interrupted) -> Self;
}

/// The outcome of a call that has none of its own.
pub fn interrupted<R: Interruptible>(interrupted: Interrupted) -> R {
    R::interrupted(interrupted)
}

/// The outcome of an attempt that was made or not, and why the call ends with it, if it does: then
/// the last real one is better than none.
pub fn settle<R>(
    made: Result<R, Interrupted>,
    last: &mut Option<R>,
    interrupted: impl FnOnce(Interrupted) -> R,
) -> (R, Option<StopReason>) {
    match made {
        Ok(outcome) => (outcome, None),
        Err(by) if by.by == Interruption::AttemptTimeout => (interrupted(by), None),
        Err(by) => (last.take().unwrap_or_else(|| interrupted(by)), Some(by.reason())),
    }
}

/// The same where no outcome can be made: the error is what has interrupted the call.
#[allow(clippy::missing_errors_doc)]
pub fn settle_bare<R>(
    made: Result<R, Interrupted>,
    last: &mut Option<R>,
) -> Result<(R, Option<StopReason>), Interrupted> {
    match made {
        Ok(outcome) => Ok((outcome, None)),
        Err(by) => last.take().map(|last| (last, Some(by.reason()))).ok_or(by),
    }
}

impl<T, E: FromInterrupted> Interruptible for Result<T, E> {
    fn interrupted(interrupted: Interrupted) -> Self {
        Err(E::from_interrupted(interrupted))
    }
}

impl<T> Interruptible for Option<T> {
    fn interrupted(_: Interrupted) -> Self {
        None
    }
}

impl From<Interrupted> for NoValue {
    fn from(_: Interrupted) -> Self {
        Self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::counters::Counters;

    static COUNTERS: Counters = Counters::new();
    static SITE: Site = Site::named("fetch", &COUNTERS);

    #[test]
    fn it_says_what_has_interrupted_whom_and_when() {
        let text = |by, after| Interrupted::new(&SITE, by, after).to_string();
        let second = Some(Duration::from_secs(1));
        assert_eq!(
            text(Interruption::Deadline, second),
            "`fetch` was cut by its deadline after 1.0s"
        );
        assert_eq!(
            text(Interruption::AttemptTimeout, second),
            "an attempt of `fetch` timed out after 1.0s"
        );
        assert_eq!(text(Interruption::BreakerOpen, None), "the breaker of `fetch` is open");
        assert_eq!(text(Interruption::Cancelled, None), "`fetch` was cancelled");
    }

    #[test]
    fn only_an_attempt_that_was_cut_may_be_repeated_and_only_if_that_is_harmless() {
        let verdict = |by| Interrupted::new(&SITE, by, None).verdict();
        assert_eq!(verdict(Interruption::AttemptTimeout), Verdict::Ambiguous);
        for by in [Interruption::Deadline, Interruption::BreakerOpen, Interruption::Cancelled] {
            assert_eq!(verdict(by), Verdict::Final, "{by:?}");
        }
    }
}
