//! The policies of four articles about retrying, each with the sequence that its article describes; and
//! what they get wrong, right. Beside them, the download of the guide, which takes the same server.

#![allow(clippy::unwrap_used, clippy::panic)] // a test reports by panicking
// A function stands beside what it is asked.
#![allow(clippy::items_after_statements)]

mod allowlist;
mod download;
mod phases;
mod server;
mod table;
mod tour;

use std::time::Duration;

pub(crate) const fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

pub(crate) const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}
