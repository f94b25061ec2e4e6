//! What `tracing` shows of a call: every event with its level, target, message and typed fields,
//! and no event where there is nothing to tell.

#![allow(clippy::unwrap_used)]
// a test that cannot go on should say where
// A function stands beside what it is asked, and its shape is the point of it.
#![allow(clippy::items_after_statements, clippy::unused_self, clippy::manual_async_fn)]
#![allow(missing_docs, unreachable_pub)]

#[path = "../support/mod.rs"]
mod support;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use retry::{State, Stop, Verdict, retry};
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

use support::{listening, ms};

/// A field's value, of the type it was recorded with.
#[derive(Clone, Debug, PartialEq)]
enum Value {
    U64(u64),
    F64(f64),
    Str(String),
    /// By `Display` or `Debug`.
    Text(String),
    Other(&'static str),
}

#[derive(Clone, Debug, PartialEq)]
struct Seen {
    level: Level,
    target: String,
    fields: BTreeMap<String, Value>,
}

impl Seen {
    fn get(&self, field: &str) -> Option<&Value> {
        self.fields.get(field)
    }

    fn message(&self) -> &str {
        match self.get("message") {
            Some(Value::Text(text) | Value::Str(text)) => text,
            other => unreachable!("a message is text, not {other:?}"),
        }
    }

    fn name(&self) -> &str {
        match self.get("name") {
            Some(Value::Str(name)) => name,
            other => unreachable!("a name is a string, not {other:?}"),
        }
    }

    /// The fields without the message and the name, which have tests of their own.
    fn rest(&self) -> Vec<(&str, Value)> {
        self.fields
            .iter()
            .filter(|(key, _)| !matches!(key.as_str(), "message" | "name"))
            .map(|(key, value)| (key.as_str(), value.clone()))
            .collect()
    }
}

impl Visit for Seen {
    fn record_u64(&mut self, field: &Field, value: u64) {
        self.fields.insert(field.name().to_owned(), Value::U64(value));
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.fields.insert(field.name().to_owned(), Value::F64(value));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.fields.insert(field.name().to_owned(), Value::Str(value.to_owned()));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.fields.insert(field.name().to_owned(), Value::Text(format!("{value:?}")));
    }

    fn record_i64(&mut self, field: &Field, _: i64) {
        self.fields.insert(field.name().to_owned(), Value::Other("i64"));
    }

    fn record_bool(&mut self, field: &Field, _: bool) {
        self.fields.insert(field.name().to_owned(), Value::Other("bool"));
    }

    fn record_error(&mut self, field: &Field, _: &(dyn std::error::Error + 'static)) {
        self.fields.insert(field.name().to_owned(), Value::Other("error"));
    }
}

/// Keeps all events.
#[derive(Clone, Default)]
struct Recorder(Arc<Mutex<Vec<Seen>>>);

impl<S: Subscriber> Layer<S> for Recorder {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut seen = Seen {
            level: *event.metadata().level(),
            target: event.metadata().target().to_owned(),
            fields: BTreeMap::new(),
        };
        event.record(&mut seen);
        self.0.lock().unwrap().push(seen);
    }
}

/// The events that `f` causes on this thread.
fn events<T>(f: impl FnOnce() -> T) -> Vec<Seen> {
    listening::surely();
    let recorder = Recorder::default();
    let subscriber = tracing_subscriber::registry().with(recorder.clone());
    tracing::subscriber::with_default(subscriber, f);
    recorder.0.lock().unwrap().clone()
}

/// The events of an async call under tokio's paused clock.
fn paused<T>(future: impl Future<Output = T>) -> Vec<Seen> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    events(|| runtime.block_on(future))
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

mod the_reason;

mod described;

mod elapsed;

mod off;

mod the_error;

mod the_name;

mod a_link;
