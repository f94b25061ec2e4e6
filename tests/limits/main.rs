//! Limits in time, and what else may end a call from outside: `deadline`, `attempt_timeout`,
//! `cancel`, `nested`, and what is reported of them.

#![allow(clippy::unwrap_used)]
// a test that cannot go on should say where
// A function stands beside what it is asked, and its shape is the point of it.
#![allow(clippy::items_after_statements, clippy::needless_pass_by_value)]

mod cancel;
mod cancelled;

mod deadline;
mod edges;
mod extremes;
mod guards;
mod nested;
mod policy;
mod reported;
mod sendable;
mod shapes;
mod timeout;
