//! Text that users write wherever a policy is written: durations with a unit, and names that may
//! be misspelt. The macros and the configuration read and answer it alike.

mod duration;
mod names;
pub(crate) mod sources;

pub use duration::{Malformed, UNITS, meant, number_len, parse, unit_meant, write};
pub use names::{list, similar};
