//! Policies as they are found in the wild, each on a small function that fails as the original
//! would: how often it is called, and after which delays.

#![allow(clippy::unwrap_used)] // a test that cannot go on should say where
#![allow(missing_docs, unreachable_pub)]
// A function stands beside what is asked of it, and keeps the signature of the original.
#![allow(clippy::items_after_statements, clippy::unused_self)]

use std::fmt;
use std::io::{self, ErrorKind};
use std::time::Duration;

use retry::{Transient, Verdict, retry};
use tokio::time::Instant;

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn all_ms<const N: usize>(millis: [u64; N]) -> Vec<Duration> {
    millis.map(ms).to_vec()
}

/// What a call does: its attempts on tokio's clock, and the sleeps it asks for.
struct Log {
    start: Instant,
    starts: Vec<Duration>,
    sleeps: Vec<Duration>,
}

impl Log {
    fn new() -> Self {
        Self { start: Instant::now(), starts: Vec::new(), sleeps: Vec::new() }
    }

    /// Notes an attempt and gives its number, from 1.
    fn attempt(&mut self) -> usize {
        self.starts.push(self.start.elapsed());
        self.starts.len()
    }

    fn attempts(&self) -> usize {
        self.starts.len()
    }

    fn gaps(&self) -> Vec<Duration> {
        self.starts.iter().zip(&self.starts[1..]).map(|(a, b)| b.saturating_sub(*a)).collect()
    }

    /// Instead of sleeping.
    fn sleep(&mut self, delay: Duration) {
        self.sleeps.push(delay);
    }
}

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

mod files;

mod databases_and_commits;

mod http_grpc_and_object_stores;
mod locks_and_processes;

mod reconnecting_consuming_and_waiting;
