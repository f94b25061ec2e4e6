//! What every combination of strategies promises: properties of random trees of them, and the
//! situations that have a name.

// A test reports by panicking.
#![allow(clippy::unwrap_used)]

#[path = "../support/mod.rs"]
mod support;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use retry::stop::{Bounded, Limits, Unbounded};
use retry::{
    Delay, Policy, Schedule, State, Step, Stop, StopReason, Verdict, Wait, on, stop, wait,
};

use support::{ms, secs};

fn boxed<'a>(wait: impl Wait + 'a) -> Box<dyn Wait + 'a> {
    Box::new(wait)
}

/// The delay after attempt number `attempt`, for strategies that draw nothing.
fn after(attempt: u32, wait: &impl Wait) -> Duration {
    wait.delay(&State::new(attempt)).total()
}

mod caps_and_floors;
mod decorrelated;
mod distributions;
mod plain;
mod ranges;
mod spread;
mod stops;
mod stops_at_random;
mod trees;
mod waits;
