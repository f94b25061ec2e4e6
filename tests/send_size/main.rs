//! The future of an annotated function is `Send` exactly where the plain function's is, and not
//! much larger than the same loop written by hand.

// The shapes are the subject: arguments are taken by value to be held by the future.
#![allow(
    clippy::await_holding_lock,
    clippy::boxed_local,
    clippy::cast_possible_truncation,
    clippy::future_not_send,
    clippy::large_futures,
    clippy::large_stack_arrays,
    clippy::manual_async_fn,
    clippy::needless_pass_by_value,
    clippy::panic,
    clippy::rc_buffer,
    clippy::redundant_pattern_matching,
    clippy::type_complexity,
    clippy::unnecessary_literal_bound,
    clippy::unused_async,
    clippy::unused_self,
    clippy::unwrap_used
)]

mod borrows_of_what_is_not_sync;
mod send;
mod size;
#[path = "../support/mod.rs"]
mod support;
