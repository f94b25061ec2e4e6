//! Calls of backoff.
//!
//! Its hook `on_backoff` is our `before_sleep`; `on_success` and `on_giveup` are those of ours with
//! the same names. It asks its limit in time before the pause and cuts the last pause to fit: with
//! ours that is a limit that ignores the pause, and a wait for no longer than the time that is left.

use std::time::Duration;

use retry::{StopReason, Verdict, Wait, stop, wait};
use serde_json::Value;

use super::{Event, Expected, Mapped, Plan, Said};
use crate::Row;
use crate::reading::{duration, durations, parts, saturating};
use crate::stops::any_stop;
use crate::waits::boxed;

pub(super) fn mapped(row: &Row, case: &Value) -> Option<Mapped> {
    let params = &row.params;
    let by_value = row.strategy == "on_predicate";
    let max_time = params.get("max_time").and_then(|_| duration(params, "max_time", 0.0));
    let list = params["interval"].as_array();
    let attempts = match (params["max_tries"].as_f64(), list) {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a few attempts
        (Some(tries), _) => Some(tries as u32),
        // A list that ends is two things with ours.
        (None, Some(list)) => Some(u32::try_from(list.len()).ok()? + 1),
        (None, None) => None,
    };
    let wait = match (params["wait"].as_str(), list) {
        (Some("constant"), Some(list)) => boxed(wait::sequence(durations(list))),
        (Some("runtime"), None) => boxed(wait::none()),
        (None, None) if by_value => boxed(wait::fixed(Duration::from_secs(1))),
        (None, None) => {
            let left = wait::by(|state| state.remaining().unwrap_or(Duration::MAX));
            boxed(wait::exponential(Duration::from_secs(1)).min(left))
        }
        _ => return None,
    };
    let failure = if by_value { Ok("None".to_owned()) } else { Err("ValueError".to_owned()) };
    let failures = case["failures_before_success"].as_u64()?;
    let mut outcomes: Vec<(Said, bool)> = (0..failures).map(|_| (failure.clone(), false)).collect();
    outcomes.push((Ok("ok".to_owned()), false));
    let verdict = match (params["giveup"].as_str(), params["value"].as_u64()) {
        (Some("always"), None) => Verdict::Final,
        (None, Some(value)) => Verdict::Retry.retry_after(Duration::from_secs(value)),
        (None, None) => Verdict::Retry,
        _ => return None,
    };
    let raises = params["raise_on_giveup"] != false;
    let takes = saturating(case["attempt_takes"].as_f64()?);
    let recorded = recorded(case, verdict, attempts.is_some());
    let instead = match row.id.as_str() {
        // None is as good as one, and no way to go on for ever.
        "backoff.trace.max_tries0" => Some(after_the_first(0.0, StopReason::Attempts)),
        // The attempt itself has used up the time.
        "backoff.trace.max_time2_slow5" => Some(after_the_first(5.0, StopReason::Time)),
        _ if row.is_bug => return None,
        _ => None,
    };
    let plan = Plan {
        stop: any_stop(stop::or(attempts.map(stop::attempts), max_time.map(stop::elapsed))),
        wait,
        judge: Box::new(move |said| if *said == failure { verdict } else { Verdict::Final }),
        fallback: Box::new(move |_, outcome| if raises { outcome } else { Ok("None".to_owned()) }),
        enabled: true,
        outcomes,
        takes,
    };
    Some(Mapped { plan, recorded, instead, eyes })
}

/// It tells of an attempt and a pause, and its hooks of the number of the attempt and the time.
fn eyes(events: &[Event]) -> Vec<Event> {
    let seen = |Event(name, numbers): &Event| {
        let name = match name.as_str() {
            "before_sleep" => "backoff",
            "give_up" => "giveup",
            "attempt" | "sleep" | "success" => name,
            _ => return None,
        };
        Some(Event(name.to_owned(), numbers.clone()))
    };
    events.iter().filter_map(seen).collect()
}

fn recorded(case: &Value, verdict: Verdict, counts: bool) -> Expected {
    let mut hooks = parts(case, "hooks").iter().map(Event::recorded);
    let mut events = Vec::new();
    let (mut attempts, mut waited) = (0, 0.0);
    // A hook follows every attempt.
    for event in Event::all_recorded(&case["events"]) {
        if event.is("attempt") {
            attempts += 1;
            events.push(event);
            events.extend(hooks.next());
        } else {
            waited += event.1[0];
            events.push(event);
        }
    }
    assert_eq!(hooks.next(), None);
    let (reason, finished_at) = match events.last().unwrap() {
        Event(name, numbers) if name == "success" => (StopReason::Success, numbers[1]),
        Event(_, numbers) if verdict.is_final() => (StopReason::Permanent, numbers[1]),
        Event(_, numbers) if counts => (StopReason::Attempts, numbers[1]),
        Event(_, numbers) => (StopReason::Time, numbers[1]),
    };
    let outcome = match (case["result"].get("returns"), case["result"]["raises"].as_str()) {
        (Some(value), None) => Ok(value.as_str().unwrap_or("None").to_owned()),
        (None, Some(error)) => Err(error.to_owned()),
        // It goes on for ever.
        _ => Err(String::new()),
    };
    Expected { events, attempts, reason, outcome, waited, failed_at: None, finished_at }
}

fn after_the_first(finished_at: f64, reason: StopReason) -> Expected {
    Expected {
        events: vec![Event::new("attempt", [1.0, 0.0]), Event::new("giveup", [1.0, finished_at])],
        attempts: 1,
        reason,
        outcome: Err("ValueError".to_owned()),
        waited: 0.0,
        failed_at: None,
        finished_at,
    }
}
