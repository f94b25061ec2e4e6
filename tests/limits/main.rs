//! Limits in time, and what else may end a call from outside: `deadline`, `attempt_timeout`,
//! `cancel`, `nested`, and what is reported of them.

#![allow(clippy::unwrap_used)]
// a test that cannot go on should say where
// Each situation stands with the functions it is about, whose shapes are the subject.
#![allow(
    clippy::items_after_statements,
    clippy::manual_async_fn,
    clippy::needless_pass_by_value,
    clippy::similar_names,
    clippy::unused_async,
    clippy::unused_self
)]

mod cancel;
mod cancelled;

mod deadline;
mod edges;
mod extremes;
mod first;
mod guards;
mod nested;
mod policy;
mod reported;
mod running;
mod sendable;
mod shapes;
#[path = "../support/mod.rs"]
mod support;
mod timeout;
