//! What a call says it did: the reports of `record` and `record_sync`, those that hooks get, and
//! `RetryError`.

#![allow(clippy::unwrap_used, clippy::panic)] // a test reports by panicking
// A function stands beside what it is asked.
#![allow(clippy::items_after_statements)]
#![allow(missing_docs, unreachable_pub)]

mod callers;
mod each_reason;
mod history;
mod layers;
mod nested;
mod no_sleep;
mod peer;
mod reasons;
#[cfg(feature = "serde")]
mod serialized;
#[path = "../support/mod.rs"]
mod support;
mod texts;
