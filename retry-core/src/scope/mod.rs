//! What is set up around a call: `layer` is what one layer can be, `scope` keeps the layers in
//! place, `effective` is what they come to for one call; `overrides` and `record` make layers,
//! `inherit` hands them on, `inside` keeps futures out of their closures, `only` is the one function that overrides are for, and
//! `switch` is there for all calls of the process.

pub(crate) mod deadline;
pub(crate) mod effective;
pub(crate) mod future;
pub(crate) mod inherit;
pub(crate) mod inside;
mod layer;
mod only;
pub(crate) mod overrides;
pub(crate) mod record;
#[allow(clippy::module_inception)] // a room may be named after its main piece
pub(crate) mod scope;
pub(crate) mod switch;
