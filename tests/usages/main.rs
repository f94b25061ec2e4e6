//! What real code retries under limits in time, budgets, cancelling, as streams and over HTTP: each situation
//! in small, with what it must come to.

#![allow(clippy::unwrap_used)]
// a test that cannot go on should say where
// Each situation stands with the functions it is about.
#![allow(clippy::items_after_statements, clippy::unused_async, clippy::unused_self)]
#![allow(missing_docs, unreachable_pub)]

#[path = "../support/mod.rs"]
mod support;

mod cancelled;
mod databases;
mod endless;
#[cfg(feature = "http")]
mod http;
mod in_time;
mod streams;
