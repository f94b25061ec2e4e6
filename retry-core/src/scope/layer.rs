//! What one layer around a call can be: overrides for it, a recording of its reports, a deadline, or
//! the attempt of another.

use crate::Instant;
use core::fmt;
use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::engine::clock::VirtualClock;
use crate::report::report::Report;
use crate::scope::only::Only;
use crate::stats::site::Site;
use crate::strategy::memory::Chance;
use crate::strategy::stop::{Stop, Unbounded};
use crate::strategy::wait::Wait;

/// One layer.
#[derive(Debug)]
pub(crate) enum Layer {
    Overrides(Settings),
    Recorder(Arc<Sink>),
    /// `None` is none.
    Deadline(Option<Instant>),
    /// The attempt that it was handed on from, and when the call must be over.
    Attempt(&'static Site, Option<Instant>),
}

pub(crate) type SharedStop = Arc<dyn Stop<Ends = Unbounded> + Send + Sync>;
pub(crate) type Hook = Arc<dyn Fn() + Send + Sync>;
pub(crate) type SharedWait = Arc<dyn Wait + Send + Sync>;

/// What a set of overrides sets.
#[derive(Clone, Default)]
pub(crate) struct Settings {
    pub(crate) stop: Option<SharedStop>,
    pub(crate) wait: Option<SharedWait>,
    pub(crate) enabled: Option<bool>,
    pub(crate) guards: Option<bool>,
    pub(crate) most_attempts: Option<u32>,
    pub(crate) chances: Option<Chances>,
    pub(crate) clock: Option<VirtualClock>,
    pub(crate) only: Option<Only>,
    /// What runs as these attempts start.
    pub(crate) at: Vec<(u32, Hook)>,
}

impl Settings {
    pub(crate) fn apply_to(&self, site: &Site) -> bool {
        self.only.as_ref().is_none_or(|only| only.is(site))
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seed = match self.chances {
            Some(Chances::Seed(seed, _)) => Some(seed),
            _ => None,
        };
        let mut shown = f.debug_struct("Overrides");
        shown
            .field("stop", &self.stop.is_some())
            .field("wait", &self.wait.is_some())
            .field("enabled", &self.enabled)
            .field("guards", &self.guards)
            .field("seed", &seed)
            .field("virtual_time", &self.clock.is_some())
            .field("only", &self.only.as_ref().map(Only::name));
        if let Some(most) = self.most_attempts {
            shown.field("at_most_attempts", &most);
        }
        if !self.at.is_empty() {
            let attempts: Vec<_> = self.at.iter().map(|(attempt, _)| attempt).collect();
            shown.field("at", &attempts);
        }
        if let Some(Chances::Always(fraction)) = self.chances {
            shown.field("draw", &fraction);
        }
        shown.finish()
    }
}

/// Where calls get their random numbers from.
#[derive(Clone, Debug)]
pub(crate) enum Chances {
    /// From this seed; and how many calls have drawn from it.
    Seed(u64, Arc<AtomicU64>),
    /// The same number every time.
    Always(f64),
}

impl Chances {
    /// Those of the next call.
    pub(crate) fn next(&self) -> Chance {
        match self {
            Self::Seed(seed, calls) => match calls.fetch_add(1, Ordering::Relaxed) {
                0 => Chance::Seed(*seed),
                call => Chance::Seed(mixed(mixed(*seed).wrapping_add(call))),
            },
            Self::Always(fraction) => Chance::Always(*fraction),
        }
    }

    /// Those of what belongs to no call, which takes nothing away from the calls.
    pub(crate) fn aside(&self) -> Chance {
        match self {
            Self::Seed(seed, calls) => {
                Chance::Seed(mixed(mixed(!*seed).wrapping_add(calls.load(Ordering::Relaxed))))
            }
            Self::Always(fraction) => Chance::Always(*fraction),
        }
    }
}

/// A number that has nothing to do with those of its neighbours: the output function of `SplitMix64`
/// (Steele, Lea and Flood, *Fast splittable pseudorandom number generators*, 2014).
fn mixed(number: u64) -> u64 {
    let mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
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
