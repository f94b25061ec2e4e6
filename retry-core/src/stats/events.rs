//! What can be seen of a call from outside: events and metrics.
//!
//! With the feature `tracing`, every retry is an event at WARN, a success after a failure one at
//! INFO, and giving up one at WARN. The fields are structured: `name` (of the function),
//! `attempt`, `delay` and `elapsed` (seconds), `reason` (a word, see
//! [`StopReason`]) and `error` (its `Display`, else its `Debug`, else its type's name). Arguments
//! are never among them. A field without a value is left out: `error` where a value, not an
//! error, was judged, and `elapsed` at the first failure of a call that read no clock before.
//!
//! With the feature `metrics`, the same is counted through the facade of that name, a success of
//! the first attempt included; see `metrics.rs`.

use core::fmt;
use core::time::Duration;

use crate::report::reason::StopReason;
#[cfg(feature = "metrics")]
use crate::stats::metrics;
use crate::stats::site::Site;
use crate::verdict::verdict::Verdict;

/// An error's text, if the outcome had an error.
pub(crate) type ErrorText<'a> = Option<&'a dyn fmt::Display>;

/// How a call stands, for those who watch it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress {
    #[cfg_attr(not(feature = "tracing"), allow(dead_code))]
    pub(crate) site: &'static Site,
    pub(crate) attempts: u32,
    /// `None` at the first failure of a call that read no clock at its start.
    pub(crate) elapsed: Option<Duration>,
}

/// `warn_after`: retries before it are no more than DEBUG.
#[derive(Clone, Copy, Debug, Default)]
pub enum WarnAfter {
    /// Every retry is worth a warning.
    #[default]
    Always,
    /// From the failure of this attempt on.
    Attempts(u32),
    /// From this time on.
    Elapsed(Duration),
}

impl WarnAfter {
    #[cfg_attr(not(feature = "tracing"), allow(dead_code))]
    fn has_come(self, progress: Progress) -> bool {
        match self {
            Self::Always => true,
            Self::Attempts(attempts) => progress.attempts >= attempts,
            Self::Elapsed(after) => progress.elapsed.is_none_or(|elapsed| elapsed >= after),
        }
    }
}

#[cfg(feature = "tracing")]
mod tell {
    use super::{Duration, ErrorText, Progress, StopReason};
    use tracing::{debug, info, warn};

    pub(super) fn retrying(progress: Progress, delay: Duration, loud: bool, error: ErrorText<'_>) {
        // The level of an event is part of its static description.
        macro_rules! event {
            ($level:ident) => {
                $level!(
                    target: "retry",
                    name = progress.site.name(),
                    attempt = progress.attempts,
                    delay = delay.as_secs_f64(),
                    elapsed = seconds(progress),
                    error = error.map(tracing::field::display),
                    "attempt failed, retrying"
                )
            };
        }
        if loud { event!(warn) } else { event!(debug) }
    }

    pub(super) fn recovered(progress: Progress) {
        info!(
            target: "retry",
            name = progress.site.name(),
            attempt = progress.attempts,
            elapsed = seconds(progress),
            reason = StopReason::Success.as_str(),
            "succeeded after retrying"
        );
    }

    pub(super) fn gave_up(progress: Progress, reason: StopReason, error: ErrorText<'_>) {
        warn!(
            target: "retry",
            name = progress.site.name(),
            attempt = progress.attempts,
            elapsed = seconds(progress),
            reason = reason.as_str(),
            error = error.map(tracing::field::display),
            "giving up"
        );
    }

    fn seconds(progress: Progress) -> Option<f64> {
        progress.elapsed.map(|elapsed| elapsed.as_secs_f64())
    }
}

/// An attempt has failed, and another will be made.
#[cfg_attr(not(feature = "tracing"), allow(unused_variables))]
pub(crate) fn retrying(
    progress: Progress,
    delay: Duration,
    warn_after: WarnAfter,
    error: ErrorText<'_>,
) {
    #[cfg(feature = "tracing")]
    tell::retrying(progress, delay, warn_after.has_come(progress), error);
}

/// The pause before an attempt has ended.
#[cfg_attr(not(feature = "metrics"), allow(unused_variables))]
pub(crate) fn waited(site: &'static Site, pause: Duration) {
    #[cfg(feature = "metrics")]
    metrics::waited(site, pause);
}

/// An attempt after the first starts. The one before it failed with this verdict.
#[cfg_attr(not(feature = "metrics"), allow(unused_variables))]
pub(crate) fn retried(site: &'static Site, verdict: Verdict) {
    #[cfg(feature = "metrics")]
    metrics::retried(site, verdict);
}

/// A call has succeeded after a failure.
#[cfg_attr(not(feature = "tracing"), allow(unused_variables))]
pub(crate) fn recovered(progress: Progress) {
    #[cfg(feature = "tracing")]
    tell::recovered(progress);
}

/// A call has failed after it has been retried, or could have been.
#[cfg_attr(not(feature = "tracing"), allow(unused_variables))]
pub(crate) fn gave_up(progress: Progress, reason: StopReason, error: ErrorText<'_>) {
    #[cfg(feature = "tracing")]
    tell::gave_up(progress, reason, error);
}

/// A call has ended, after so many failures.
#[cfg_attr(not(feature = "metrics"), allow(unused_variables))]
#[inline]
pub(crate) fn ended(site: &'static Site, reason: StopReason, failures: u32) {
    #[cfg(feature = "metrics")]
    metrics::ended(site, reason, failures);
}

/// A call has ended in a panic.
#[cfg_attr(not(feature = "metrics"), allow(unused_variables))]
pub(crate) fn panicked(site: &'static Site) {
    #[cfg(feature = "metrics")]
    metrics::panicked(site);
}
