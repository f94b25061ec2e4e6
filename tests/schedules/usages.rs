//! Policies as they are found in the wild, each on a small function that fails as the original
//! would: how often it is called, and after which delays.

use std::fmt;
use std::io::{self, ErrorKind};
use std::time::Duration;

use retry::{Transient, Verdict, retry};
use tokio::time::Instant;

use crate::support::log::Log;
use crate::support::{all_ms, ms};

/// All delays lie within these bounds, one pair for each.
fn assert_within(delays: &[Duration], bounds: impl IntoIterator<Item = (u64, u64)>) {
    let bounds: Vec<_> = bounds.into_iter().collect();
    assert_eq!(delays.len(), bounds.len(), "{delays:?}");
    for (delay, (least, most)) in delays.iter().zip(bounds) {
        assert!((ms(least)..=ms(most)).contains(delay), "{delays:?}: {least}..={most}");
    }
}

/// The first `n` Fibonacci numbers.
fn fibonacci(n: usize) -> impl Iterator<Item = u64> {
    std::iter::successors(Some((1, 1)), |(a, b)| Some((*b, a + b))).map(|(a, _)| a).take(n)
}

mod databases_and_commits;
mod files;
mod http_grpc_and_object_stores;
mod locks_and_processes;
mod reconnecting_consuming_and_waiting;
