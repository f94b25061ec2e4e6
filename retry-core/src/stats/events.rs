//! Events of the crate `tracing`, with the feature of that name.
//!
//! Every retry is an event at WARN, a success after a failure one at INFO, and giving up one at
//! WARN. The fields are structured: `name` (of the function), `call` (its
//! [`CallId`](crate::CallId), the same in all events of a call), `attempt`, `delay` and `elapsed`
//! (seconds, to the millisecond, or below one to the microsecond), `left` (how many attempts may still be made), `reason` (a word, see [`StopReason`])
//! and `error` (its `Display` with its sources, `a: b: c`, else its `Debug`, else its type's name). Arguments are never among
//! them. A field without a value is left out: `error` where a value, not an error, was judged,
//! `left` where `stop` counts no attempts, and `elapsed` at the first failure of a call that read
//! no clock before.
//!
//! An attempt that turns out to be healthy after others have failed is an event at INFO, with
//! `attempt`, `retries` (how many it took) and `lasted` (seconds from the first failure, or from the
//! start of the call, to the start of this attempt).

use core::time::Duration;

use tracing::level_filters::LevelFilter;
use tracing::{Level, debug, info, warn};

use crate::attempt::call_id::CallId;
use crate::guard::breaker::state::{BreakerState, Change};
use crate::report::interrupted::Interruption;
use crate::report::reason::StopReason;
use crate::stats::event::{Ended, Event, Healthy, Multiplied, Retrying};

/// Whether anybody listens to anything of that weight.
#[inline]
pub(crate) fn may_be_wanted() -> bool {
    Level::WARN <= LevelFilter::current()
}

/// Whether somebody listens to events about a retry. Cheap where nobody listens to anything.
#[inline]
pub(crate) fn wants(loud: bool) -> bool {
    let level = if loud { Level::WARN } else { Level::DEBUG };
    level <= LevelFilter::current() && is_enabled(loud)
}

#[cold]
fn is_enabled(loud: bool) -> bool {
    if loud {
        tracing::enabled!(target: "retry", Level::WARN)
    } else {
        tracing::enabled!(target: "retry", Level::DEBUG)
    }
}

pub(crate) fn tell(name: impl Fn() -> &'static str, event: &Event<'_>) {
    match event {
        Event::Retrying(retrying) => self::retrying(name, retrying),
        Event::Healthy(outage, call) => healthy(name, outage, *call),
        // A first failure that is permanent is an answer, and no retry's business; to be cut is neither.
        Event::Ended(ended) if ended.failures > 0 || ended.cut.is_some() => match ended.reason {
            StopReason::Success => recovered(name, ended),
            StopReason::Cancelled | StopReason::Disabled => {}
            _ => gave_up(name, ended),
        },
        Event::Changed(change, call) => changed(name, change, *call),
        Event::Multiplied(multiplied) => self::multiplied(name, multiplied),
        Event::Blocks(call) => blocks(name, *call),
        _ => {}
    }
}

fn changed(name: impl Fn() -> &'static str, change: &Change, call: Option<CallId>) {
    macro_rules! event {
        ($level:ident, $message:literal) => {
            $level!(
                target: "retry",
                name = name(),
                call = call.map(tracing::field::display),
                from = change.from.as_str(),
                to = change.to.as_str(),
                open_for = change.open_for.as_ref().map(seconds),
                $message
            )
        };
    }
    match change.to {
        BreakerState::Open => event!(warn, "breaker opened"),
        BreakerState::HalfOpen => event!(info, "breaker is half-open"),
        BreakerState::Closed => event!(info, "breaker closed"),
    }
}

fn multiplied(name: impl Fn() -> &'static str, multiplied: &Multiplied) {
    warn!(
        target: "retry",
        name = name(),
        call = multiplied.call.map(tracing::field::display),
        outer = multiplied.outer.name(),
        attempts = multiplied.product,
        "retries multiply: {} attempts around {} each; write `nested = once` on the inner one",
        multiplied.around,
        multiplied.most,
    );
}

fn blocks(name: impl Fn() -> &'static str, call: Option<CallId>) {
    warn!(
        target: "retry",
        name = name(),
        call = call.map(tracing::field::display),
        "a sync function sleeps between its attempts on a thread that runs async tasks; make it async, or call it in `tokio::task::spawn_blocking`"
    );
}

fn retrying(name: impl Fn() -> &'static str, retrying: &Retrying<'_>) {
    // The level of an event is part of its static description.
    macro_rules! event {
        ($level:ident) => {
            $level!(
                target: "retry",
                name = name(),
                call = retrying.call.map(tracing::field::display),
                attempt = retrying.attempt,
                delay = seconds(&retrying.delay),
                elapsed = retrying.elapsed.as_ref().map(seconds),
                left = retrying.left,
                error = retrying.error.map(tracing::field::display),
                "attempt failed, retrying"
            )
        };
    }
    if retrying.loud { event!(warn) } else { event!(debug) }
}

fn healthy(name: impl Fn() -> &'static str, outage: &Healthy, call: Option<CallId>) {
    info!(
        target: "retry",
        name = name(),
        call = call.map(tracing::field::display),
        attempt = outage.attempt,
        retries = outage.retries,
        lasted = outage.lasted.as_ref().map(seconds),
        "healthy again"
    );
}

fn recovered(name: impl Fn() -> &'static str, ended: &Ended<'_>) {
    info!(
        target: "retry",
        name = name(),
        call = ended.call.map(tracing::field::display),
        attempt = ended.attempts,
        elapsed = ended.elapsed.as_ref().map(seconds),
        reason = ended.reason.as_str(),
        "succeeded after retrying"
    );
}

fn gave_up(name: impl Fn() -> &'static str, ended: &Ended<'_>) {
    warn!(
        target: "retry",
        name = name(),
        call = ended.call.map(tracing::field::display),
        attempt = ended.attempts,
        elapsed = ended.elapsed.as_ref().map(seconds),
        reason = ended.reason.as_str(),
        interruption = ended.cut.map(Interruption::as_str),
        error = ended.error.map(tracing::field::display),
        "giving up"
    );
}

/// Seconds as a person reads them: to the millisecond, and below one to the microsecond.
fn seconds(duration: &Duration) -> f64 {
    let parts = if *duration < Duration::from_millis(1) { 1e6 } else { 1e3 };
    (duration.as_secs_f64() * parts).round() / parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_rounded_to_what_a_person_reads() {
        let shown = |nanos| seconds(&Duration::from_nanos(nanos)).to_string();
        assert_eq!(shown(0), "0");
        assert_eq!(shown(123_456_789), "0.123");
        assert_eq!(shown(100_000_000), "0.1");
        assert_eq!(shown(1_500_000), "0.002");
        assert_eq!(shown(999_999), "0.001");
        assert_eq!(shown(123_456), "0.000123");
        assert_eq!(shown(400), "0");
        assert_eq!(shown(7_384_204_799_999), "7384.205");
        assert!(seconds(&Duration::MAX).is_finite());
    }
}
