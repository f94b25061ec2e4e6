//! Limits in time, and what else may end a call from outside: `deadline`, `attempt_timeout`,
//! `cancel`, `nested`, and what is reported of them.

#![allow(clippy::unwrap_used)] // a test that cannot go on should say where

mod cancel;
mod deadline;
mod edges;
mod guards;
mod nested;
mod policy;
mod reported;
mod timeout;
