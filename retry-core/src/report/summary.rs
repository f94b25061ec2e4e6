//! What a call did, in one line.

use core::fmt;
use core::time::Duration;

use crate::report::interrupted::Interruption;
use crate::report::reason::StopReason;

/// What `Report`, `RetryError` and `Exhausted` say about a call.
pub(crate) fn write_summary(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    verb: &str,
    reason: StopReason,
    attempts: u32,
    elapsed: Option<Duration>,
) -> fmt::Result {
    let plural = if attempts == 1 { "" } else { "s" };
    write!(f, "`{name}` {verb} after {attempts} attempt{plural}")?;
    if let Some(elapsed) = elapsed {
        write!(f, " in {elapsed:.1?}")?;
    }
    if reason == StopReason::Success { Ok(()) } else { write!(f, ": {}", explanation(reason)) }
}

/// That the last attempt was cut, if it was.
pub(crate) fn write_cut(f: &mut fmt::Formatter<'_>, cut: Option<Interruption>) -> fmt::Result {
    match cut {
        Some(Interruption::Deadline) => f.write_str("; the last attempt was cut by the deadline"),
        Some(Interruption::AttemptTimeout) => f.write_str("; the last attempt timed out"),
        _ => Ok(()),
    }
}

const fn explanation(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Success => "success",
        StopReason::Permanent => "another attempt would not change the outcome",
        StopReason::Ambiguous => "the attempt may have taken effect",
        StopReason::Attempts => "no attempts left",
        StopReason::Time => "no time left",
        StopReason::HintTooLong => "the other side asked for too long a wait",
        StopReason::Budget => "the retry budget is empty",
        StopReason::BreakerOpen => "the breaker is open",
        StopReason::Cancelled => "cancelled",
        StopReason::Gate => "the gate said no",
        StopReason::Nested => "the retry around it repeats instead",
        StopReason::Disabled => "retrying is disabled",
        StopReason::Custom => "its stop strategy said so",
    }
}
