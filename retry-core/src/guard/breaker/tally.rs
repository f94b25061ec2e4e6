//! What the calls of one generation have counted, in one word.

use core::sync::atomic::Ordering::Relaxed;

use crate::guard::breaker::window::Counted;
use crate::sync::AtomicU64;

/// Failures and successes since somebody has last taken them, and the generation they are of. What is
/// of another one changes nothing.
#[derive(Debug)]
pub(crate) struct Tally(AtomicU64);

/// The generation's lowest bits. An old result is taken for a new one if it is old by exactly 65,536
/// generations, or a multiple.
const GENERATION_SHIFT: u32 = 48;
const FAILURES_SHIFT: u32 = 28;
const SUCCESSES: u64 = (1 << FAILURES_SHIFT) - 1;
const FAILURES: u64 = (1 << (GENERATION_SHIFT - FAILURES_SHIFT)) - 1;

/// The most failures it can count; more are not counted.
#[allow(clippy::cast_possible_truncation)] // 20 bits of it
pub(crate) const MOST_FAILURES: u32 = FAILURES as u32;

fn unpack(word: u64) -> Counted {
    Counted { failures: word >> FAILURES_SHIFT & FAILURES, successes: word & SUCCESSES }
}

fn pack(generation: u64, counted: Counted) -> u64 {
    let failures = counted.failures.min(FAILURES);
    let successes = counted.successes.min(SUCCESSES);
    generation << GENERATION_SHIFT | failures << FAILURES_SHIFT | successes
}

impl Tally {
    pub(crate) const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// Counts this generation from here on.
    pub(crate) fn start(&self, generation: u64) {
        // Not a store, which a model does not put in one order with the changes of others.
        self.0.swap(pack(generation, Counted::default()), Relaxed);
    }

    /// Counts one failure: how many there are now, or `None` if the generation is over.
    pub(crate) fn failure(&self, generation: u64) -> Option<u64> {
        let one = |counted: Counted| Counted { failures: counted.failures + 1, ..counted };
        self.change(generation, one).map(|before| (before.failures + 1).min(FAILURES))
    }

    /// Counts one success.
    #[inline]
    pub(crate) fn success(&self, generation: u64) {
        self.change(generation, |counted| Counted { successes: counted.successes + 1, ..counted });
    }

    /// Forgets the failures, if there are any. Reads one word, and writes only if there are.
    #[inline]
    pub(crate) fn clear(&self, generation: u64) {
        if unpack(self.0.load(Relaxed)).failures > 0 {
            self.take(generation);
        }
    }

    /// Takes what was counted.
    pub(crate) fn take(&self, generation: u64) -> Counted {
        self.change(generation, |_| Counted::default()).unwrap_or_default()
    }

    /// Whether there is a failure that nobody has taken.
    pub(crate) fn has_failures(&self, generation: u64) -> bool {
        let word = self.0.load(Relaxed);
        is_of(word, generation) && unpack(word).failures > 0
    }

    /// What there was before the change; `None` if the generation is over.
    #[inline]
    fn change(&self, generation: u64, change: impl Fn(Counted) -> Counted) -> Option<Counted> {
        let of_this = |word| is_of(word, generation).then(|| unpack(word));
        let change = |word| of_this(word).map(|counted| pack(generation, change(counted)));
        self.0.fetch_update(Relaxed, Relaxed, change).ok().map(unpack)
    }
}

fn is_of(word: u64, generation: u64) -> bool {
    word >> GENERATION_SHIFT == pack(generation, Counted::default()) >> GENERATION_SHIFT
}

#[cfg(all(test, not(retry_loom)))]
mod tests {
    use super::*;

    fn counted(failures: u64, successes: u64) -> Counted {
        Counted { failures, successes }
    }

    #[test]
    fn it_counts_one_generation_and_no_other() {
        let tally = Tally::new();
        assert_eq!((tally.failure(0), tally.failure(0)), (Some(1), Some(2)));
        tally.success(0);
        tally.start(3);
        for other in [0, 2, 4, 0x1_0002] {
            assert_eq!(tally.failure(other), None);
            tally.success(other);
            tally.clear(other);
            assert!(!tally.has_failures(other));
            assert_eq!(tally.take(other), counted(0, 0));
        }
        assert_eq!(tally.failure(3), Some(1));
        tally.success(3);
        tally.clear(2);
        assert!(tally.has_failures(3) && !tally.has_failures(2));
        assert_eq!(tally.take(3), counted(1, 1));
        assert_eq!(tally.take(3), counted(0, 0));
    }

    #[test]
    fn at_the_end_of_its_range_it_stays_there() {
        let tally = Tally(AtomicU64::new(pack(0, counted(FAILURES - 1, SUCCESSES - 1))));
        for _ in 0..3 {
            assert_eq!(tally.failure(0), Some(FAILURES));
            tally.success(0);
        }
        assert_eq!(tally.take(0), counted(FAILURES, SUCCESSES));
    }
}
