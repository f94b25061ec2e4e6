//! What can be seen of a call from outside: events.
//!
//! With the feature `tracing`, every retry is an event at WARN, a success after a failure one at
//! INFO, and giving up one at WARN. The fields are structured: `name` (of the function),
//! `attempt`, `delay` and `elapsed` (seconds), `reason` (a word, see
//! [`StopReason`]) and `error` (its `Display`, else its `Debug`, else its type's name). Arguments
//! are never among them. A field without a value is left out: `error` where a value, not an
//! error, was judged, and `elapsed` at the first failure of a call that read no clock before.

use core::fmt;
use core::time::Duration;

use crate::call::Progress;
use crate::reason::StopReason;

/// An error's text, if the outcome had an error.
pub(crate) type ErrorText<'a> = Option<&'a dyn fmt::Display>;

#[cfg(feature = "tracing")]
mod emit {
    use super::{Duration, ErrorText, Progress, StopReason};
    use tracing::{info, warn};

    #[cold]
    pub(crate) fn retrying(progress: Progress, delay: Duration, error: ErrorText<'_>) {
        warn!(
            target: "retry",
            name = progress.site.name(),
            attempt = progress.attempts,
            delay = delay.as_secs_f64(),
            elapsed = seconds(progress),
            error = error.map(tracing::field::display),
            "attempt failed, retrying"
        );
    }

    #[cold]
    pub(crate) fn recovered(progress: Progress) {
        info!(
            target: "retry",
            name = progress.site.name(),
            attempt = progress.attempts,
            elapsed = seconds(progress),
            reason = StopReason::Success.as_str(),
            "succeeded after retrying"
        );
    }

    #[cold]
    pub(crate) fn gave_up(progress: Progress, reason: StopReason, error: ErrorText<'_>) {
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

#[cfg(not(feature = "tracing"))]
mod emit {
    use super::{Duration, ErrorText, Progress, StopReason};

    pub(crate) fn retrying(_: Progress, _: Duration, _: ErrorText<'_>) {}
    pub(crate) fn recovered(_: Progress) {}
    pub(crate) fn gave_up(_: Progress, _: StopReason, _: ErrorText<'_>) {}
}

pub(crate) use emit::{gave_up, recovered, retrying};
