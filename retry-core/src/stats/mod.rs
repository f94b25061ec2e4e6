//! What is counted and told of calls.

pub(crate) mod counters;
pub(crate) mod events;
#[cfg(feature = "metrics")]
pub(crate) mod metrics;
pub(crate) mod site;
pub(crate) mod table;
mod thread_slot;
