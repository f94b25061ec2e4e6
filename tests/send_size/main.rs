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

/// Whether a value is `Send`, found out by method lookup, so that both answers compile.
macro_rules! is_send {
    ($value:expr) => {{
        #[allow(unused_imports)]
        use probe::{Maybe as _, No as _};
        (&probe::Probe(core::marker::PhantomData)).of(&$value).is_send()
    }};
}

mod borrows_of_what_is_not_sync;
mod probe;
mod send;
mod size;
