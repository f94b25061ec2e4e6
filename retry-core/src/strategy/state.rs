//! What a strategy is told about the call it decides for.

use core::cell::{Cell, RefCell};
use core::fmt;
use core::time::Duration;
use std::time::Instant;

use rand::rngs::{SmallRng, SysRng};
use rand::{RngExt, SeedableRng};

use crate::report::reason::StopReason;
use crate::verdict::verdict::Verdict;

/// What a strategy is told about the call it decides for: the attempt that has just failed, the
/// time, the delay, and the verdict.
///
/// A call makes its own `State` after its first failure and drops it when it ends, so nothing in
/// it is shared between calls. It also carries the source of randomness; see [`seeded`].
///
/// Durations are measured on a monotonic clock. Where the policy cannot ask for the time (only
/// `attempts(n)` in `stop`, and known strategies in `wait`) no clock is read before the first
/// attempt, and the clock starts when the first attempt has failed.
///
/// To test a strategy, make a `State` by hand:
///
/// ```
/// use retry::{State, Wait, wait};
/// use std::time::Duration;
///
/// let ms = Duration::from_millis;
/// let backoff = wait::exponential(ms(100)).cap(ms(350));
/// let delays: Vec<_> = (1..=4).map(|n| backoff.delay(&State::new(n)).total()).collect();
/// assert_eq!(delays, [ms(100), ms(200), ms(350), ms(350)]);
/// ```
///
/// [`seeded`]: State::seeded
pub struct State {
    /// In a cell because `first.times(n).then(next)` counts from 1 again for `next`.
    attempt: Cell<u32>,
    pub(crate) elapsed: Duration,
    pub(crate) now: Option<Instant>,
    pub(crate) remaining: Option<Duration>,
    pub(crate) delay: Duration,
    pub(crate) previous_delay: Option<Duration>,
    pub(crate) verdict: Verdict,
    pub(crate) previous_verdict: Option<Verdict>,
    pub(crate) last_attempt: Option<Duration>,
    rng: RefCell<Option<SmallRng>>,
    /// In place of every random number, for a preview of what could be drawn.
    drawn: Option<f64>,
    decorrelated: Cell<[Option<Decorrelated>; DECORRELATED]>,
    /// Why the stop strategy that is being asked says yes.
    noted: Cell<Option<StopReason>>,
}

/// How many different `decorrelated` strategies one policy may hold before the oldest forgets
/// its previous value. Two is the most anyone has a use for (one of them for throttling).
const DECORRELATED: usize = 4;

#[derive(Clone, Copy)]
struct Decorrelated {
    base: Duration,
    cap: Duration,
    previous: Duration,
}

impl State {
    /// The state after attempt number `attempt` (from 1) has failed: nothing elapsed, no delay
    /// yet, the verdict [`Verdict::Retry`]. Zero counts as 1.
    pub fn new(attempt: u32) -> Self {
        Self {
            attempt: Cell::new(attempt.max(1)),
            elapsed: Duration::ZERO,
            now: None,
            remaining: None,
            delay: Duration::ZERO,
            previous_delay: None,
            verdict: Verdict::Retry,
            previous_verdict: None,
            last_attempt: None,
            rng: RefCell::new(None),
            drawn: None,
            decorrelated: Cell::new([None; DECORRELATED]),
            noted: Cell::new(None),
        }
    }

    /// Sets the time since the start of the first attempt.
    pub fn with_elapsed(mut self, elapsed: Duration) -> Self {
        self.elapsed = elapsed;
        self
    }

    /// Sets the moment for which the question is asked, for [`stop::until`](crate::strategy::stop::until).
    pub fn with_now(mut self, now: Instant) -> Self {
        self.now = Some(now);
        self
    }

    /// Sets the delay that would come next, for [`stop::within`](crate::strategy::stop::within).
    pub fn with_delay(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// Sets the verdict on the attempt, for [`Wait::throttled`](crate::Wait::throttled).
    pub fn with_verdict(mut self, verdict: Verdict) -> Self {
        self.verdict = verdict;
        self
    }

    /// Makes the randomness reproducible: the same seed gives the same delays.
    pub fn seeded(mut self, seed: u64) -> Self {
        self.set_seed(seed);
        self
    }

    /// Draws `random` every time: 0 for the shortest delays, just below 1 for the longest.
    pub(crate) fn drawing(mut self, random: f64) -> Self {
        self.drawn = Some(random);
        self
    }

    /// The number of the attempt that has just failed, from 1.
    ///
    /// In a `wait` this is the number of the wait: a retry by [`Verdict::now`] does not advance
    /// it, and in `first.times(n).then(next)` it starts again from 1 for `next`.
    pub fn attempt(&self) -> u32 {
        self.attempt.get()
    }

    /// The time from the start of the first attempt to the end of this one.
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// What is left until the call's time is up; `None` where `stop` has no limit in time.
    pub fn remaining(&self) -> Option<Duration> {
        self.remaining
    }

    /// The delay that would come before the next attempt. Zero while a `wait` is being asked.
    pub fn delay(&self) -> Duration {
        self.delay
    }

    /// The delay slept before this attempt, `None` after the first.
    pub fn previous_delay(&self) -> Option<Duration> {
        self.previous_delay
    }

    /// What the outcome of the attempt means.
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// The verdict on the attempt before, `None` after the first.
    pub fn previous_verdict(&self) -> Option<Verdict> {
        self.previous_verdict
    }

    /// How long the attempt took, `None` where no clock was read before it.
    pub fn last_attempt(&self) -> Option<Duration> {
        self.last_attempt
    }

    pub(crate) fn now(&self) -> Option<Instant> {
        self.now
    }

    pub(crate) fn note(&self, reason: Option<StopReason>) {
        self.noted.set(reason);
    }

    pub(crate) fn noted(&self) -> Option<StopReason> {
        self.noted.get()
    }

    pub(crate) fn set_attempt(&mut self, attempt: u32) {
        self.attempt.set(attempt);
    }

    pub(crate) fn set_seed(&mut self, seed: u64) {
        self.rng = RefCell::new(Some(SmallRng::seed_from_u64(seed)));
    }

    pub(crate) fn forget_decorrelated(&mut self) {
        self.decorrelated = Cell::default();
    }

    /// A number from 0 up to, not including, 1.
    pub(crate) fn random(&self) -> f64 {
        if let Some(drawn) = self.drawn {
            return drawn;
        }
        let mut rng = self.rng.borrow_mut();
        rng.get_or_insert_with(|| {
            SmallRng::try_from_rng(&mut SysRng).unwrap_or_else(|_| fallback_rng())
        })
        .random()
    }

    /// Asks `strategy` as if the attempt had the number `attempt`.
    pub(crate) fn as_attempt<T>(&self, attempt: u32, strategy: impl FnOnce(&Self) -> T) -> T {
        struct Restore<'a>(&'a Cell<u32>, u32);
        impl Drop for Restore<'_> {
            fn drop(&mut self) {
                self.0.set(self.1);
            }
        }
        let _restore = Restore(&self.attempt, self.attempt.replace(attempt));
        strategy(self)
    }

    /// The value that `decorrelated(base, cap)` gave last in this call.
    pub(crate) fn decorrelated(&self, base: Duration, cap: Duration) -> Option<Duration> {
        self.decorrelated
            .get()
            .into_iter()
            .flatten()
            .find(|slot| slot.base == base && slot.cap == cap)
            .map(|slot| slot.previous)
    }

    pub(crate) fn set_decorrelated(&self, base: Duration, cap: Duration, previous: Duration) {
        let mut slots = self.decorrelated.get();
        let found = slots.iter().position(|slot| match slot {
            Some(slot) => slot.base == base && slot.cap == cap,
            None => true,
        });
        let index = found.unwrap_or_else(|| {
            slots.rotate_left(1);
            DECORRELATED - 1
        });
        slots[index] = Some(Decorrelated { base, cap, previous });
        self.decorrelated.set(slots);
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State")
            .field("attempt", &self.attempt())
            .field("elapsed", &self.elapsed)
            .field("remaining", &self.remaining)
            .field("delay", &self.delay)
            .field("previous_delay", &self.previous_delay)
            .field("verdict", &self.verdict)
            .field("previous_verdict", &self.previous_verdict)
            .field("last_attempt", &self.last_attempt)
            .finish_non_exhaustive()
    }
}

/// A source of randomness for a system whose own fails.
pub(crate) fn fallback_rng() -> SmallRng {
    SmallRng::seed_from_u64(seed_without_system())
}

/// A seed from the hash maps' keys, which differ from map to map, for a system whose own source
/// fails.
fn seed_without_system() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(0_u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fifth_decorrelated_forgets_only_the_oldest() {
        let state = State::new(1);
        let ms = Duration::from_millis;
        for n in 1..=5 {
            state.set_decorrelated(ms(n), ms(100), ms(10 * n));
        }
        assert_eq!(state.decorrelated(ms(1), ms(100)), None);
        for n in 2..=5 {
            assert_eq!(state.decorrelated(ms(n), ms(100)), Some(ms(10 * n)));
        }
    }

    #[test]
    fn a_panicking_strategy_leaves_the_attempt_number_as_it_was() {
        let state = State::new(7);
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            state.as_attempt(1, |_| std::panic::resume_unwind(Box::new(())));
        }));
        assert!(result.is_err());
        assert_eq!(state.attempt(), 7);
    }

    #[test]
    fn seeds_without_the_system_differ() {
        assert_ne!(seed_without_system(), seed_without_system());
    }
}
