//! What one layer around a call can be: overrides for it, or a recording of its reports.

use core::fmt;
use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::engine::clock::VirtualClock;
use crate::report::report::Report;
use crate::stats::site::Site;
use crate::strategy::stop::{Stop, Unbounded};
use crate::strategy::wait::Wait;

/// One layer.
#[derive(Debug)]
pub(crate) enum Layer {
    Overrides(Settings),
    Recorder(Arc<Sink>),
}

pub(crate) type SharedStop = Arc<dyn Stop<Ends = Unbounded> + Send + Sync>;
pub(crate) type SharedWait = Arc<dyn Wait + Send + Sync>;

/// What a set of overrides sets.
#[derive(Clone, Default)]
pub(crate) struct Settings {
    pub(crate) stop: Option<SharedStop>,
    pub(crate) wait: Option<SharedWait>,
    pub(crate) enabled: Option<bool>,
    pub(crate) seed: Option<Seed>,
    pub(crate) clock: Option<VirtualClock>,
    pub(crate) only: Option<String>,
}

impl Settings {
    pub(crate) fn apply_to(&self, site: &Site) -> bool {
        self.only.as_deref().is_none_or(|only| site.is_called(only))
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Overrides")
            .field("stop", &self.stop.is_some())
            .field("wait", &self.wait.is_some())
            .field("enabled", &self.enabled)
            .field("seed", &self.seed.as_ref().map(|seed| seed.seed))
            .field("virtual_time", &self.clock.is_some())
            .field("only", &self.only)
            .finish()
    }
}

/// A seed, and how many calls have drawn from it.
#[derive(Clone, Debug)]
pub(crate) struct Seed {
    pub(crate) seed: u64,
    calls: Arc<AtomicU64>,
}

impl Seed {
    pub(crate) fn new(seed: u64) -> Self {
        Self { seed, calls: Arc::default() }
    }

    /// The seed of the next call.
    pub(crate) fn next(&self) -> u64 {
        self.seed.wrapping_add(self.calls.fetch_add(1, Ordering::Relaxed))
    }
}

/// Where the reports of one recording are collected; `None` once they have been taken. A task that
/// has inherited the recording may outlive it, and what it does then must not pile up.
#[derive(Debug)]
pub(crate) struct Sink(Mutex<Option<Vec<Report>>>);

impl Sink {
    pub(crate) fn open() -> Arc<Self> {
        Arc::new(Self(Mutex::new(Some(Vec::new()))))
    }

    pub(crate) fn push(&self, report: Report) {
        if let Some(reports) = &mut *self.lock() {
            reports.push(report);
        }
    }

    pub(crate) fn close(&self) -> Vec<Report> {
        self.lock().take().unwrap_or_default()
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Option<Vec<Report>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
