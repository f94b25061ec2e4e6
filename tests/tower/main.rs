//! The layer over services made by hand, where time passes only by sleeping.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test that cannot go on should say where
#![allow(unreachable_pub)] // no other crate is told of what is shared

#[path = "../support/mod.rs"]
mod support;

mod guards;
mod places;
mod requests;
mod service;

use service::{Fault, Scripted, Step};
use support::{ms, secs, send, site};
use tower::{Layer, Service, ServiceExt};

use retry::tower::RetryLayer;
use retry::{StopReason, policy};
