//! Requests of reqwest, with and without `send_retrying`, against a server that misbehaves.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod attribute;
mod bytes;
mod errors;
mod guards;
#[path = "../support/pass.rs"]
mod pass;
mod sending;
mod server;
