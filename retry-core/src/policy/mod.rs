//! The three kinds of strategy together, as a value, and its uses.

pub(crate) mod asking;
mod build;
mod call;
pub(crate) mod calling;
pub(crate) mod limiting;
#[allow(clippy::module_inception)] // a room may be named after its main piece
pub(crate) mod policy;
pub(crate) mod preview;
pub(crate) mod schedule;
