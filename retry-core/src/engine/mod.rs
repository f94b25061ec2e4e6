//! One retried call: `call` decides and is pure; `handle` is what the expansion holds, and
//! `failing` what a call needs after its first failure; `clock` and `timer` touch time.

pub(crate) mod call;
pub mod cancel;
pub mod clock;
pub(crate) mod failing;
pub(crate) mod gates;
pub(crate) mod handle;
pub(crate) mod rules;
pub mod timer;
