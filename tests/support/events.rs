//! The events that `tracing` is told of, written down.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};

use tracing::field::{Field, Visit};
use tracing::subscriber::DefaultGuard;
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

use super::listening;

/// A field's value, of the type it was recorded with.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    U64(u64),
    F64(f64),
    Str(String),
    /// By `Display` or `Debug`.
    Text(String),
    Other(&'static str),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    pub level: Level,
    pub target: String,
    pub fields: BTreeMap<String, Value>,
}

impl Seen {
    pub fn get(&self, field: &str) -> Option<&Value> {
        self.fields.get(field)
    }

    /// A field that holds text, in whichever way it was recorded.
    pub fn text(&self, field: &str) -> Option<&str> {
        self.get(field).map(|value| match value {
            Value::Text(text) | Value::Str(text) => text.as_str(),
            other => unreachable!("{field} is text, not {other:?}"),
        })
    }

    pub fn message(&self) -> &str {
        self.text("message").unwrap()
    }

    pub fn name(&self) -> &str {
        match self.get("name") {
            Some(Value::Str(name)) => name,
            other => unreachable!("a name is a string, not {other:?}"),
        }
    }

    /// The id of the call.
    pub fn call(&self) -> &str {
        self.text("call").unwrap()
    }

    /// The fields without the message, the name and the id, which have tests of their own.
    pub fn rest(&self) -> Vec<(&str, Value)> {
        self.fields
            .iter()
            .filter(|(key, _)| !matches!(key.as_str(), "message" | "name" | "call"))
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

/// Hears the events of this thread until it is dropped.
pub struct Listener {
    recorder: Recorder,
    _guard: DefaultGuard,
}

impl Listener {
    pub fn new() -> Self {
        listening::surely();
        let recorder = Recorder::default();
        let subscriber = tracing_subscriber::registry().with(recorder.clone());
        Self { recorder, _guard: tracing::subscriber::set_default(subscriber) }
    }

    /// What it has heard since it was asked last.
    pub fn take(&self) -> Vec<Seen> {
        std::mem::take(&mut self.recorder.0.lock().unwrap())
    }
}

/// The events that `f` causes on this thread.
pub fn events<T>(f: impl FnOnce() -> T) -> Vec<Seen> {
    let listener = Listener::new();
    f();
    listener.take()
}
