//! What the quickstart needs around it: a server to call.

mod server;

pub(crate) use server::flaky_server;
