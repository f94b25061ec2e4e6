//! What the expansion of the macros calls, and nobody else.

pub(crate) mod compared;
pub(crate) mod derived;
pub(crate) mod describe;
pub mod hooks;
pub mod judge;
pub(crate) mod small;
pub(crate) mod waits;
