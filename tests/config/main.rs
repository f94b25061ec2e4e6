//! Policies from configuration: what loads, what does not and what is said about it.

#![allow(clippy::unwrap_used)] // a test that cannot go on should say where
#![allow(missing_docs)]

mod bad;
mod environment;
mod good;
mod rules;
#[path = "../support/mod.rs"]
mod support;
