//! Policies as values: where they can be kept, what `policy!` makes of its keys, calls by them,
//! and the engine as a value in loops of one's own.

#![allow(clippy::unwrap_used)] // a test that cannot go on should say where
#![allow(missing_docs, unreachable_pub)]
// A function stands beside what is asked of it, and takes its error by reference.
#![allow(clippy::items_after_statements, clippy::trivially_copy_pass_by_ref)]

#[path = "../support/mod.rs"]
mod support;

use std::cell::{Cell, RefCell};
use std::error::Error;
use std::fmt;
use std::future::{Future, ready};
use std::io;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use retry::{
    AsPolicy, BoxedPolicy, On, Policy, Schedule, Step, Stop, StopReason, Transient, Verdict, Wait,
    on, policy, record_sync, retry_with, stop, wait,
};

use support::ms;
use support::polling::{finish, poll};
use support::send::sendable;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ApiError {
    Busy,
    Status(u16),
    NotFound,
}

impl ApiError {
    fn is_busy(&self) -> bool {
        *self == Self::Busy
    }
}

impl Transient for ApiError {
    fn verdict(&self) -> Verdict {
        self.is_busy().into()
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl Error for ApiError {}

/// How often a policy calls what always fails like this.
fn calls<S: Stop, W: Wait, O, E: Copy + fmt::Debug>(policy: &Policy<S, W, O>, error: E) -> u32
where
    O: On<Result<(), E>>,
{
    let mut calls = 0;
    let outcome: Result<(), E> = policy.call(|| {
        calls += 1;
        Err(error)
    });
    assert!(outcome.is_err());
    calls
}

mod asynchronous;
mod events;
mod keys;
mod places;
mod previews;
mod returned;
mod schedules;
