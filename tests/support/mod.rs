//! What several test crates need; each includes it whole.

#![allow(dead_code, unused_imports, unused_macros)] // no crate uses all of it
#![allow(unreachable_pub, missing_docs)]
#![allow(clippy::unchecked_time_subtraction, clippy::unwrap_used)] // moments ascend; a test may panic

pub mod events;
pub mod listening;
pub mod log;
pub mod polling;
pub mod send;

use std::time::Duration;

use retry::SiteStats;

/// What is counted of the function of this name.
pub fn site(name: &str) -> SiteStats {
    retry::sites().get(name).unwrap().clone()
}

pub const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

pub const fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

/// Several durations in milliseconds.
pub fn all_ms<const N: usize>(millis: [u64; N]) -> Vec<Duration> {
    millis.map(ms).to_vec()
}

/// Runs a future on this thread.
pub fn on_one_thread<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    runtime.unwrap().block_on(future)
}

/// Runs a future where time passes only by sleeping, and then at once.
pub fn paused<T>(future: impl Future<Output = T>) -> T {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    runtime.unwrap().block_on(future)
}
