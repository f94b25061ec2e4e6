//! `retry_with()`: what tests can change about the calls under a scope, and what they cannot.

#![allow(clippy::unwrap_used, clippy::panic)] // a test reports by panicking
#![allow(clippy::ignored_unit_patterns)] // most calls here fail with `()`, and `_` is its usual name
#![allow(clippy::items_after_statements)] // a function stands beside what it is asked
#![allow(clippy::unused_self)] // a method is about what it is called on, not what it does
#![allow(missing_docs, unreachable_pub)]

mod at;
mod blocks;
mod only;
mod precedence;
mod scopes;
#[path = "../support/mod.rs"]
mod support;
mod tasks;
mod time;

use retry::{Report, record_sync};

/// The report of the only call in a closure.
fn report<T>(f: impl FnOnce() -> T) -> Report {
    let (_, mut reports) = record_sync(f);
    assert_eq!(reports.len(), 1);
    reports.pop().unwrap()
}
