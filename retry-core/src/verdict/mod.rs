//! What an outcome means.

mod errors;
#[allow(clippy::module_inception)] // a room may be named after its main piece
pub(crate) mod verdict;
