//! What an outcome means.

mod errors;
pub(crate) mod outcome;
pub(crate) mod transient;
#[allow(clippy::module_inception)] // a room may be named after its main piece
pub(crate) mod verdict;
