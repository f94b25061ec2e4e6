//! What a call did, and why it ended.

pub(crate) mod error;
pub(crate) mod exhausted;
pub(crate) mod interrupted;
pub(crate) mod reason;
#[allow(clippy::module_inception)] // a room may be named after its main piece
pub(crate) mod report;
#[cfg(feature = "serde")]
mod serialize;
mod summary;
