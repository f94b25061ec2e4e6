//! Calls of stamina, and its testing mode.
//!
//! Its one hook is our `before_sleep`. How long it has waited so far our hook is not told, since
//! it is the sum of the delays. An attempt it does not make is one that would start after its
//! time, which is our `within`; its own limit is checked before the pause only.

use std::cell::Cell;
use std::time::{Duration, Instant};

use retry::{StopReason, Verdict, Wait, record_sync, retry, retry_with, stop, wait};
use serde_json::Value;

use super::{Event, Expected, Mapped, Plan, Said};
use crate::reading::{duration, parameter, saturating};
use crate::stops::any_stop;
use crate::waits::boxed;
use crate::{Differences, Row};

pub(super) fn mapped(row: &Row, case: &Value) -> Option<Mapped> {
    let params = &row.params;
    let attempts = limit(params, "attempts", 10.0).map(|attempts| attempts.as_secs());
    let attempts = attempts.map(|attempts| u32::try_from(attempts).unwrap());
    let timeout = limit(params, "timeout", 45.0);
    let verdict = match row.id.rsplit('_').next()? {
        _ if params["on"] != "hook" => Verdict::Retry,
        "true" => Verdict::Retry,
        // A hint is a floor for the delay, and this one is above the backoff.
        "seconds" => Verdict::Retry.retry_after(Duration::from_millis(7_500)),
        "zero" => Verdict::Retry.now(),
        "false" | "none" => Verdict::Final,
        _ => return None,
    };
    let failures = case["failures_before_success"].as_u64()?;
    let mut outcomes: Vec<(Said, bool)> =
        (0..failures).map(|_| (Err("ValueError".to_owned()), false)).collect();
    outcomes.push((Ok("ok".to_owned()), false));
    let backoff = wait::exponential(duration(params, "wait_initial", 0.1)?)
        .factor(parameter(params, "wait_exp_base", 2.0))
        .cap(duration(params, "wait_max", 5.0)?)
        .jitter(duration(params, "wait_jitter", 1.0)?);
    let plan = Plan {
        stop: any_stop(stop::or(attempts.map(stop::attempts), timeout.map(stop::within))),
        wait: boxed(backoff),
        judge: Box::new(move |said| if said.is_ok() { Verdict::Final } else { verdict }),
        fallback: Box::new(|_, outcome| outcome),
        enabled: true,
        outcomes,
        takes: saturating(case["attempt_takes"].as_f64()?),
    };
    let recorded = recorded(case, attempts, verdict, plan.takes);
    // The last attempt would start after the time.
    let instead = row.is_bug.then(|| without_the_last(&recorded));
    Some(Mapped { plan, recorded, instead, eyes })
}

/// `None` where it is switched off.
fn limit(params: &Value, key: &str, default: f64) -> Option<Duration> {
    if params.get(key).is_some_and(Value::is_null) { None } else { duration(params, key, default) }
}

/// It tells of an attempt when it started, and of a pause its number, how long it will be, and
/// how long those before it were.
fn eyes(events: &[Event]) -> Vec<Event> {
    let mut waited = 0.0;
    let seen = |Event(name, numbers): &Event| match name.as_str() {
        "attempt" => Some(Event(name.clone(), numbers.clone())),
        "before_sleep" => {
            let pause = Event::new("hook", [numbers[0], numbers[2], waited]);
            waited += numbers[2];
            Some(pause)
        }
        _ => None,
    };
    events.iter().filter_map(seen).collect()
}

fn recorded(case: &Value, most: Option<u32>, verdict: Verdict, takes: Duration) -> Expected {
    let mut events = Vec::new();
    let (mut waited, mut finished_at) = (0.0, 0.0);
    let mut hooks = case["hooks"].as_array().unwrap().iter();
    let mut attempts = 0;
    for time in case["attempt_times"].as_array().unwrap() {
        attempts += 1;
        let time = time.as_f64().unwrap();
        events.push(Event::new("attempt", [attempts.into(), time]));
        finished_at = time + takes.as_secs_f64();
        if let Some(hook) = hooks.next() {
            let number = |key: &str| hook[key].as_f64().unwrap();
            let told = ["retry_num", "wait_for", "waited_so_far"].map(number);
            waited += told[1];
            events.push(Event::new("hook", told));
        }
    }
    let (reason, outcome) = match case["result"]["returns"].as_str() {
        Some(value) => (StopReason::Success, Ok(value.to_owned())),
        None => {
            // No attempts at all counts as one.
            let are_used_up = most.is_some_and(|most| attempts >= most.max(1));
            let reason = match verdict.is_final() {
                true => StopReason::Permanent,
                false if are_used_up => StopReason::Attempts,
                false => StopReason::Time,
            };
            (reason, Err(case["result"]["raises"].as_str().unwrap().to_owned()))
        }
    };
    Expected { events, attempts, reason, outcome, waited, failed_at: None, finished_at }
}

fn without_the_last(recorded: &Expected) -> Expected {
    let mut events = recorded.events.clone();
    // The attempt, and the pause before it.
    let mut cut = events.split_off(events.len() - 2);
    let pause = cut.remove(0).1[1];
    Expected {
        events,
        attempts: recorded.attempts - 1,
        reason: recorded.reason,
        outcome: recorded.outcome.clone(),
        waited: recorded.waited - pause,
        failed_at: None,
        finished_at: recorded.finished_at - pause,
    }
}

/// In its testing mode calls make so many attempts, without limit in time and without pauses. That
/// is what our overrides do; only that theirs can be a cap on what is configured, where ours
/// always wins.
pub(super) fn testing(cases: &[Value]) -> Differences {
    thread_local!(static CALLS: Cell<u32> = const { Cell::new(0) });
    #[retry(
        // Without the override the first failure would be the last.
        stop = configured.map(attempts) | until(past),
        wait = fixed(1h),
        on = any_error(),
        sleep = |_| panic!("a pause"),
    )]
    fn call(configured: Option<u32>, past: Instant) -> Result<(), ()> {
        CALLS.set(CALLS.get() + 1);
        Err(())
    }

    let past = Instant::now();
    let mut differences = Differences::default();
    for case in cases {
        let number = |key: &str| case[key].as_u64().map(|number| u32::try_from(number).unwrap());
        let testing = number("testing_attempts").unwrap();
        let configured = number("configured");
        CALLS.set(0);
        let overrides = retry_with().stop(stop::attempts(testing)).wait(wait::none());
        let (outcome, reports) = record_sync(|| overrides.sync_scope(|| call(configured, past)));
        assert_eq!((outcome, reports.len()), (Err(()), 1));
        let mut wanted = number("effective").unwrap();
        if case["cap"] == true && configured.is_some_and(|configured| configured < testing) {
            wanted = testing;
        }
        let made = (CALLS.get(), reports[0].attempts(), reports[0].waited());
        if made != (wanted, wanted, Duration::ZERO) {
            differences.wrong.push(format!("{made:?}, not {wanted} in {case}"));
        }
    }
    differences
}
