//! Limits in time, and what else may end a call from outside: `deadline`, `attempt_timeout`,
//! `cancel`, `nested`.

#![allow(clippy::unwrap_used)] // a test that cannot go on should say where

mod cancel;
mod deadline;
mod guards;
mod nested;
mod timeout;
