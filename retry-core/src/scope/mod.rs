//! What is set up around a call.

pub(crate) mod overrides;
pub(crate) mod record;
#[allow(clippy::module_inception)] // a room may be named after its main piece
pub(crate) mod scope;
