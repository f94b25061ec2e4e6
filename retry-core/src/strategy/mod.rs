//! What a user combines: when to give up, how long to wait, what is worth another attempt.

pub(crate) mod boxed;
pub(crate) mod delay;
pub(crate) mod erased;
mod kind;
pub(crate) mod memory;
pub mod on;
pub(crate) mod state;
pub mod stop;
pub mod wait;
mod waits;
