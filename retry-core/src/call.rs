//! One retried call: a state machine that is told what happened and answers what comes next.
//!
//! It reads no clock, sleeps not and logs nothing; see `drive.rs` for who does.

use core::time::Duration;
use std::time::Instant;

use crate::delay::Delay;
use crate::reason::StopReason;
use crate::site::Site;
use crate::state::State;
use crate::stop::Stop;
use crate::verdict::Verdict;
use crate::wait::Wait;

/// One retried call. Until its first failure it is nothing but the time of its start, and that
/// only where the policy may ask for the time.
#[derive(Debug)]
pub struct Call<S> {
    start: S,
    /// What a call needs after its first failure, made then.
    failing: Option<Box<Failing>>,
}

#[derive(Debug)]
struct Failing {
    site: &'static Site,
    /// What `elapsed` is counted from: the start of the call, else the first failure.
    epoch: Instant,
    /// When the attempt in progress started.
    attempt_start: Option<Instant>,
    attempts: u32,
    waits: u32,
    state: State,
}

/// What comes after a failed attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// Wait this long, then try again.
    Retry(Duration),
    GiveUp(StopReason),
}

/// How a call stands, for those who watch it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Progress {
    pub(crate) site: &'static Site,
    /// Attempts that have ended.
    pub(crate) attempts: u32,
    /// `None` at the first failure of a call that read no clock at its start.
    pub(crate) elapsed: Option<Duration>,
}

/// The longest wait the other side may ask for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MaxHint {
    /// Whatever fits the remaining time; a minute where the call has no limit in time.
    #[default]
    Remaining,
    /// Give up on a longer one.
    GiveUpAbove(Duration),
    /// Wait this long instead of a longer one.
    Clamp(Duration),
}

/// The default for calls without a limit in time.
const MAX_HINT: Duration = Duration::from_secs(60);

impl MaxHint {
    /// The wait to grant for `hint`, or `None` if it is too long.
    fn grant(self, hint: Duration, remaining: Option<Duration>) -> Option<Duration> {
        let hint = match self {
            Self::Clamp(most) => hint.min(most),
            _ => hint,
        };
        let most = match self {
            Self::GiveUpAbove(most) => most,
            Self::Remaining if remaining.is_none() => MAX_HINT,
            _ => Duration::MAX,
        };
        (hint <= most && remaining.is_none_or(|remaining| hint < remaining)).then_some(hint)
    }
}

/// What the keys of one attribute say about a failed attempt.
#[derive(Clone, Copy, Debug)]
pub struct Failed {
    /// Where it is written.
    pub site: &'static Site,
    /// What the outcome means.
    pub verdict: Verdict,
    /// `idempotent`: whether repeating is harmless even if the attempt has taken effect.
    pub idempotent: bool,
    /// `max_hint`.
    pub max_hint: MaxHint,
}

/// When a call started, if somebody may ask. A type, so that a call that nobody asks carries
/// nothing.
pub trait Start: Copy {
    /// The start.
    fn instant(self) -> Option<Instant>;
}

/// The start of a call whose policy cannot ask for the time.
#[derive(Clone, Copy, Debug)]
pub struct Untimed;

impl Start for Untimed {
    fn instant(self) -> Option<Instant> {
        None
    }
}

impl Start for Instant {
    fn instant(self) -> Option<Instant> {
        Some(self)
    }
}

impl<S: Start> Call<S> {
    /// A call before its first attempt.
    #[inline]
    pub const fn new(start: S) -> Self {
        Self { start, failing: None }
    }

    /// Whether an attempt has failed.
    #[inline]
    pub const fn has_failed(&self) -> bool {
        self.failing.is_some()
    }

    /// An attempt has failed: how does the call stand, and what comes next?
    pub(crate) fn failed(
        &mut self,
        now: Instant,
        failed: Failed,
        stop: &(impl Stop + ?Sized),
        wait: &(impl Wait + ?Sized),
    ) -> (Progress, Next) {
        let start = self.start.instant();
        let failing = self.failing.get_or_insert_with(|| Failing::new(start, now, failed.site));
        failing.note(now, failed.verdict);
        let next = failing.next(failed, stop, wait);
        (failing.progress(start.is_some()), next)
    }

    /// The pause is over, and the next attempt starts.
    pub(crate) fn resumed(&mut self, now: Instant) {
        if let Some(failing) = self.failing.as_deref_mut() {
            failing.attempt_start = Some(now);
        }
    }

    /// The attempt in progress has ended with a final outcome; `None` if it was the first.
    pub(crate) fn settled(&self, now: Instant) -> Option<Progress> {
        let failing = self.failing.as_deref()?;
        Some(Progress {
            site: failing.site,
            attempts: failing.attempts.saturating_add(1),
            elapsed: Some(now.saturating_duration_since(failing.epoch)),
        })
    }
}

impl Failing {
    /// Before its first failure is noted. Made here, in a box, so that the expansion holds none
    /// of it.
    fn new(start: Option<Instant>, now: Instant, site: &'static Site) -> Box<Self> {
        Box::new(Self {
            site,
            epoch: start.unwrap_or(now),
            attempt_start: start,
            attempts: 0,
            waits: 0,
            state: State::new(1),
        })
    }

    fn note(&mut self, now: Instant, verdict: Verdict) {
        let first = self.attempts == 0;
        self.attempts = self.attempts.saturating_add(1);
        let state = &mut self.state;
        state.set_attempt(self.attempts);
        state.now = Some(now);
        state.elapsed = now.saturating_duration_since(self.epoch);
        state.last_attempt = self.attempt_start.map(|start| now.saturating_duration_since(start));
        state.previous_verdict = (!first).then_some(state.verdict);
        state.verdict = verdict;
        state.delay = Duration::ZERO;
    }

    fn progress(&self, clocked: bool) -> Progress {
        let clocked = clocked || self.attempts > 1;
        Progress {
            site: self.site,
            attempts: self.attempts,
            elapsed: clocked.then_some(self.state.elapsed),
        }
    }

    /// The delay is computed once, then `stop` is asked; where the other side has asked for a
    /// wait, once without and once with it.
    fn next(
        &mut self,
        Failed { verdict, idempotent, max_hint, .. }: Failed,
        stop: &(impl Stop + ?Sized),
        wait: &(impl Wait + ?Sized),
    ) -> Next {
        if verdict.is_ambiguous() && !idempotent {
            return Next::GiveUp(StopReason::Ambiguous);
        }
        self.state.remaining = stop.remaining(&self.state);
        let backoff = self.backoff(wait);
        self.state.delay = backoff.total();
        // Without the hint first: where the call ends anyway, the hint is not why.
        if let Some(reason) = stop.reason(&self.state) {
            return Next::GiveUp(reason);
        }
        if let Some(hint) = verdict.hint() {
            let Some(hint) = max_hint.grant(hint, self.state.remaining) else {
                return Next::GiveUp(StopReason::HintTooLong);
            };
            self.state.delay = backoff.at_least(hint);
            if let Some(reason) = stop.reason(&self.state) {
                return Next::GiveUp(reason);
            }
        }
        self.state.previous_delay = Some(self.state.delay);
        Next::Retry(self.state.delay)
    }

    /// What the wait strategy answers, which counts waits, not attempts.
    fn backoff(&mut self, wait: &(impl Wait + ?Sized)) -> Delay {
        if self.state.verdict().is_now() {
            return Delay::ZERO;
        }
        self.waits = self.waits.saturating_add(1);
        self.state.as_attempt(self.waits, |state| wait.delay(state))
    }
}
