//! Hooks, the gate, the fallback, resets, policies as a key, and what the caller is told.

// A test reports by panicking. The forms in which hooks are written are the subject: some are
// closures for nothing, take what they do not need, or await nothing.
#![allow(
    clippy::diverging_sub_expression,
    clippy::items_after_statements,
    clippy::manual_assert,
    clippy::manual_async_fn,
    clippy::needless_question_mark,
    clippy::needless_pass_by_ref_mut,
    clippy::panic,
    clippy::redundant_closure,
    clippy::semicolon_if_nothing_returned,
    clippy::todo,
    clippy::trivially_copy_pass_by_ref,
    clippy::unnecessary_wraps,
    clippy::unused_async,
    clippy::unused_self,
    clippy::unwrap_used
)]

mod bodies;
mod discard;
mod forms;
mod levels;
mod order;
mod peer;
mod policy_key;
mod retry_error;
mod send;
mod shapes;
mod steering;
#[path = "../support/mod.rs"]
mod support;
