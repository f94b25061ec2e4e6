//! Names: whatever the user calls things, the expansion and the user's code do not meet.

// The names are the subject; so are types that hide the prelude's.
#![allow(
    clippy::items_after_statements,
    clippy::needless_pass_by_value,
    clippy::unnecessary_wraps,
    clippy::unused_async,
    clippy::unwrap_used,
    clippy::wildcard_imports
)]

extern crate retry as again;

/// Hides the real `core` from every path that does not start with `::`.
#[allow(dead_code)]
mod core {}

/// Hides the real `std` in the same way.
#[allow(dead_code)]
mod std {}

/// Counts down to a success.
#[derive(Debug)]
pub(crate) struct Flaky(::std::sync::atomic::AtomicU32);

impl Flaky {
    pub(crate) const fn third() -> Self {
        Self(::std::sync::atomic::AtomicU32::new(0))
    }

    pub(crate) fn ask(&self) -> Result<u32, Busy> {
        let n = self.asked() + 1;
        self.0.store(n, ::std::sync::atomic::Ordering::Relaxed);
        if n < 3 { Err(Busy) } else { Ok(n) }
    }

    pub(crate) fn asked(&self) -> u32 {
        self.0.load(::std::sync::atomic::Ordering::Relaxed)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Busy;

mod arguments;
mod bare;
mod facade;
mod generated;
mod items;
mod programs;
mod shadowed;
mod strategies;
mod types;

#[tokio::test]
async fn functions_work_without_a_prelude() {
    bare::all().await;
}
