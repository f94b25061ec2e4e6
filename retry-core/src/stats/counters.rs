//! What is counted of one function.
//!
//! The one thing counted on the fast path is a success of the first attempt. It is counted in
//! parts, each a cache line of its own: most threads own theirs and need no locked instruction,
//! the rest share the last one. Everything else happens only after a failure and is counted in
//! one place.

use core::sync::atomic::Ordering::Relaxed;
use core::time::Duration;

use crate::report::reason::StopReason;
use crate::stats::event::Event;
use crate::stats::thread_slot::{self, SLOTS};
use crate::sync::AtomicU64;

/// The counters of one site. All zero at first, so that a static of them costs no room in the
/// binary.
#[derive(Debug)]
pub struct Counters {
    first_try: [Part; SLOTS],
    retries: AtomicU64,
    waited: AtomicU64,
    recovered: AtomicU64,
    given_up: [AtomicU64; StopReason::COUNT],
    permanent: AtomicU64,
    cancelled: AtomicU64,
    panicked: AtomicU64,
    disabled: AtomicU64,
    refused: AtomicU64,
    running: AtomicU64,
}

/// A cache line of its own, so that threads which own neighbours do not slow each other down.
#[derive(Debug)]
#[repr(align(64))]
struct Part(AtomicU64);

impl Counters {
    /// All zero.
    #[allow(clippy::new_without_default)] // only ever a static
    pub const fn new() -> Self {
        Self {
            first_try: [const { Part(AtomicU64::new(0)) }; SLOTS],
            retries: AtomicU64::new(0),
            waited: AtomicU64::new(0),
            recovered: AtomicU64::new(0),
            given_up: [const { AtomicU64::new(0) }; StopReason::COUNT],
            permanent: AtomicU64::new(0),
            cancelled: AtomicU64::new(0),
            panicked: AtomicU64::new(0),
            disabled: AtomicU64::new(0),
            refused: AtomicU64::new(0),
            running: AtomicU64::new(0),
        }
    }

    /// Counts a success of the first attempt. Returns whether it was the first in its part, and
    /// so maybe the first of all.
    #[inline]
    pub(crate) fn first_success(&self) -> bool {
        let before = match thread_slot::owned() {
            // Nobody else writes to this part as long as the thread lives.
            Some(slot) => add_one_of_ours(&self.first_try[slot].0),
            None => self.first_success_elsewhere(),
        };
        before == 0
    }

    /// Of a thread that owns no part: a new one, or one too many.
    #[cold]
    fn first_success_elsewhere(&self) -> u64 {
        // Just as well on a part that the thread has come to own by now.
        self.first_try[thread_slot::assign()].0.fetch_add(1, Relaxed)
    }

    /// Counts what happens off the fast path.
    #[inline]
    pub(crate) fn note(&self, event: &Event<'_>) {
        match event {
            Event::Retrying(_)
            | Event::Healthy(..)
            | Event::Multiplied(_)
            | Event::Blocks(_)
            | Event::Changed(..) => {}
            Event::Waited(pause) => self.waited(*pause),
            Event::Ended(ended) => {
                add_one(match ended.reason {
                    StopReason::Success => &self.recovered,
                    StopReason::Permanent => &self.permanent,
                    StopReason::Cancelled => &self.cancelled,
                    StopReason::Disabled => &self.disabled,
                    reason => &self.given_up[reason.index()],
                });
                if ended.attempts == 0 {
                    add_one(&self.refused);
                }
            }
            Event::Panicked => add_one(&self.panicked),
        }
    }

    /// An attempt after the first starts.
    #[inline]
    pub(crate) fn retried(&self) {
        add_one(&self.retries);
    }

    fn waited(&self, pause: Duration) {
        if pause.is_zero() {
            return;
        }
        let pause = nanoseconds(pause);
        // A virtual clock passes any pause at once, so the sum must not wrap.
        let _ = self.waited.fetch_update(Relaxed, Relaxed, |sum| Some(sum.saturating_add(pause)));
    }

    /// The counters as they stand. They go on counting meanwhile, so that what is read first may
    /// be a few calls behind what is read last.
    pub(crate) fn read(&self) -> Counts {
        Counts {
            first_try: sum(self.first_try.iter().map(|part| &part.0)),
            recovered: self.recovered.load(Relaxed),
            given_up: core::array::from_fn(|index| self.given_up[index].load(Relaxed)),
            permanent: self.permanent.load(Relaxed),
            cancelled: self.cancelled.load(Relaxed),
            panicked: self.panicked.load(Relaxed),
            disabled: self.disabled.load(Relaxed),
            refused: self.refused.load(Relaxed),
            running: self.running.load(Relaxed),
            retries: self.retries.load(Relaxed),
            waited: Duration::from_nanos(self.waited.load(Relaxed)),
        }
    }
}

/// The counters of one site at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) first_try: u64,
    pub(crate) recovered: u64,
    pub(crate) given_up: [u64; StopReason::COUNT],
    pub(crate) permanent: u64,
    pub(crate) cancelled: u64,
    pub(crate) panicked: u64,
    pub(crate) disabled: u64,
    /// Before their first attempt.
    pub(crate) refused: u64,
    /// That have failed and go on.
    pub(crate) running: u64,
    pub(crate) retries: u64,
    pub(crate) waited: Duration,
}

/// A call that has failed and goes on, counted as long as this lives.
#[derive(Debug)]
pub(crate) struct Running(&'static Counters);

impl Running {
    pub(crate) fn new(counters: &'static Counters) -> Self {
        add_one(&counters.running);
        Self(counters)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Relaxed);
    }
}

/// Adds one to a counter that nobody else writes to.
#[inline]
fn add_one_of_ours(counter: &AtomicU64) -> u64 {
    let before = counter.load(Relaxed);
    counter.store(before.wrapping_add(1), Relaxed);
    before
}

/// Adds one off the fast path.
fn add_one(counter: &AtomicU64) {
    counter.fetch_add(1, Relaxed);
}

fn sum<'a>(counters: impl Iterator<Item = &'a AtomicU64>) -> u64 {
    counters.map(|counter| counter.load(Relaxed)).fold(0, u64::saturating_add)
}

/// At most `u64::MAX`, which is 584 years.
fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test that cannot go on should say where

    use super::*;
    use crate::stats::thread_slot::SHARED;
    use std::sync::{Barrier, PoisonError};
    use std::thread;

    #[test]
    fn no_success_is_lost_while_threads_end_and_are_replaced() {
        static COUNTERS: Counters = Counters::new();
        const CALLS: u64 = 20_000;
        let _turn = thread_slot::TURN.lock().unwrap_or_else(PoisonError::into_inner);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..8 {
                        let thread = thread::spawn(|| {
                            for _ in 0..CALLS {
                                COUNTERS.first_success();
                            }
                        });
                        thread.join().unwrap();
                    }
                });
            }
        });
        assert_eq!(COUNTERS.read().first_try, 8 * 8 * CALLS);
    }

    #[test]
    fn no_success_is_lost_with_more_threads_than_parts() {
        const THREADS: usize = SLOTS + 16;
        const CALLS: u64 = 5_000;
        let _turn = thread_slot::TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let counters = Counters::new();
        let barrier = Barrier::new(THREADS);
        thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| {
                    counters.first_success();
                    barrier.wait();
                    for _ in 1..CALLS {
                        counters.first_success();
                    }
                });
            }
        });
        // At least 17 of them had to share the last part.
        let shared = counters.first_try[SHARED].0.load(Relaxed);
        assert!(shared >= 17 * CALLS, "{shared}");
        assert_eq!(counters.read().first_try, THREADS as u64 * CALLS);
    }

    #[test]
    fn an_owner_counts_in_its_own_part() {
        thread::spawn(|| {
            let counters = Counters::new();
            let slot = thread_slot::assign();
            assert!(counters.first_success());
            assert!(!counters.first_success());
            assert_eq!(counters.first_try[slot].0.load(Relaxed), 2);
            assert_eq!(counters.read().first_try, 2);
        })
        .join()
        .unwrap();
    }

    #[test]
    fn parts_do_not_share_a_cache_line() {
        assert_eq!((size_of::<Part>(), align_of::<Part>()), (64, 64));
    }

    #[test]
    fn sums_at_the_end_of_their_range_stay_there() {
        let counters = Counters::new();
        counters.first_try[0].0.store(u64::MAX, Relaxed);
        counters.first_try[SHARED].0.store(2, Relaxed);
        counters.waited(Duration::from_secs(1));
        counters.waited(Duration::MAX);
        counters.waited(Duration::from_secs(1));
        let counts = counters.read();
        assert_eq!(counts.first_try, u64::MAX);
        assert_eq!(counts.waited, Duration::from_nanos(u64::MAX));
    }
}

/// Every order in which threads can meet.
#[cfg(all(test, retry_loom))]
mod models {
    #![allow(clippy::unwrap_used)] // a test that cannot go on should say where

    use std::sync::Arc;

    use ::loom::{model, thread};

    use super::*;
    use crate::stats::thread_slot::{Bitmap, SHARED};

    /// One part that a thread may own, the shared one, and who owns the former.
    struct Parts {
        owners: Bitmap,
        own: AtomicU64,
        shared: AtomicU64,
    }

    impl Parts {
        /// Made inside a model, and used before its threads start.
        fn new() -> Arc<Self> {
            let owners = Bitmap::new();
            for _ in 1..SHARED {
                owners.take().unwrap();
            }
            let parts = Self { owners, own: AtomicU64::new(0), shared: AtomicU64::new(0) };
            assert_eq!(parts.sum(), 0);
            Arc::new(parts)
        }

        /// What a thread does that counts twice and ends.
        fn live(&self) {
            let slot = self.owners.take();
            for _ in 0..2 {
                match slot {
                    Some(_) => add_one_of_ours(&self.own),
                    None => self.shared.fetch_add(1, Relaxed),
                };
            }
            if let Some(slot) = slot {
                self.owners.free(slot);
            }
        }

        fn sum(&self) -> u64 {
            self.own.load(Relaxed) + self.shared.load(Relaxed)
        }
    }

    #[test]
    fn loom_no_count_is_lost_whoever_owns_a_part_and_hands_it_on() {
        model(|| {
            let parts = Parts::new();
            let others: Vec<_> = (0..2)
                .map(|_| {
                    let parts = Arc::clone(&parts);
                    thread::spawn(move || parts.live())
                })
                .collect();
            others.into_iter().for_each(|other| other.join().unwrap());
            assert_eq!(parts.sum(), 4);
        });
    }

    #[test]
    fn loom_a_reader_sees_no_more_than_was_counted_and_never_less_than_before() {
        model(|| {
            let parts = Parts::new();
            let other = thread::spawn({
                let parts = Arc::clone(&parts);
                move || parts.live()
            });
            let (first, second) = (parts.sum(), parts.sum());
            assert!(first <= second && second <= 2, "{first} {second}");
            other.join().unwrap();
            assert_eq!(parts.sum(), 2);
        });
    }
}
