//! What `tracing` shows of a call: every event with its level, target, message and typed fields,
//! and no event where there is nothing to tell.

#![allow(clippy::unwrap_used)]
// a test that cannot go on should say where
// A function stands beside what it is asked, and its shape is the point of it.
#![allow(clippy::items_after_statements, clippy::unused_self, clippy::manual_async_fn)]
#![allow(missing_docs, unreachable_pub)]

#[path = "../support/mod.rs"]
mod support;

use std::fmt;
use std::time::Duration;

use retry::{State, Stop, Verdict, retry};
use tracing::Level;

use support::events::{Seen, Value, events};
use support::ms;

/// The events of an async call under tokio's paused clock.
fn paused<T>(future: impl Future<Output = T>) -> Vec<Seen> {
    events(|| support::paused(future))
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn word(word: &str) -> Value {
    Value::Str(word.to_owned())
}

/// What an event of a retry must hold beside its name.
fn retrying(
    attempt: u64,
    delay: f64,
    elapsed: Option<f64>,
    left: Option<u64>,
    error: &str,
) -> Vec<(&str, Value)> {
    let mut fields = vec![("attempt", Value::U64(attempt)), ("delay", Value::F64(delay))];
    fields.extend(left.map(|left| ("left", Value::U64(left))));
    fields.extend(elapsed.map(|elapsed| ("elapsed", Value::F64(elapsed))));
    fields.push(("error", text(error)));
    fields.sort_by_key(|(key, _)| *key);
    fields
}

/// What the event of giving up must hold beside its name.
fn gave_up<'a>(
    attempt: u64,
    elapsed: Option<f64>,
    reason: &str,
    error: Option<&str>,
) -> Vec<(&'a str, Value)> {
    let mut fields = vec![("attempt", Value::U64(attempt)), ("reason", word(reason))];
    fields.extend(elapsed.map(|elapsed| ("elapsed", Value::F64(elapsed))));
    fields.extend(error.map(|error| ("error", text(error))));
    fields.sort_by_key(|(key, _)| *key);
    fields
}

fn rest(events: &[Seen]) -> Vec<Vec<(&str, Value)>> {
    events.iter().map(Seen::rest).collect()
}

/// The reasons of all events, in order; a retry has none.
fn reasons(events: &[Seen]) -> Vec<Option<String>> {
    events
        .iter()
        .map(|event| match event.get("reason") {
            Some(Value::Str(reason)) => Some(reason.clone()),
            None => None,
            other => unreachable!("a reason is a string, not {other:?}"),
        })
        .collect()
}

/// The reason of the last event, which must be the only one that has a reason.
fn reason(events: &[Seen]) -> String {
    let mut reasons = reasons(events);
    let last = reasons.pop().unwrap().unwrap();
    assert!(reasons.iter().all(Option::is_none), "{events:#?}");
    last
}

mod a_call;

mod nested;

mod the_reason;

mod blocking;
mod breaker;

mod described;

mod elapsed;

mod off;

mod the_error;

mod the_name;

mod a_link;

mod its_id;
