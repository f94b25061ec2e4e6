//! What a strategy is told about the call it decides for.

use crate::Instant;
use core::cell::Cell;
use core::fmt;
use core::time::Duration;

use crate::report::reason::StopReason;
use crate::strategy::delay::Delay;
use crate::strategy::erased::AnyWait;
use crate::strategy::memory::{Chance, Memory};
use crate::strategy::waits::{Counted, ThrottledWaits};
use crate::verdict::verdict::Verdict;

/// What a strategy is told about the call it decides for: the attempt that has just failed, the
/// time, the delay, and the verdict.
///
/// A call makes its own `State` after its first failure and drops it when it ends, so nothing in
/// it is shared between calls. It also carries the source of randomness; see [`seeded`].
///
/// Durations are measured on a monotonic clock. Where the policy cannot ask for the time (only
/// `attempts(n)` in `stop`, and known strategies in `wait`) no clock is read, unless somebody
/// watches the call: a recorder, an override, a subscriber to its events, a body that has asked for
/// [`current`](crate::current). Then the clock starts when the first attempt has failed.
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
    pub(crate) elapsed: Duration,
    pub(crate) now: Option<Instant>,
    pub(crate) remaining: Option<Duration>,
    pub(crate) delay: Duration,
    pub(crate) previous_delay: Option<Duration>,
    pub(crate) verdict: Verdict,
    pub(crate) previous_verdict: Option<Verdict>,
    pub(crate) last_attempt: Option<Duration>,
    /// How long the first attempt took.
    pub(crate) first_attempt: Option<Duration>,
    attempt: u32,
    /// Whether the attempt has used one up of those that `stop` counts.
    counts: bool,
    /// Whether what would come later is asked: every random number is the lowest, and nothing is noted.
    is_ahead: bool,
    /// The number of the wait, and among which. In a cell because `first.times(n).then(next)` counts
    /// from 1 again for `next`, and each side of `a.throttled(b)` counts its own.
    wait: Cell<(u32, Counted)>,
    throttled: ThrottledWaits,
    /// Whether a wait strategy has said that there shall be no other attempt.
    is_over: Cell<bool>,
    /// Whether the wait strategy has spread its wait this time.
    has_drawn: Cell<bool>,
    /// Whether the other side's wait takes the place of the strategy's this time.
    is_replaced: Cell<bool>,
    /// Why the stop strategy that is being asked says yes.
    noted: Cell<Option<StopReason>>,
    /// Made when a strategy first has use for it. Outside because a state is made in every call
    /// that fails, and few need this.
    memory: Cell<Option<Box<Memory>>>,
}

impl State {
    /// The state after attempt number `attempt` (from 1) has failed: nothing elapsed, no delay
    /// yet, the verdict [`Verdict::Retry`], and as many waits as attempts, all of them after failures
    /// of the same kind, throttled or not. Zero counts as 1.
    pub const fn new(attempt: u32) -> Self {
        let attempt = if attempt == 0 { 1 } else { attempt };
        Self {
            elapsed: Duration::ZERO,
            now: None,
            remaining: None,
            delay: Duration::ZERO,
            previous_delay: None,
            verdict: Verdict::Retry,
            previous_verdict: None,
            last_attempt: None,
            first_attempt: None,
            attempt,
            counts: true,
            is_ahead: false,
            wait: Cell::new((attempt, Counted::Alike)),
            throttled: ThrottledWaits::NONE,
            is_over: Cell::new(false),
            has_drawn: Cell::new(false),
            is_replaced: Cell::new(false),
            noted: Cell::new(None),
            memory: Cell::new(None),
        }
    }

    /// The state in which a call that has counted so many attempts will ask for this wait, as far as it is
    /// known before.
    pub(crate) fn ahead(attempt: u32, wait: u32) -> Self {
        Self { is_ahead: true, ..Self::new(attempt).with_wait(wait) }
    }

    /// Whether it is such a state.
    pub(crate) const fn is_ahead(&self) -> bool {
        self.is_ahead
    }

    /// Sets the number of the wait, where it is not that of the attempt. Zero counts as 1.
    pub fn with_wait(self, wait: u32) -> Self {
        self.wait.set((wait.max(1), Counted::Alike));
        self
    }

    /// Sets the time since the start of the first attempt.
    pub fn with_elapsed(mut self, elapsed: Duration) -> Self {
        self.elapsed = elapsed;
        self
    }

    /// Sets the moment for which the question is asked, for [`stop::until`](crate::stop::until).
    pub fn with_now(mut self, now: Instant) -> Self {
        self.now = Some(now);
        self
    }

    /// Sets the delay that would come next, for [`stop::within`](crate::stop::within).
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
        self.draw_from(Chance::Seed(seed));
        self
    }

    /// Makes every random number `fraction`: 0 is the lowest that can be drawn and 1 the highest, so
    /// that what a strategy gives at its least, middle and most can be told exactly. A fraction below
    /// 0, or not a number, counts as 0, and one above 1 as 1.
    ///
    /// ```
    /// use retry::{State, Wait, wait};
    /// use std::time::Duration;
    ///
    /// let ms = Duration::from_millis;
    /// let wait = wait::fixed(ms(100)).equal_jitter();
    /// let drawn = [0.0, 0.5, 1.0].map(|at| wait.delay(&State::new(1).draw(at)).total());
    /// assert_eq!(drawn, [ms(50), ms(75), ms(100)]);
    /// ```
    pub fn draw(mut self, fraction: f64) -> Self {
        self.draw_from(Chance::Always(fraction));
        self
    }

    /// The number of the attempt that has just failed, from 1 (after a reset, from 1 again). One that has
    /// used up no attempt ([`next_of`](Verdict::next_of)) has the number of the first after it that does.
    pub fn attempt(&self) -> u32 {
        self.attempt
    }

    /// The number of the wait that comes next, from 1: what a backoff grows by.
    ///
    /// It is that of the attempt, but for four things: a retry by [`Verdict::now`] does not wait
    /// and so does not advance it, and neither does a wait that the other side has asked for in place of
    /// [`a.unless_hinted()`](crate::Wait::unless_hinted); in `first.times(n).then(next)` it starts again from 1 for
    /// `next`; and each side of `a.throttled(b)` counts the waits that were its own.
    ///
    /// ```
    /// use retry::{State, Wait, wait};
    /// use std::time::Duration;
    ///
    /// let linear = wait::by(|state| Duration::from_millis(10) * state.wait());
    /// assert_eq!(linear.delay(&State::new(7)).total(), Duration::from_millis(70));
    /// let later = wait::none().times(5).then(linear);
    /// assert_eq!(later.delay(&State::new(7)).total(), Duration::from_millis(20));
    /// ```
    pub fn wait(&self) -> u32 {
        self.wait.get().0
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

    /// How long the first attempt of the call took. `None` where no clock was read before it. A strategy that may ask for the time sees it: `|state| …`, or one of your own.
    ///
    /// ```
    /// use retry::retry;
    /// use std::time::Duration;
    ///
    /// // As long as the first attempt took, and a tenth more.
    /// #[retry(
    ///     stop = attempts(3),
    ///     wait = |state| state.first_attempt().unwrap_or_default().mul_f64(1.1),
    ///     on = any_error(),
    /// )]
    /// fn commit() -> Result<(), String> {
    ///     Err("conflict".to_owned())
    /// }
    /// # assert!(commit().is_err());
    /// ```
    pub fn first_attempt(&self) -> Option<Duration> {
        self.first_attempt
    }

    /// How many of the attempts that `stop` counts have been made.
    pub(crate) const fn used(&self) -> u32 {
        if self.counts { self.attempt } else { self.attempt - 1 }
    }

    /// Whether the attempt that has just failed is one of those.
    pub(crate) const fn counts(&self) -> bool {
        self.counts
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

    /// So many of the attempts that `stop` counts have been made, the last of them by the one that has just
    /// failed if that `counts`.
    pub(crate) fn set_used(&mut self, used: u32, counts: bool) {
        self.attempt = if counts { used } else { used.saturating_add(1) };
        self.counts = counts;
    }

    /// The number of the wait among all of the call.
    pub(crate) fn set_wait(&mut self, wait: u32) {
        self.wait.set((wait, Counted::Since(0)));
    }

    /// What the wait strategy of the call answers, `None` if there shall be no other attempt.
    pub(crate) fn ask(&mut self, wait: &AnyWait<'_>) -> Option<Delay> {
        let throttled = self.throttled;
        if self.verdict.is_throttled() {
            self.throttled.count(self.wait());
        }
        self.is_over.set(false);
        self.has_drawn.set(false);
        self.is_replaced.set(false);
        let delay = wait.delay(self);
        if self.is_replaced() {
            self.throttled = throttled;
        }
        (!self.is_over.get()).then_some(delay)
    }

    /// Notes what a function has answered that is part of a wait strategy.
    pub(crate) fn answered(&self, delay: Option<Delay>) -> Delay {
        if delay.is_none() {
            self.is_over.set(true);
        }
        delay.unwrap_or(Delay::ZERO)
    }

    pub(crate) fn draw_from(&mut self, chance: Chance) {
        self.memory = Cell::new(Some(Box::new(Memory::drawing(chance))));
    }

    /// The waits start anew.
    pub(crate) fn forget_waits(&mut self) {
        self.throttled = ThrottledWaits::NONE;
        if let Some(memory) = self.memory.get_mut() {
            memory.forget_decorrelated();
        }
    }

    /// With what the call remembers, which nobody else sees meanwhile: no strategy is asked in
    /// `f`.
    pub(crate) fn with_memory<T>(&self, f: impl FnOnce(&mut Memory) -> T) -> T {
        let mut memory = self.memory.take().unwrap_or_else(|| Box::new(Memory::unseeded()));
        let answer = f(&mut memory);
        self.memory.set(Some(memory));
        answer
    }

    /// A number from 0 up to 1.
    pub(crate) fn random(&self) -> f64 {
        if self.is_ahead {
            return 0.0;
        }
        self.with_memory(Memory::random)
    }

    /// The same, for a wait that is spread by it.
    pub(crate) fn random_spread(&self) -> f64 {
        self.has_drawn.set(true);
        self.random()
    }

    /// The wait is spread, by numbers drawn elsewhere.
    pub(crate) fn spread(&self) {
        self.has_drawn.set(true);
    }

    /// Whether the wait strategy spreads its waits: it has drawn one of those when it was asked.
    pub(crate) fn spreads(&self) -> bool {
        self.has_drawn.get()
    }

    /// The other side's wait takes the place of the strategy's, which is asked `aside`: only whether it
    /// spreads its waits counts, and nothing of it is remembered.
    pub(crate) fn replace(&self, ask: impl FnOnce(&Self)) {
        self.is_replaced.set(true);
        let aside = self.clone();
        ask(&aside);
        self.has_drawn.set(aside.spreads());
    }

    /// Whether it has.
    pub(crate) fn is_replaced(&self) -> bool {
        self.is_replaced.get()
    }

    /// Asks `strategy` as if there had not been the first `skipped` waits, of which the coming one
    /// is none.
    pub(crate) fn past_waits<T>(&self, skipped: u32, strategy: impl FnOnce(&Self) -> T) -> T {
        let (wait, counted) = self.wait.get();
        self.as_wait((wait.saturating_sub(skipped).max(1), counted.past(skipped)), strategy)
    }

    /// Asks `strategy` as if all failures of the other kind, throttled or not, had not been waited for.
    pub(crate) fn among_alike<T>(&self, strategy: impl FnOnce(&Self) -> T) -> T {
        let (mut wait, counted) = self.wait.get();
        if let Counted::Since(skipped) = counted {
            let throttled = self.throttled.after(skipped);
            let others = wait.saturating_sub(throttled);
            wait = if self.verdict.is_throttled() { throttled } else { others };
        }
        self.as_wait((wait.max(1), Counted::Alike), strategy)
    }

    fn as_wait<T>(&self, wait: (u32, Counted), strategy: impl FnOnce(&Self) -> T) -> T {
        struct Restore<'a>(&'a Cell<(u32, Counted)>, (u32, Counted));
        impl Drop for Restore<'_> {
            fn drop(&mut self) {
                self.0.set(self.1);
            }
        }
        let _restore = Restore(&self.wait, self.wait.replace(wait));
        strategy(self)
    }
}

/// The same call at the same point. Seeded, it draws what the other does.
impl Clone for State {
    fn clone(&self) -> Self {
        let memory = self.memory.take();
        let copy = memory.clone();
        self.memory.set(memory);
        Self {
            wait: self.wait.clone(),
            noted: self.noted.clone(),
            is_over: self.is_over.clone(),
            has_drawn: self.has_drawn.clone(),
            is_replaced: self.is_replaced.clone(),
            memory: Cell::new(copy),
            ..*self
        }
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State")
            .field("attempt", &self.attempt)
            .field("wait", &self.wait())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::policy::Policy;
    use crate::policy::schedule::Step;
    use crate::strategy::{on, stop, wait};
    use core::cell::RefCell;

    #[test]
    fn a_panicking_strategy_leaves_the_wait_number_as_it_was() {
        let state = State::new(7);
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            state.past_waits(6, |_| std::panic::resume_unwind(Box::new(())));
        }));
        assert!(result.is_err());
        assert_eq!(state.wait(), 7);
    }

    #[test]
    fn a_retry_without_a_wait_advances_the_attempt_alone() {
        let (in_wait, in_stop) = (RefCell::default(), RefCell::default());
        let note = |list: &RefCell<Vec<_>>, state: &State| {
            list.borrow_mut().push((state.attempt(), state.wait()));
        };
        let stop = stop::when(|state| {
            note(&in_stop, state);
            false
        });
        let wait = wait::by(|state: &State| {
            note(&in_wait, state);
            Duration::ZERO
        });
        let on = on::error(|verdict: &Verdict| *verdict);
        let policy = Policy::new(stop | stop::attempts(99), wait, on);
        let mut schedule = policy.schedule();
        for verdict in [Verdict::Retry, Verdict::Retry.now(), Verdict::Retry, Verdict::Retry] {
            assert_eq!(schedule.failed(&Err::<(), _>(verdict)), Step::Wait(Duration::ZERO));
        }
        schedule.reset();
        assert_eq!(schedule.failed(&Err::<(), _>(Verdict::Retry)), Step::Wait(Duration::ZERO));
        assert_eq!(in_wait.take(), [(1, 1), (3, 2), (4, 3), (1, 1)]);
        assert_eq!(in_stop.take(), [(1, 1), (2, 2), (3, 2), (4, 3), (1, 1)]);
    }

    #[test]
    fn it_stays_small_since_every_call_that_fails_makes_one() {
        assert!(size_of::<State>() <= 208, "{} bytes", size_of::<State>());
    }
}
