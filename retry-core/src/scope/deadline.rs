//! One deadline over several calls.

use crate::Instant;
use core::future::Future;
use core::time::Duration;

use crate::engine::clock;
use crate::scope::layer::Layer;
use crate::scope::scope::{self, Scope, Scoped, enter};

/// When the time for something is up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// So long after its start.
    After(Duration),
    /// At this moment.
    At(Instant),
}

impl Limit {
    /// The moment, for what starts at `start`. One that no clock can show is none.
    pub(crate) fn from(self, start: Instant) -> Option<Instant> {
        match self {
            Self::After(duration) => start.checked_add(duration),
            Self::At(moment) => Some(moment),
        }
    }
}

/// What can be a deadline: a duration from the start, an `Instant`, or an `Option` of one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a deadline",
    label = "neither a `Duration` nor an `Instant`, nor an `Option` of one",
    note = "write how long the whole may take, `deadline = 20s`, or the moment at which it must be over"
)]
pub trait IntoDeadline {
    /// When the time is up; `None` is never.
    fn limit(self) -> Option<Limit>;
}

impl IntoDeadline for Duration {
    #[inline]
    fn limit(self) -> Option<Limit> {
        Some(Limit::After(self))
    }
}

impl IntoDeadline for Instant {
    #[inline]
    fn limit(self) -> Option<Limit> {
        Some(Limit::At(self))
    }
}

#[cfg(feature = "tokio")]
impl IntoDeadline for tokio::time::Instant {
    #[inline]
    fn limit(self) -> Option<Limit> {
        Some(Limit::At(self.into_std()))
    }
}

impl IntoDeadline for Limit {
    #[inline]
    fn limit(self) -> Option<Limit> {
        Some(self)
    }
}

impl<D: IntoDeadline> IntoDeadline for Option<D> {
    #[inline]
    fn limit(self) -> Option<Limit> {
        self?.limit()
    }
}

/// Sets one deadline over everything that is called under it: a duration from now, an `Instant`,
/// or an `Option` of one.
///
/// No retried call under it sleeps to the deadline or past it: it gives up with the reason
/// [`Time`](crate::StopReason::Time) and its last real outcome. [`Current::remaining`] tells what is
/// left, for the time-out of a request. An attempt that is running when the deadline comes is cut
/// only in functions that can be cut, by their own key `deadline` or `attempt_timeout`; the others
/// end their attempt. A shorter deadline inside holds for what is under that, a longer one changes
/// nothing.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// use std::time::Duration;
/// # use retry::retry;
///
/// #[retry(stop = attempts(10), wait = exponential(1s), on = any_error())]
/// async fn step(name: &str) -> Result<(), String> {
///     Err(format!("{name} failed"))
/// }
///
/// let order = async {
///     step("reserve").await?;
///     step("charge").await
/// };
/// // One second of backoff would already be too long.
/// let outcome = retry::deadline(Duration::from_millis(500)).scope(order).await;
/// assert_eq!(outcome, Err("reserve failed".to_owned()));
/// # }
/// ```
///
/// [`Current::remaining`]: crate::Current::remaining
#[doc(alias = "timeout")]
pub fn deadline(deadline: impl IntoDeadline) -> Deadline {
    let limit = deadline.limit();
    Deadline { at: limit.and_then(|limit| limit.from(scope::now(clock::runtime))) }
}

/// A deadline for everything under it; see [`deadline`].
#[derive(Clone, Copy, Debug)]
#[must_use = "a deadline holds for what is called in its `scope`"]
pub struct Deadline {
    at: Option<Instant>,
}

impl Deadline {
    /// The future, with the deadline over all calls under it. A task that it spawns is under it
    /// only if its future [inherits](crate::Inherit).
    pub fn scope<F: Future>(self, future: F) -> Scoped<F> {
        Scoped::new(future, Layer::Deadline(self.at))
    }

    /// Runs the closure, with the deadline over all calls that it makes in its own thread.
    ///
    /// ```
    /// use retry::{StopReason, record_sync, retry};
    /// use std::time::Duration;
    ///
    /// #[retry(stop = attempts(10), wait = fixed(1h), on = any_error())]
    /// fn fetch() -> Result<(), String> {
    ///     Err("down".to_owned())
    /// }
    ///
    /// let within = retry::deadline(Duration::from_secs(5));
    /// let (outcome, reports) = record_sync(|| within.sync_scope(fetch));
    /// assert!(outcome.is_err());
    /// assert_eq!((reports[0].attempts(), reports[0].reason()), (1, StopReason::Time));
    /// ```
    pub fn sync_scope<T>(self, f: impl FnOnce() -> T) -> T {
        let _entered = enter(Some(Scope::inside(Layer::Deadline(self.at))));
        f()
    }
}
