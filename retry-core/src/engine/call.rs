//! One retried call: a state machine that is told what happened and answers what comes next.
//!
//! It reads no clock, sleeps not and logs nothing; see `run.rs` for who does.

use core::time::Duration;
use std::time::Instant;

use crate::report::reason::StopReason;
use crate::strategy::delay::Delay;
use crate::strategy::state::State;
use crate::strategy::stop::{Stop, reason_to_stop};
use crate::strategy::wait::Wait;
use crate::verdict::verdict::Verdict;

/// One retried call after its first failure, or from its start where somebody watches it.
#[derive(Debug)]
pub(crate) struct Call {
    /// What `elapsed` is counted from: the start of the call, else the first failure.
    epoch: Instant,
    /// Whether that is the start of the call.
    clocked: bool,
    /// When the attempt in progress started.
    attempt_start: Option<Instant>,
    /// Attempts that have ended.
    attempts: u32,
    /// Those of them that count: a reset starts anew.
    counted: u32,
    waits: u32,
    waited: Duration,
    state: State,
}

/// What comes after a failed attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// Wait this long, then try again.
    Retry(Duration),
    GiveUp(StopReason),
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

/// What the keys of one attribute say about a failed attempt, besides `stop` and `wait`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rules {
    /// `idempotent`: whether repeating is harmless even if the attempt has taken effect.
    pub idempotent: bool,
    /// `max_hint`.
    pub max_hint: MaxHint,
}

impl Call {
    /// A call that started at `start`, if that is known; at the latest it has by `now`.
    pub(crate) fn new(start: Option<Instant>, now: Instant) -> Self {
        Self {
            epoch: start.unwrap_or(now),
            clocked: start.is_some(),
            attempt_start: start,
            attempts: 0,
            counted: 0,
            waits: 0,
            waited: Duration::ZERO,
            state: State::new(1),
        }
    }

    /// Makes the randomness reproducible.
    pub(crate) fn seed(&mut self, seed: u64) {
        self.state.set_seed(seed);
    }

    /// Attempts that have ended.
    pub(crate) const fn attempts(&self) -> u32 {
        self.attempts
    }

    /// The delays of all pauses that are over.
    pub(crate) const fn waited(&self) -> Duration {
        self.waited
    }

    /// The state after the last failure.
    pub(crate) const fn state(&self) -> &State {
        &self.state
    }

    /// What `elapsed` is counted from.
    pub(crate) const fn epoch(&self) -> Instant {
        self.epoch
    }

    /// The time since the start of the call. `None` at the first failure of a call that read no
    /// clock before it.
    pub(crate) fn elapsed(&self, now: Instant) -> Option<Duration> {
        let known = self.clocked || self.attempts > 1 || self.attempt_start.is_some();
        known.then(|| now.saturating_duration_since(self.epoch))
    }

    /// How long the attempt in progress has taken.
    pub(crate) fn attempt_duration(&self, now: Instant) -> Option<Duration> {
        self.attempt_start.map(|start| now.saturating_duration_since(start))
    }

    /// An attempt has failed.
    pub(crate) fn failed(&mut self, now: Instant, verdict: Verdict) {
        let first = self.attempts == 0;
        if first && !self.clocked {
            self.epoch = now;
        }
        self.attempts = self.attempts.saturating_add(1);
        self.counted = self.counted.saturating_add(1);
        let last_attempt = self.attempt_duration(now);
        let state = &mut self.state;
        state.set_attempt(self.counted);
        state.set_wait(self.waits.saturating_add(1));
        state.now = Some(now);
        state.elapsed = now.saturating_duration_since(self.epoch);
        state.last_attempt = last_attempt;
        state.previous_verdict = (!first).then_some(state.verdict);
        state.verdict = verdict;
        state.delay = Duration::ZERO;
    }

    /// Count and backoff start anew, with the failure just noted as the first. The time does not:
    /// a limit in time is one for the whole call.
    pub(crate) fn reset(&mut self) {
        self.counted = self.attempts.min(1);
        self.waits = 0;
        self.state.set_attempt(self.counted);
        self.state.set_wait(1);
        self.state.previous_delay = None;
        self.state.previous_verdict = None;
        self.state.forget_decorrelated();
    }

    /// What comes after the failure just noted. The delay is computed once, then `stop` is asked;
    /// where the other side has asked for a wait, once without and once with it.
    pub(crate) fn next(
        &mut self,
        Rules { idempotent, max_hint }: Rules,
        stop: &(impl Stop + ?Sized),
        wait: &(impl Wait + ?Sized),
    ) -> Next {
        let verdict = self.state.verdict();
        if verdict.is_ambiguous() && !idempotent {
            return Next::GiveUp(StopReason::Ambiguous);
        }
        self.state.remaining = stop.limits(&self.state).remaining;
        let backoff = self.backoff(wait);
        self.state.delay = backoff.total();
        // Without the hint first: where the call ends anyway, the hint is not why.
        if let Some(reason) = reason_to_stop(stop, &self.state) {
            return Next::GiveUp(reason);
        }
        if let Some(hint) = verdict.hint() {
            let Some(hint) = max_hint.grant(hint, self.state.remaining) else {
                return Next::GiveUp(StopReason::HintTooLong);
            };
            self.state.delay = backoff.at_least(hint);
            if let Some(reason) = reason_to_stop(stop, &self.state) {
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
        wait.delay(&self.state)
    }

    /// Whether the attempt that comes next is sure to be the last.
    pub(crate) fn next_is_last(&self, most: Option<u32>) -> bool {
        most.is_some_and(|most| self.counted.saturating_add(1) >= most)
    }

    /// The pause before the next attempt is over.
    pub(crate) fn slept(&mut self) {
        self.waited = self.waited.saturating_add(self.state.delay);
    }

    /// The next attempt starts.
    pub(crate) fn resumed(&mut self, now: Instant) {
        self.attempt_start = Some(now);
    }
}
