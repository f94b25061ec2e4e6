//! What is counted of all calls through the facade of the crate `metrics`, with the feature of
//! that name.
//!
//! | metric | type, unit | labels |
//! |---|---|---|
//! | `retry_calls_total` | counter of calls that have ended | `name`, `outcome`, `reason` |
//! | `retry_attempts_total` | counter of attempts | `name` |
//! | `retry_retries_total` | counter of attempts after the first of their call | `name`, `reason` |
//! | `retry_outages_total` | counter of outages that a healthy attempt has ended | `name` |
//! | `retry_breaker_changes_total` | counter of changes of a breaker that calls have caused | `name`, `to`: `open`, `half_open` or `closed` |
//! | `retry_delay_seconds` | histogram of pauses that have ended, in seconds | `name` |
//!
//! `name` is that of the function. `outcome` is one of `first_try`, `recovered`, `permanent`,
//! `given_up`, `cancelled`, `panicked` and `disabled`. The `reason` of a call is the word of its
//! [`StopReason`], or `panicked`; that of a retry is what the failure before it was: `throttled`,
//! else `ambiguous`, else `transient`. Arguments and errors are never labels, so that the number
//! of series is bounded by the program's text.
//!
//! All series of a function are there with zero from its first call on, as soon as that has succeeded
//! or failed: what is compared with a series that is not there is never true, and the first step of a
//! counter that begins with 1 is in no rate.
//!
//! Everything is counted at the moment at which [`sites`](crate::sites) counts it, so that the two
//! never differ: an attempt after the first as it starts, the first one as its call ends, a pause
//! as it ends, whatever its planned length took in real time.

use core::array;
use core::fmt;
use std::sync::OnceLock;

use metrics::{
    Key, Label, Level, Metadata, Unit, describe_counter, describe_histogram, with_recorder,
};

use crate::guard::breaker::state::BreakerState;
use crate::report::reason::StopReason;
use crate::stats::event::{Ended, Event};
use crate::verdict::verdict::Verdict;

const CALLS: &str = "retry_calls_total";
const ATTEMPTS: &str = "retry_attempts_total";
const RETRIES: &str = "retry_retries_total";
const OUTAGES: &str = "retry_outages_total";
const CHANGES: &str = "retry_breaker_changes_total";
const DELAY: &str = "retry_delay_seconds";

static METADATA: Metadata<'static> = Metadata::new("retry", Level::INFO, Some(module_path!()));

/// The labels of all that can be counted of one function, and the keys of what every call counts.
/// They lie in the static of the function, so that counting allocates nothing, however the call
/// ends, and a call that succeeds at once does not even hash them.
///
/// The counters themselves cannot be kept, since a recorder may be installed later, or for one
/// thread only.
pub(crate) struct Meters {
    labels: OnceLock<Labels>,
    keys: OnceLock<Keys>,
}

struct Labels {
    name: [Label; 1],
    calls: [[Label; 3]; ENDS],
    retries: [[Label; 2]; RETRIED_AFTER.len()],
    changes: [[Label; 2]; 3],
}

struct Keys {
    attempts: Key,
    first_try: Key,
}

/// The ends that a call may come to: one for each reason, where a success is one of the first
/// attempt, and two more.
const ENDS: usize = StopReason::COUNT + 2;
const RECOVERED: usize = StopReason::COUNT;
const PANICKED: usize = StopReason::COUNT + 1;

/// What a failure that is retried may be.
const RETRIED_AFTER: [&str; 3] = ["throttled", "ambiguous", "transient"];

/// The states of a breaker, in the order of their declaration.
const STATES: [BreakerState; 3] =
    [BreakerState::Closed, BreakerState::Open, BreakerState::HalfOpen];

/// The outcome and the reason of a call that ended so.
const fn words(end: usize) -> (&'static str, &'static str) {
    match end {
        PANICKED => ("panicked", "panicked"),
        RECOVERED => ("recovered", StopReason::Success.as_str()),
        _ => {
            let reason = StopReason::ALL[end];
            let outcome = match reason {
                StopReason::Success => "first_try",
                StopReason::Permanent => "permanent",
                StopReason::Cancelled => "cancelled",
                StopReason::Disabled => "disabled",
                _ => "given_up",
            };
            (outcome, reason.as_str())
        }
    }
}

impl Meters {
    pub(crate) const fn new() -> Self {
        Self { labels: OnceLock::new(), keys: OnceLock::new() }
    }

    fn labels(&self, name: impl Fn() -> &'static str) -> &Labels {
        self.labels.get_or_init(|| {
            // With every function anew, not once in the process: the recorder may have come since.
            describe();
            Labels::new(name())
        })
    }

    #[inline]
    fn keys(&'static self, name: impl Fn() -> &'static str) -> &'static Keys {
        self.keys.get_or_init(|| {
            let labels = self.labels(name);
            let first_try = &labels.calls[StopReason::Success.index()];
            Keys {
                attempts: Key::from_static_parts(ATTEMPTS, &labels.name),
                first_try: Key::from_static_parts(CALLS, first_try),
            }
        })
    }
}

impl fmt::Debug for Meters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Meters").finish_non_exhaustive()
    }
}

impl Labels {
    fn new(name: &'static str) -> Self {
        let label = Label::from_static_parts;
        Self {
            name: [label("name", name)],
            calls: array::from_fn(|end| {
                let (outcome, reason) = words(end);
                [label("name", name), label("outcome", outcome), label("reason", reason)]
            }),
            retries: RETRIED_AFTER.map(|what| [label("name", name), label("reason", what)]),
            changes: STATES.map(|to| [label("name", name), label("to", to.as_str())]),
        }
    }
}

#[cold]
fn describe() {
    describe_counter!(CALLS, Unit::Count, "Calls of retried functions that have ended.");
    describe_counter!(ATTEMPTS, Unit::Count, "Attempts of retried functions.");
    describe_counter!(
        RETRIES,
        Unit::Count,
        "Attempts after the first of their call, by what failed before."
    );
    describe_counter!(
        OUTAGES,
        Unit::Count,
        "Outages that an attempt has ended by being healthy, though its call goes on."
    );
    describe_counter!(
        CHANGES,
        Unit::Count,
        "Changes of a breaker that calls have caused, by its new state."
    );
    describe_histogram!(DELAY, Unit::Seconds, "Pauses before another attempt.");
}

/// The function is listed: puts all its series in place, with zero.
#[cold]
pub(crate) fn list(meters: &'static Meters, name: impl Fn() -> &'static str) {
    let Labels { name, calls, retries, changes } = meters.labels(name);
    let counters = [(ATTEMPTS, &name[..]), (OUTAGES, &name[..])]
        .into_iter()
        .chain(calls.iter().map(|labels| (CALLS, &labels[..])))
        .chain(retries.iter().map(|labels| (RETRIES, &labels[..])))
        .chain(changes.iter().map(|labels| (CHANGES, &labels[..])));
    with_recorder(|recorder| {
        for (counter, labels) in counters {
            let key = Key::from_static_parts(counter, labels);
            recorder.register_counter(&key, &METADATA).increment(0);
        }
        let _ = recorder.register_histogram(&Key::from_static_parts(DELAY, name), &METADATA);
    });
}

/// The first attempt of a call has succeeded.
#[inline]
pub(crate) fn first_success(meters: &'static Meters, name: impl Fn() -> &'static str) {
    let Keys { attempts, first_try } = meters.keys(name);
    count(attempts);
    count(first_try);
}

/// An attempt after the first starts. The one before it failed with this verdict.
pub(crate) fn retried(meters: &'static Meters, name: impl Fn() -> &'static str, verdict: Verdict) {
    let after = match (verdict.is_throttled(), verdict.is_ambiguous()) {
        (true, _) => 0,
        (false, true) => 1,
        (false, false) => 2,
    };
    count(&meters.keys(&name).attempts);
    count(&Key::from_static_parts(RETRIES, &meters.labels(&name).retries[after]));
}

/// Anything else has happened.
pub(crate) fn tell(meters: &'static Meters, name: impl Fn() -> &'static str, event: &Event<'_>) {
    let labels = meters.labels(&name);
    let ended = |end: usize, attempts: u32| {
        if attempts > 0 {
            count(&meters.keys(&name).attempts);
        }
        count(&Key::from_static_parts(CALLS, &labels.calls[end]));
    };
    match event {
        Event::Retrying(_) | Event::Multiplied(_) | Event::Blocks(_) => {}
        Event::Healthy(..) => count(&Key::from_static_parts(OUTAGES, &labels.name)),
        Event::Changed(change, _) => {
            let to = &labels.changes[change.to as usize];
            count(&Key::from_static_parts(CHANGES, to));
        }
        Event::Waited(pause) => {
            let key = Key::from_static_parts(DELAY, &labels.name);
            with_recorder(|recorder| {
                recorder.register_histogram(&key, &METADATA).record(pause.as_secs_f64());
            });
        }
        Event::Ended(Ended { reason: StopReason::Success, attempts, .. }) => {
            ended(RECOVERED, *attempts);
        }
        Event::Ended(Ended { reason, attempts, .. }) => ended(reason.index(), *attempts),
        Event::Panicked => ended(PANICKED, 1),
    }
}

fn count(key: &Key) {
    with_recorder(|recorder| recorder.register_counter(key, &METADATA).increment(1));
}
