//! Something that fails, and counts how often it was asked.

use std::cell::Cell;
use std::error::Error;
use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// The error of everything here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Busy;

impl fmt::Display for Busy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("busy")
    }
}

impl Error for Busy {}

/// Fails until it has been asked a given number of times.
#[derive(Debug)]
pub(crate) struct Flaky {
    asked: AtomicU32,
    succeeds_at: u32,
}

impl Flaky {
    pub(crate) const fn until(succeeds_at: u32) -> Self {
        Self { asked: AtomicU32::new(0), succeeds_at }
    }

    /// Succeeds at the third attempt: most tests here are about that.
    pub(crate) const fn third() -> Self {
        Self::until(3)
    }

    pub(crate) const fn never() -> Self {
        Self::until(u32::MAX)
    }

    /// The number of the attempt, once that is high enough.
    pub(crate) fn ask(&self) -> Result<u32, Busy> {
        let n = self.asked.fetch_add(1, Relaxed) + 1;
        if n >= self.succeeds_at { Ok(n) } else { Err(Busy) }
    }

    /// The same, for those who must wait for it.
    pub(crate) async fn ask_slowly(&self) -> Result<u32, Busy> {
        tokio::task::yield_now().await;
        self.ask()
    }

    pub(crate) fn asked(&self) -> u32 {
        self.asked.load(Relaxed)
    }
}

/// The same without atomics, so that borrowing it is not `Sync`.
#[derive(Debug)]
pub(crate) struct FlakyCell {
    asked: Cell<u32>,
    succeeds_at: u32,
}

impl FlakyCell {
    pub(crate) const fn third() -> Self {
        Self { asked: Cell::new(0), succeeds_at: 3 }
    }

    pub(crate) fn ask(&self) -> Result<u32, Busy> {
        let n = self.asked.get() + 1;
        self.asked.set(n);
        if n >= self.succeeds_at { Ok(n) } else { Err(Busy) }
    }
}
