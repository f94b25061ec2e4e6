//! Every shape a function can have, retried: each test makes the loop go round and looks at how
//! many attempts were made and what came back.

// The shapes are the subject: many are async without awaiting, take by value what they could
// borrow, or are written the long way round on purpose.
#![allow(
    clippy::boxed_local,
    clippy::cast_possible_truncation,
    clippy::double_must_use,
    clippy::manual_async_fn,
    clippy::needless_continue,
    clippy::needless_pass_by_value,
    clippy::needless_return,
    clippy::never_loop,
    clippy::panic,
    clippy::ptr_arg,
    clippy::redundant_closure,
    clippy::redundant_closure_for_method_calls,
    clippy::redundant_locals,
    clippy::trivially_copy_pass_by_ref,
    clippy::type_complexity,
    clippy::unnecessary_min_or_max,
    clippy::unnecessary_to_owned,
    clippy::unused_async,
    clippy::unused_self,
    clippy::unwrap_used,
    clippy::useless_format
)]

mod above;
mod arguments;
mod block;
mod body;
mod boxed;
mod clones;
mod conditions;
mod flaky;
mod functions;
mod futures;
mod generics;
mod is;
mod keys;
mod macros;
mod methods;
mod named_futures;
mod outputs;
mod sleeps;
mod stacked;
mod strategies;
#[path = "../support/mod.rs"]
mod support;
mod traits;
