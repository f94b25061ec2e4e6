//! Tells in plain words what a retried function does, from the events it emits.

use std::fmt;

use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

/// Prints the events of the library from now on.
pub(crate) fn narrate() {
    tracing_subscriber::registry().with(Narrator).init();
}

struct Narrator;

impl<S: Subscriber> Layer<S> for Narrator {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        if event.metadata().target() == "retry" {
            let mut story = Story::default();
            event.record(&mut story);
            println!("{story}");
        }
    }
}

/// The fields of one event. A retry has a `delay`, the end of a call has a `reason`.
#[derive(Default)]
struct Story {
    name: String,
    attempt: u64,
    delay: Option<f64>,
    reason: String,
    error: String,
}

impl Visit for Story {
    fn record_f64(&mut self, field: &Field, value: f64) {
        if field.name() == "delay" {
            self.delay = Some(value);
        }
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        if field.name() == "attempt" {
            self.attempt = value;
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "name" => value.clone_into(&mut self.name),
            "reason" => value.clone_into(&mut self.reason),
            _ => {}
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        // What an error displays arrives here too: `tracing` has no method of its own for it.
        if field.name() == "error" {
            self.error = format!("{value:?}");
        }
    }
}

impl fmt::Display for Story {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, attempt, delay, reason, error } = self;
        match (delay, reason.as_str()) {
            (Some(delay), _) => {
                let ms = delay * 1e3;
                write!(f, "{name}: attempt {attempt} failed: {error}; trying again in {ms:.0} ms")
            }
            (None, "success") => write!(f, "{name}: attempt {attempt} succeeded"),
            (None, _) => {
                write!(f, "{name}: attempt {attempt} failed: {error}; {reason}: giving up")
            }
        }
    }
}
