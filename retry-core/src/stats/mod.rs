//! What is counted and told of calls: `site` is one retried function with its `counters`, `event`
//! what happens in a call, and `tell` tells it to the counters, to `events` and to `metrics`;
//! `registry` lists all sites, `sites` is what can be read of them, and `table` shows it.

#[cfg(feature = "tokio")]
pub(crate) mod blocking;
pub(crate) mod counters;
pub(crate) mod event;
#[cfg(feature = "tracing")]
pub(crate) mod events;
#[cfg(feature = "metrics")]
pub(crate) mod metrics;
mod name;
pub(crate) mod nesting;
pub(crate) mod once;
pub(crate) mod registry;
pub(crate) mod site;
pub(crate) mod sites;
mod table;
pub(crate) mod tell;
mod thread_slot;
pub(crate) mod told;
