//! What a body can know, and say, about the attempt it runs in.

#[allow(clippy::module_inception)] // a room may be named after its main piece
pub(crate) mod attempt;
pub(crate) mod call_id;
pub(crate) mod context;
pub(crate) mod current;
pub(crate) mod mark;
pub(crate) mod notes;
