//! Whether calls to one dependency are worth being made at all.

mod build;
mod probes;
mod settings;
mod tally;
mod window;

pub(crate) mod admission;
pub(crate) mod stand;
pub(crate) mod state;

use crate::Instant;
use core::fmt;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release, SeqCst};
use core::time::Duration;
use std::sync::OnceLock;

use crate::guard::breaker::admission::Admission;
use crate::guard::breaker::probes::{Decision, Probes, Taken};
use crate::guard::breaker::settings::{Settings, Trips, nanos};
use crate::guard::breaker::stand::{Closed, Phase, Stand};
use crate::guard::breaker::state::{BreakerState, Change, Refused};
use crate::guard::breaker::tally::Tally;
use crate::guard::breaker::window::Window;
use crate::sync::{AtomicU64, Mutex, MutexGuard, fence, lock, try_lock};

/// A circuit breaker, shared by all calls to one dependency: one `static` for each.
///
/// - **Closed**, it lets everything through, and counts. After a number of failures
///   [in a row](Self::consecutive), or when their [share](Self::ratio) is too large, it opens.
/// - **Open**, it lets nothing through for a [while](Self::open_for): calls fail at once instead of
///   waiting for a dependency that is down and needs no more load.
/// - **Half-open**, when that is over, it lets exactly as many [probes](Self::probes) through as it
///   was told to. How they end decides: it closes, or opens again, for
///   [longer](Self::factor) if it was told so.
///
/// The key `breaker` asks it; the guide says [for what, and which kind](guide/when_the_other_side_is_down/index.html).
///
/// ```
/// use retry::{Breaker, BreakerState};
/// use std::time::{Duration, Instant};
///
/// static SEARCH: Breaker =
///     Breaker::consecutive(2).open_for(Duration::from_secs(30)).jitter_factor(0.0);
///
/// let start = Instant::now();
/// let at = |seconds| start + Duration::from_secs(seconds);
/// for _ in 0..2 {
///     let admission = SEARCH.admit(|| at(0)).expect("it is closed");
///     admission.failed(at(1));
/// }
/// assert_eq!(SEARCH.state(at(1)), BreakerState::Open);
/// let refused = SEARCH.admit(|| at(11)).expect_err("it is open");
/// assert_eq!(refused.retry_after, Some(Duration::from_secs(20)));
///
/// let probe = SEARCH.admit(|| at(31)).expect("the open time is over");
/// assert!(SEARCH.admit(|| at(31)).is_err(), "one probe, and no more");
/// probe.succeeded(None, || at(32));
/// assert_eq!(SEARCH.state(at(32)), BreakerState::Closed);
/// ```
///
/// # What counts
///
/// A failure is an attempt that another could put right, and one that was [slow](Self::slow_after).
/// An answer is no failure, even if it is an error: a 404 comes from a healthy server. An attempt that
/// was cancelled counts nothing, and a refusal is nobody's failure.
///
/// # How it stands to others
///
/// The states, and probes by number and ratio, are those of resilience4j. That results of another
/// state count nothing, that a cancelled probe frees its place, and the lease, close what others have
/// been reported for: breakers closed by a cancelled probe or by a success from before the break,
/// breakers stuck half-open behind a probe that hangs, more than one call at the edge.
///
/// # Time and cost
///
/// Callers pass the time in. A clock that differs from call to call does no harm: what is earlier than
/// the first time it was told counts as that. Closed, it takes no lock and reads no clock but for its
/// very first call and for failures; a success of [`consecutive`](Self::consecutive) is two reads, one of
/// [`ratio`](Self::ratio) a read and one atomic operation. Open, a refusal takes no lock either.
#[doc(alias = "circuit breaker")]
#[doc(alias = "CircuitBreaker")]
pub struct Breaker {
    settings: Settings,
    /// A [`Stand`]. Written under the lock only.
    stand: AtomicU64,
    /// What has been counted while it is closed.
    tally: Tally,
    /// While it is not closed, nothing is let through before this time. Written under the lock only.
    until: AtomicU64,
    refused: AtomicU64,
    opened: AtomicU64,
    /// What the times count from: the first it was told.
    epoch: OnceLock<Instant>,
    inner: Mutex<Inner>,
}

/// What only a failure, a probe or a change looks at.
#[derive(Clone, Debug)]
struct Inner {
    window: Window,
    probes: Probes,
    /// How often it has opened since it was last closed.
    rounds: u32,
}

/// Opened by hand: until it is closed by hand.
const HELD: u64 = u64::MAX;

impl Breaker {
    const fn with(settings: Settings) -> Self {
        Self::standing(settings, Phase::Fresh)
    }

    /// One that lets everything through, for calls that have none: not asking them whether they have one
    /// is cheaper. Nobody tells it of a failure.
    pub(crate) const fn always_closed() -> Self {
        Self::standing(Settings::new(Trips::Consecutive(u32::MAX)), Phase::Closed)
    }

    const fn standing(settings: Settings, phase: Phase) -> Self {
        let inner = Inner { window: Window::new(0), probes: Probes::new(), rounds: 0 };
        Self {
            settings,
            stand: AtomicU64::new(Stand { phase, generation: 0 }.pack(false)),
            tally: Tally::new(),
            until: AtomicU64::new(0),
            refused: AtomicU64::new(0),
            opened: AtomicU64::new(0),
            epoch: OnceLock::new(),
            inner: Mutex::new(inner),
        }
    }

    /// Asks for an attempt: before the first of a call, which may become a probe.
    ///
    /// The time is asked for only where the breaker is not closed, and once in its life.
    ///
    /// # Errors
    ///
    /// If the attempt is not let through. That is no failure of the dependency, and not worth a retry
    /// before [`retry_after`](Refused::retry_after).
    #[inline]
    pub fn admit(&self, now: impl FnOnce() -> Instant) -> Result<Admission<'_>, Refused> {
        let stand = self.stand();
        if stand.phase == Phase::Closed {
            return Ok(Admission::closed(self, stand.generation));
        }
        self.admit_unless_open(now())
    }

    /// Asks for a retry: let through only while the breaker is closed, since a probe is the only
    /// attempt of its call.
    ///
    /// Asked before the sleep, so that a call which is not going to be retried ends at once.
    ///
    /// # Errors
    ///
    /// As for [`admit`](Self::admit).
    pub fn admit_retry(&self, now: Instant) -> Result<Admission<'_>, Refused> {
        let stand = self.stand();
        if stand.phase.is_closed() {
            return Ok(Admission::closed(self, stand.generation));
        }
        Err(self.refuse(self.time(now)))
    }

    #[cold]
    fn admit_unless_open(&self, now: Instant) -> Result<Admission<'_>, Refused> {
        let now = self.time(now);
        if !self.stand().phase.is_closed() && now < self.until.load(Relaxed) {
            return Err(self.refuse(now));
        }
        let mut inner = lock(&self.inner);
        // Others may have been here since.
        let Stand { phase, generation } = self.stand();
        match phase {
            Phase::Fresh => {
                inner.window = Window::new(now);
                let stand = Stand { phase: Phase::Closed, generation };
                self.stand.store(stand.pack(self.measures()), Release);
                Ok(Admission::closed(self, generation))
            }
            Phase::Closed => Ok(Admission::closed(self, generation)),
            Phase::Open if now < self.until.load(Relaxed) => Err(self.refuse(now)),
            Phase::Open => {
                inner.probes = Probes::new();
                let probe = inner.probes.take(now, &self.settings);
                let generation = self.enter(&inner, Phase::HalfOpen);
                // There is always room for the first.
                let probe = probe.ok_or_else(|| self.refuse(now))?;
                Ok(Admission::probe(self, generation, probe, true))
            }
            Phase::HalfOpen => {
                let probe = inner.probes.take(now, &self.settings);
                self.until.store(inner.probes.next(&self.settings), Relaxed);
                let probe = probe.ok_or_else(|| self.refuse(now))?;
                Ok(Admission::probe(self, generation, probe, false))
            }
        }
    }

    /// Refuses, whatever it would say if it was asked: a call that was a probe may not be retried.
    pub(crate) fn refuse_at(&self, now: Instant) -> Refused {
        self.refused.fetch_add(1, Relaxed);
        Refused { retry_after: self.retry_after(now) }
    }

    fn refuse(&self, now: u64) -> Refused {
        self.refused.fetch_add(1, Relaxed);
        Refused { retry_after: self.wait(now) }
    }

    /// How long until the time at which something may be let through.
    fn wait(&self, now: u64) -> Option<Duration> {
        match self.until.load(Relaxed) {
            HELD => None,
            until => Some(Duration::from_nanos(until.saturating_sub(now))),
        }
    }

    /// Lets an attempt through that needs nothing more: while it is closed, and does not measure.
    #[inline]
    pub(crate) fn closed(&self) -> Option<Closed> {
        Stand::closed(self.stand.load(Acquire))
    }

    /// What such an attempt stands for.
    pub(crate) const fn admitted(&self, closed: Closed) -> Admission<'_> {
        Admission::closed(self, closed.generation())
    }

    /// Such an attempt has succeeded.
    #[inline]
    pub(crate) fn answered(&self, closed: Closed) {
        self.success(closed.generation());
    }

    /// An attempt has succeeded that was let through while it was closed.
    #[inline]
    fn success(&self, generation: u64) {
        match self.settings.trips {
            Trips::Consecutive(_) => self.tally.clear(generation),
            Trips::Ratio(_) => self.tally.success(generation),
        }
    }

    /// One has failed.
    #[cold]
    fn failure(
        &self,
        generation: u64,
        now: Instant,
        random: impl FnOnce() -> f64,
    ) -> Option<Change> {
        let failures = self.tally.failure(generation)?;
        let now = self.time(now);
        match self.settings.trips {
            Trips::Consecutive(most) if failures < u64::from(most) => None,
            Trips::Consecutive(_) => {
                let mut inner = lock(&self.inner);
                self.is_closed_in(generation).then(|| self.trip(&mut inner, now, random))
            }
            Trips::Ratio(_) => loop {
                // With the other fence: either whoever holds the lock sees this failure after it has
                // let go, or this thread gets the lock.
                fence(SeqCst);
                let mut inner = try_lock(&self.inner)?;
                if !self.is_closed_in(generation) {
                    return None;
                }
                if self.trips(&mut inner, generation, now) {
                    return Some(self.trip(&mut inner, now, random));
                }
                drop(inner);
                fence(SeqCst);
                if !self.tally.has_failures(generation) {
                    return None;
                }
            },
        }
    }

    /// Whether the share of failures is too large.
    fn trips(&self, inner: &mut Inner, generation: u64, now: u64) -> bool {
        let Trips::Ratio(ratio) = self.settings.trips else { return false };
        let counted = inner.window.add(self.tally.take(generation), now, self.settings.window);
        let all = counted.failures.saturating_add(counted.successes);
        all >= self.settings.min_throughput && ratio.is_reached(counted.failures, all)
    }

    /// A probe has come to its end.
    #[cold]
    fn probed(
        &self,
        generation: u64,
        probe: Taken,
        fails: bool,
        now: Instant,
        random: impl FnOnce() -> f64,
    ) -> Option<Change> {
        let now = self.time(now);
        let mut inner = lock(&self.inner);
        if self.stand() != (Stand { phase: Phase::HalfOpen, generation }) {
            return None;
        }
        match inner.probes.settle(probe, fails, &self.settings) {
            Decision::Undecided => {
                self.until.store(inner.probes.next(&self.settings), Relaxed);
                None
            }
            Decision::Reopen => Some(self.trip(&mut inner, now, random)),
            Decision::Close => {
                inner.rounds = 0;
                inner.window = Window::new(now);
                self.enter(&inner, Phase::Closed);
                let (from, to) = (BreakerState::HalfOpen, BreakerState::Closed);
                Some(Change { from, to, open_for: None })
            }
        }
    }

    /// A probe was dropped without a result.
    #[cold]
    fn abandoned(&self, generation: u64, probe: Taken) {
        let mut inner = lock(&self.inner);
        if self.stand() == (Stand { phase: Phase::HalfOpen, generation }) {
            inner.probes.release(probe);
            self.until.store(inner.probes.next(&self.settings), Relaxed);
        }
    }

    /// Opens it.
    fn trip(
        &self,
        inner: &mut MutexGuard<'_, Inner>,
        now: u64,
        random: impl FnOnce() -> f64,
    ) -> Change {
        let open_for = self.settings.open_time(inner.rounds, random());
        inner.rounds = inner.rounds.saturating_add(1);
        let from = self.stand().phase.state();
        self.until.store(now.saturating_add(open_for).min(HELD - 1), Relaxed);
        self.enter(inner, Phase::Open);
        self.opened.fetch_add(1, Relaxed);
        let open_for = Some(Duration::from_nanos(open_for));
        Change { from, to: BreakerState::Open, open_for }
    }

    /// Enters a phase, under the lock: the generation that begins with it. What belongs to the phase
    /// has been written before.
    fn enter(&self, inner: &MutexGuard<'_, Inner>, phase: Phase) -> u64 {
        let generation = self.stand().generation + 1;
        match phase {
            Phase::Fresh | Phase::Closed => self.tally.start(generation),
            Phase::HalfOpen => self.until.store(inner.probes.next(&self.settings), Relaxed),
            Phase::Open => {}
        }
        self.stand.store(Stand { phase, generation }.pack(self.measures()), Release);
        generation
    }

    #[inline]
    fn stand(&self) -> Stand {
        Stand::unpack(self.stand.load(Acquire))
    }

    fn is_closed_in(&self, generation: u64) -> bool {
        let stand = self.stand();
        stand.phase.is_closed() && stand.generation == generation
    }

    fn time(&self, now: Instant) -> u64 {
        nanos(now.saturating_duration_since(*self.epoch.get_or_init(|| now)))
    }

    /// Opens it by hand, until it is [closed](Self::close) by hand: for maintenance, or because
    /// something else knows that the dependency is down. What changed, unless it was open before.
    pub fn open(&self) -> Option<Change> {
        let inner = lock(&self.inner);
        let from = self.stand().phase.state();
        self.until.store(HELD, Relaxed);
        self.enter(&inner, Phase::Open);
        let changed = from != BreakerState::Open;
        if changed {
            self.opened.fetch_add(1, Relaxed);
        }
        changed.then_some(Change { from, to: BreakerState::Open, open_for: None })
    }

    /// Closes it by hand and forgets what it has counted. What changed, unless it was closed before.
    pub fn close(&self) -> Option<Change> {
        let mut inner = lock(&self.inner);
        let from = self.stand().phase.state();
        inner.rounds = 0;
        self.enter(&inner, Phase::Fresh);
        let to = BreakerState::Closed;
        (from != to).then_some(Change { from, to, open_for: None })
    }

    /// How it stands: half-open as soon as the open time is over, whether or not a probe has been made.
    ///
    /// ```
    /// use retry::{Breaker, BreakerState};
    /// use std::time::Instant;
    ///
    /// static BREAKER: Breaker = Breaker::consecutive(5);
    /// assert_eq!(BREAKER.state(Instant::now()), BreakerState::Closed);
    /// BREAKER.open();
    /// assert_eq!(BREAKER.state(Instant::now()), BreakerState::Open);
    /// ```
    pub fn state(&self, now: Instant) -> BreakerState {
        match self.stand().phase.state() {
            BreakerState::Open if self.until.load(Relaxed) <= self.time(now) => {
                BreakerState::HalfOpen
            }
            state => state,
        }
    }

    /// How long until an attempt may be let through at the earliest: zero where one may be now. `None`
    /// if it was opened by hand and stays so.
    pub fn retry_after(&self, now: Instant) -> Option<Duration> {
        if self.stand().phase.is_closed() {
            Some(Duration::ZERO)
        } else {
            self.wait(self.time(now))
        }
    }

    /// The same breaker, for a call that waits for its next probe: `breaker = BREAKER.waiting()`. A
    /// refusal of a retry does not end the call then. Its wait is at least as long as the breaker is
    /// going to be open, if that fits the limits of the call, and the retry may be a probe. The first
    /// attempt of a call is refused all the same.
    ///
    /// For work in the background, which has time and nobody to tell.
    pub const fn waiting(&self) -> Waiting<'_> {
        Waiting(self)
    }

    /// How many attempts it has not let through.
    pub fn refused(&self) -> u64 {
        self.refused.load(Relaxed)
    }

    /// How often it has opened, by hand or otherwise.
    pub fn opened(&self) -> u64 {
        self.opened.load(Relaxed)
    }
}

/// See [`Breaker::waiting`].
#[derive(Clone, Copy, Debug)]
pub struct Waiting<'a>(&'a Breaker);

impl<'a> Waiting<'a> {
    pub(crate) const fn breaker(self) -> &'a Breaker {
        self.0
    }
}

/// As in `open, opened 3 times, 120 refused`. Without the time it cannot know whether the open time is
/// over; see [`state`](Self::state).
impl fmt::Display for Breaker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (opened, refused) = (self.opened(), self.refused());
        let times = if opened == 1 { "time" } else { "times" };
        let state = self.stand().phase.state();
        write!(f, "{state}, opened {opened} {times}, {refused} refused")
    }
}

impl fmt::Debug for Breaker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stand = self.stand();
        f.debug_struct("Breaker")
            .field("state", &stand.phase.state())
            .field("generation", &stand.generation)
            .field("opened", &self.opened())
            .field("refused", &self.refused())
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
