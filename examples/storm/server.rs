//! A server that crashes again and again.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

/// How the requests are counted.
pub(crate) const SLOT: Duration = Duration::from_millis(100);
/// How long it is watched.
pub(crate) const WATCHED: Duration = Duration::from_secs(90);
/// From here on no request is answered.
pub(crate) const DOWN_FROM: Duration = Duration::from_secs(10);
/// From here on every one is.
pub(crate) const UP_FROM: Duration = Duration::from_secs(70);
/// How long it lives between two crashes.
pub(crate) const LIVES: Duration = Duration::from_secs(10);

/// No answer.
#[derive(Debug)]
pub(crate) struct Down;

/// In its outage it accepts requests, holds them, and drops all that it holds when it crashes. So
/// all clients hear of it at the same moment, however they came: that is what brings them back
/// together.
pub(crate) struct Server {
    start: Instant,
    slots: Vec<AtomicU32>,
}

impl Server {
    pub(crate) fn start() -> Self {
        let slots = WATCHED.as_millis() / SLOT.as_millis();
        Self { start: Instant::now(), slots: (0..slots).map(|_| AtomicU32::new(0)).collect() }
    }

    /// The time `after` its start.
    pub(crate) fn at(&self, after: Duration) -> Instant {
        self.start + after
    }

    pub(crate) async fn ask(&self) -> Result<(), Down> {
        let now = self.start.elapsed();
        let slot = usize::try_from(now.as_millis() / SLOT.as_millis()).unwrap_or(usize::MAX);
        if let Some(requests) = self.slots.get(slot) {
            requests.fetch_add(1, Ordering::Relaxed);
        }
        if !(DOWN_FROM..UP_FROM).contains(&now) {
            return Ok(());
        }
        sleep_until(self.at(crash_after(now))).await;
        Err(Down)
    }

    /// How many requests came in each slot.
    pub(crate) fn requests(&self) -> Vec<u32> {
        self.slots.iter().map(|slot| slot.load(Ordering::Relaxed)).collect()
    }
}

/// When it crashes next, in its outage.
fn crash_after(now: Duration) -> Duration {
    crashes().find(|crash| *crash > now).unwrap_or(UP_FROM)
}

/// When it crashes.
pub(crate) fn crashes() -> impl Iterator<Item = Duration> {
    (1..).map(|n| DOWN_FROM + LIVES * n).take_while(|crash| *crash <= UP_FROM)
}
