//! Attributes above `#[retry]` that put the body into blocks and closures of their own: each
//! attempt starts afresh in them.
//!
//! All ask for tracing's events, so that nothing is skipped where the span is disabled.

use std::cell::Cell;
use std::collections::VecDeque;
use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use ::futures::future::BoxFuture;
use async_trait::async_trait;
use retry::retry;
use tracing::{Instrument as _, instrument};

use crate::flaky::{Busy, Flaky, FlakyCell};
use crate::support::send::sendable;

#[derive(Debug)]
struct Client {
    flaky: Flaky,
    seen: u32,
    limit: u32,
    name: String,
}

impl Client {
    fn new() -> Self {
        Self { flaky: Flaky::third(), seen: 0, limit: 5, name: "client".to_owned() }
    }
}

mod asynchronous;
mod futures;
mod sync;
mod traced;
mod trait_methods;
