//! Calls of tenacity.
//!
//! Its hooks have the names and the order of ours: `after` runs after the last failure too, and
//! not after a success. It raises a `RetryError` where it gave up, or with `reraise` the error
//! itself; with ours the signature decides. Two things it does otherwise: an error that is not
//! worth another attempt it raises as it is in any case, and an unwanted value it wraps, while
//! ours returns the value.

use std::time::Duration;

use retry::{StopReason, Verdict, Wait, stop, wait};
use serde_json::Value;

use super::{Event, Expected, Fallback, Judge, Mapped, Plan, Said};
use crate::Row;
use crate::reading::{duration, durations, parameter, saturating};
use crate::stops::{AnyStop, any_stop};
use crate::waits::boxed;

pub(super) fn mapped(row: &Row, case: &Value) -> Option<Mapped> {
    let params = &row.params;
    let hint = (params["wait"] == "server hint 3600").then_some(Duration::from_secs(3600));
    let (stop, reason) = stop(params)?;
    let reason = if hint.is_some() { StopReason::HintTooLong } else { reason };
    let recorded = recorded(case, reason, params["enabled"] != false);
    let instead = match row.id.as_str() {
        // An attempt that would start after its time.
        "tenacity.trace.any_attempt_or_delay" => Some(ended_early(&recorded, 8, 18.0)),
        // A pause that would end after it.
        "tenacity.trace.retry_after_overshoot" => Some(ended_early(&recorded, 3, 0.0)),
        _ if row.is_bug => return None,
        _ => None,
    };
    let plan = Plan {
        stop,
        wait: wait(params)?,
        judge: judge(params, hint)?,
        fallback: fallback(params, &case["result"]),
        enabled: params["enabled"] != false,
        outcomes: case["outcomes"].as_array()?.iter().map(outcome).collect::<Option<_>>()?,
        takes: saturating(case["attempt_takes"].as_f64()?),
    };
    Some(Mapped { plan, recorded, instead, eyes })
}

/// It tells hooks no times, and none of its hooks sees the end.
fn eyes(events: &[Event]) -> Vec<Event> {
    let seen = |Event(name, numbers): &Event| {
        let told = match name.as_str() {
            "before" | "attempt" | "sleep" => numbers.len(),
            "after" | "before_sleep" => 1,
            _ => return None,
        };
        Some(Event(name.clone(), numbers[..told].to_vec()))
    };
    events.iter().filter_map(seen).collect()
}

fn stop(params: &Value) -> Option<(AnyStop, StopReason)> {
    if params.get("stop").is_some() {
        return Some((any_stop(stop::attempts(number(params, "stop"))), StopReason::Attempts));
    }
    let limit = |key| duration(params, key, f64::INFINITY);
    let stop = if params.get("stop_before_delay").is_some() {
        any_stop(stop::within(limit("stop_before_delay")?))
    } else if params.get("stop_after_delay").is_some() {
        any_stop(stop::elapsed(limit("stop_after_delay")?))
    } else {
        // The one row that joins two: a limit in time that does not hold is its defect.
        let parts = params["stop_any"].as_array()?;
        let value = |name: &str| parts.iter().find(|part| part[0] == name)?[1].as_u64();
        let attempts = u32::try_from(value("attempt")?).ok()?;
        any_stop(stop::attempts(attempts) | stop::within(Duration::from_secs(value("delay")?)))
    };
    Some((stop, StopReason::Time))
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a few attempts
fn number(params: &Value, key: &str) -> u32 {
    parameter(params, key, 0.0) as u32
}

fn wait(params: &Value) -> Option<Box<dyn Wait>> {
    if let Some(list) = params["wait_chain"].as_array() {
        return Some(boxed(wait::sequence(durations(list))));
    }
    if let Some(params) = params.get("wait_exponential") {
        let backoff = wait::exponential(duration(params, "multiplier", 1.0)?);
        return Some(boxed(backoff.cap(duration(params, "max", f64::INFINITY)?)));
    }
    Some(boxed(wait::fixed(duration(params, "wait_fixed", 0.0)?)))
}

fn judge(params: &Value, hint: Option<Duration>) -> Option<Judge> {
    let retry = match hint {
        Some(hint) => Verdict::Retry.retry_after(hint),
        None => Verdict::Retry,
    };
    let text = |key: &str| params[key].as_str().map(str::to_owned);
    let judge: Box<dyn Fn(&Said) -> bool> = match (text("on"), text("on_result"), text("retry")) {
        (Some(class), None, None) => Box::new(move |said| said.as_ref().err() == Some(&class)),
        (None, Some(value), None) => {
            let value = match value.as_str() {
                "none" => "None".to_owned(),
                value => value.strip_prefix("== ")?.to_owned(),
            };
            Box::new(move |said| said.as_ref().ok() == Some(&value))
        }
        (None, None, Some(never)) if never == "never" => Box::new(|_| false),
        (None, None, None) => Box::new(Result::is_err),
        _ => return None,
    };
    Some(Box::new(move |said| if judge(said) { retry } else { Verdict::Final }))
}

fn fallback(params: &Value, result: &Value) -> Fallback {
    let falls_back = params.get("retry_error_callback").is_some();
    let says_how_often = result["returns"].as_str().is_some_and(|value| value.contains("after"));
    Box::new(move |report, outcome| match report.reason() {
        // Theirs is called only where the stop condition has fired; ours always, with why.
        StopReason::Permanent => outcome,
        _ if !falls_back => outcome,
        _ if says_how_often => Ok(format!("fallback after {}", report.attempts())),
        _ => Ok("fallback".to_owned()),
    })
}

/// What an attempt gives, and whether it asks for another one whatever the condition says.
fn outcome(name: &Value) -> Option<(Said, bool)> {
    Some(match name.as_str()?.split_once(':') {
        Some(("ok", value)) => (Ok(value.to_owned()), false),
        Some(("err", class)) => (Err(class.to_owned()), false),
        None if name == "tryagain" => (Err("TryAgain".to_owned()), true),
        // The body of ours gives the cause itself.
        None if name == "tryagain_from_value_error" => (Err("ValueError".to_owned()), true),
        _ => return None,
    })
}

fn recorded(case: &Value, gives_up: StopReason, is_enabled: bool) -> Expected {
    let events = Event::all_recorded(&case["events"]);
    let (result, statistics) = (&case["result"], &case["statistics"]);
    let text = |value: &Value| value.as_str().unwrap_or("None").to_owned();
    let outcome = match (result.get("returns"), result["last_failed"].as_bool()) {
        (Some(value), _) => Ok(text(value)),
        (None, Some(false)) => Ok(text(&result["last"])),
        (None, Some(true)) => Err(text(&result["last"])),
        // To raise an unwanted value again is what `reraise` cannot do.
        (None, None) => Err(text(&result["raises"])),
    };
    // A call ends after an attempt that was not followed by anything, or after `after`.
    let reason = match (events.last().is_some_and(|last| last.is("after")), &outcome) {
        (true, _) => gives_up,
        (false, _) if !is_enabled => StopReason::Disabled,
        (false, Ok(_)) => StopReason::Success,
        (false, Err(_)) => StopReason::Permanent,
    };
    let attempts = events.iter().filter(|event| event.is("attempt")).count();
    // Those of a call that was not watched are empty.
    let waited = statistics.get("idle_for").map_or(0.0, |waited| waited.as_f64().unwrap());
    Expected {
        attempts: u32::try_from(attempts).unwrap(),
        events,
        reason,
        outcome,
        waited,
        failed_at: statistics.get("delay_since_first_attempt").and_then(Value::as_f64),
        finished_at: case["finished_at"].as_f64().unwrap(),
    }
}

/// The same, ended after so many events.
fn ended_early(recorded: &Expected, events: usize, finished_at: f64) -> Expected {
    let events = recorded.events[..events].to_vec();
    let count = |name: &'static str| events.iter().filter(move |event| event.is(name));
    Expected {
        attempts: u32::try_from(count("attempt").count()).unwrap(),
        waited: count("sleep").map(|sleep| sleep.1[0]).sum(),
        reason: recorded.reason,
        outcome: recorded.outcome.clone(),
        failed_at: Some(finished_at),
        finished_at,
        events,
    }
}
