//! What keeps an outage from being made worse.

pub(crate) mod breaker;
pub(crate) mod budget;
pub(crate) mod guarded;
