//! What the quickstart needs around it: a server to call, and words for what happens.

mod narrator;
mod server;

pub(crate) use narrator::narrate;
pub(crate) use server::flaky_server;
