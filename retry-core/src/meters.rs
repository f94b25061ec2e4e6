//! What is counted of all calls through the facade of the crate `metrics`, with the feature of
//! that name.
//!
//! | metric | type, unit | labels |
//! |---|---|---|
//! | `retry_calls_total` | counter of calls that have ended | `name`, `outcome`, `reason` |
//! | `retry_attempts_total` | counter of attempts | `name` |
//! | `retry_retries_total` | counter of attempts after the first of their call | `name`, `reason` |
//! | `retry_delay_seconds` | histogram of pauses that have ended, in seconds | `name` |
//!
//! `name` is that of the function. `outcome` is one of `first_try`, `recovered`, `given_up`,
//! `cancelled`, `panicked` and `disabled`. The `reason` of a call is the word of its
//! [`StopReason`], or `panicked`; that of a retry is what the failure before it was: `throttled`,
//! else `ambiguous`, else `transient`. Arguments and errors are never labels, so that the number
//! of series is bounded by the program's text.
//!
//! Everything is counted at the moment at which [`sites`](crate::sites) counts it, so that the two
//! never differ: an attempt after the first as it starts, the first one as its call ends, a pause
//! as it ends, whatever its planned length took in real time.

use core::fmt;
use core::time::Duration;
use std::sync::OnceLock;

use metrics::{
    Key, Label, Level, Metadata, Unit, counter, describe_counter, describe_histogram, histogram,
    with_recorder,
};

use crate::reason::StopReason;
use crate::site::Site;
use crate::verdict::Verdict;

const CALLS: &str = "retry_calls_total";
const ATTEMPTS: &str = "retry_attempts_total";
const RETRIES: &str = "retry_retries_total";
const DELAY: &str = "retry_delay_seconds";

const TARGET: &str = "retry";
static METADATA: Metadata<'static> = Metadata::new(TARGET, Level::INFO, Some(module_path!()));

/// How a call ended.
#[derive(Clone, Copy)]
enum Outcome {
    FirstTry,
    Recovered,
    GivenUp,
    Cancelled,
    Panicked,
    Disabled,
}

impl Outcome {
    const fn as_str(self) -> &'static str {
        match self {
            Self::FirstTry => "first_try",
            Self::Recovered => "recovered",
            Self::GivenUp => "given_up",
            Self::Cancelled => "cancelled",
            Self::Panicked => "panicked",
            Self::Disabled => "disabled",
        }
    }
}

/// What is counted for every call of a function, even one that succeeds at once: made once, so
/// that counting allocates nothing and hashes no labels.
///
/// The counters themselves cannot be kept, since a recorder may be installed later, or for one
/// thread only.
pub(crate) struct Meters(OnceLock<Keys>);

struct Keys {
    attempts: Key,
    first_try: Key,
}

impl Meters {
    pub(crate) const fn new() -> Self {
        Self(OnceLock::new())
    }

    #[inline]
    fn keys(&self, site: &Site) -> &Keys {
        self.0.get_or_init(|| Keys::new(site))
    }
}

impl fmt::Debug for Meters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Meters").finish_non_exhaustive()
    }
}

impl Keys {
    #[cold]
    fn new(site: &Site) -> Self {
        // With every function anew, not once in the process: the recorder may have come since.
        describe();
        let name = Label::from_static_parts("name", site.name());
        let ended = [
            name.clone(),
            Label::from_static_parts("outcome", Outcome::FirstTry.as_str()),
            Label::from_static_parts("reason", StopReason::Success.as_str()),
        ];
        Self {
            attempts: Key::from_parts(ATTEMPTS, vec![name]),
            first_try: Key::from_parts(CALLS, ended.to_vec()),
        }
    }
}

fn describe() {
    describe_counter!(CALLS, Unit::Count, "Calls of retried functions that have ended.");
    describe_counter!(ATTEMPTS, Unit::Count, "Attempts of retried functions.");
    describe_counter!(
        RETRIES,
        Unit::Count,
        "Attempts after the first of their call, by what failed before."
    );
    describe_histogram!(DELAY, Unit::Seconds, "Pauses before another attempt.");
}

/// An attempt after the first starts.
pub(crate) fn retried(site: &Site, verdict: Verdict) {
    let reason = if verdict.is_throttled() {
        "throttled"
    } else if verdict.is_ambiguous() {
        "ambiguous"
    } else {
        "transient"
    };
    count(&site.meters().keys(site).attempts);
    counter!(target: TARGET, RETRIES, "name" => site.name(), "reason" => reason).increment(1);
}

/// A pause has ended.
pub(crate) fn waited(site: &Site, pause: Duration) {
    // A process's first pause comes before the end of its first call.
    let _ = site.meters().keys(site);
    histogram!(target: TARGET, DELAY, "name" => site.name()).record(pause.as_secs_f64());
}

/// A call has ended, after so many failures.
#[inline]
pub(crate) fn ended(site: &Site, reason: StopReason, failures: u32) {
    if reason == StopReason::Success && failures == 0 {
        first_success(site);
    } else {
        let outcome = match reason {
            StopReason::Success => Outcome::Recovered,
            StopReason::Cancelled => Outcome::Cancelled,
            StopReason::Disabled => Outcome::Disabled,
            _ => Outcome::GivenUp,
        };
        ended_as(site, outcome, reason.as_str());
    }
}

/// A call has ended in a panic.
pub(crate) fn panicked(site: &Site) {
    ended_as(site, Outcome::Panicked, Outcome::Panicked.as_str());
}

fn first_success(site: &Site) {
    let keys = site.meters().keys(site);
    with_recorder(|recorder| {
        recorder.register_counter(&keys.attempts, &METADATA).increment(1);
        recorder.register_counter(&keys.first_try, &METADATA).increment(1);
    });
}

#[cold]
fn ended_as(site: &Site, outcome: Outcome, reason: &'static str) {
    count(&site.meters().keys(site).attempts);
    counter!(
        target: TARGET,
        CALLS,
        "name" => site.name(), "outcome" => outcome.as_str(), "reason" => reason
    )
    .increment(1);
}

fn count(key: &Key) {
    with_recorder(|recorder| recorder.register_counter(key, &METADATA).increment(1));
}
