//! One retried call: a state machine that is told what happened and answers what comes next.
//!
//! It reads no clock, sleeps not and logs nothing; see `failing.rs` for who does. Where nobody
//! reads a clock it is told no time, and can tell none.

// What every failure runs through has few callers, and would else save and give back all registers twice.
#![allow(clippy::inline_always)]

use crate::Instant;
use core::time::Duration;

use crate::attempt::attempt::Attempt;
use crate::engine::rules::{MaxHint, Rules, Threshold};
use crate::report::reason::StopReason;
use crate::stats::event::Healthy;
use crate::stats::site::Site;
use crate::strategy::delay::Delay;
use crate::strategy::erased::{AnyStop, AnyWait};
use crate::strategy::memory::Chance;
use crate::strategy::state::State;
use crate::strategy::stop::{Limits, reason_to_stop, tighter};
use crate::verdict::verdict::Verdict;

/// One retried call after its first failure, or from its start where somebody watches it.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// What `elapsed` is counted from: the start of the call, else the first failure, if its time
    /// was told.
    epoch: Option<Instant>,
    /// When the outage began whose failures are counted, if that is not the epoch.
    outage: Option<Instant>,
    /// By the last failure. `None` where that is the epoch, too.
    elapsed: Option<Duration>,
    /// When the attempt in progress started.
    attempt_start: Option<Instant>,
    /// When the time of the call is up, as `stop` says.
    limit: Option<Instant>,
    /// When it is too late to start an attempt.
    latest_start: Option<Instant>,
    /// When it is up in any case.
    deadline: Option<Instant>,
    /// Attempts that have ended.
    attempts: u32,
    /// Those of them that count: the failures of this outage, but for those that used no attempt up.
    counted: u32,
    /// Of those, how many there were since the last that counts.
    turns: u32,
    waits: u32,
    /// The least that comes after the attempt in progress, should it fail.
    least: Duration,
    /// How many may count, if `stop` counts them.
    most: Option<u32>,
    /// The most attempts that an override lets it make, however often it is reset.
    most_attempts: u32,
    /// Whether an attempt that has ended may have taken effect.
    was_ambiguous: bool,
    /// The delay before the attempt that failed last.
    slept_before: Option<Duration>,
    waited: Duration,
    state: State,
}

/// A wait that the other side has asked for is spread upward by up to this part of it.
const HINT_SPREAD: u32 = 10;

impl Call {
    /// A call that started at `start`, if that is known.
    pub(crate) fn new(start: Option<Instant>) -> Self {
        Self {
            epoch: start,
            outage: None,
            elapsed: None,
            attempt_start: start,
            limit: None,
            latest_start: None,
            deadline: None,
            attempts: 0,
            counted: 0,
            turns: 0,
            waits: 0,
            least: Duration::ZERO,
            most: None,
            most_attempts: u32::MAX,
            was_ambiguous: false,
            slept_before: None,
            waited: Duration::ZERO,
            state: State::new(1),
        }
    }

    /// Draws from this.
    pub(crate) fn draw_from(&mut self, chance: Chance) {
        self.state.draw_from(chance);
    }

    /// Makes at most so many attempts, whatever `stop` says.
    pub(crate) fn set_most_attempts(&mut self, most: u32) {
        self.most_attempts = most;
    }

    /// Goes on after so many failures, each of which was waited for.
    pub(crate) fn resume_after(&mut self, attempts: u32) {
        (self.attempts, self.counted, self.waits) = (attempts, attempts, attempts);
    }

    /// No attempt starts at this moment or after it.
    pub(crate) const fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
    }

    /// When the call must be over, whatever its policy says.
    pub(crate) const fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// How many attempts may be made at most, as far as `stop` has said.
    pub(crate) const fn most(&self) -> Option<u32> {
        self.most
    }

    /// When the attempt in progress started.
    pub(crate) const fn attempt_start(&self) -> Option<Instant> {
        self.attempt_start
    }

    /// There will be no other attempt.
    pub(crate) const fn set_last(&mut self) {
        self.most = Some(self.counted.saturating_add(1));
    }

    /// What `stop` allows, as far as it is known before it is asked after a failure. A limit in
    /// time counts from `start`.
    pub(crate) fn allow(&mut self, limits: Limits, start: Option<Instant>) {
        let by = |left: Option<Duration>| start?.checked_add(left?);
        self.most = limits.attempts;
        self.limit = by(limits.remaining);
        self.latest_start = by(limits.starting);
    }

    /// The attempts that `stop` still allows after `counted`, if it counts them.
    fn left(&self, counted: u32) -> Option<u32> {
        Some(self.most?.saturating_sub(counted))
    }

    /// The attempts that `stop` still allows, if it counts them.
    pub(crate) fn left_now(&self) -> Option<u32> {
        self.left(self.counted)
    }

    /// Whether by `now` the time leaves no room for another attempt after the one in progress.
    fn is_last_by(&self, now: Option<Instant>) -> bool {
        now.is_some_and(|now| {
            self.limit.is_some_and(|limit| now >= limit)
                || now.checked_add(self.least).is_some_and(|then| self.is_late(then))
        })
    }

    /// Whether it is too late by `now` for an attempt to start.
    pub(crate) fn is_late(&self, now: Instant) -> bool {
        tighter(self.latest_start, self.deadline).is_some_and(|latest| now >= latest)
    }

    /// Whether an attempt that has ended may have taken effect.
    pub(crate) const fn was_ambiguous(&self) -> bool {
        self.was_ambiguous
    }

    /// The outage that the attempt in progress has ended if it is healthy; `None` if there was
    /// none.
    pub(crate) fn outage(&self) -> Option<Healthy> {
        let lasted = |start: Instant| Some(start.saturating_duration_since(self.began()?));
        (self.counted > 0).then(|| Healthy {
            attempt: self.attempts.saturating_add(1),
            retries: self.counted,
            lasted: self.attempt_start.and_then(lasted),
        })
    }

    /// When this outage began, if that is known.
    fn began(&self) -> Option<Instant> {
        self.outage.or(self.epoch)
    }

    /// Whether the failure just noted is worth a warning, after one at `warned`.
    pub(crate) fn is_loud(&self, rules: &Rules, warned: &mut Option<(u32, Duration)>) -> bool {
        if let (Threshold::None, Threshold::None) = (rules.warn_after, rules.warn_every) {
            return true;
        }
        let elapsed = self.state.now().map(|_| self.state.elapsed());
        let loud = rules.warn_after.is_reached(self.counted, elapsed)
            && warned.is_none_or(|(attempts, time)| {
                let since = elapsed.map(|elapsed| elapsed.saturating_sub(time));
                rules.warn_every.is_reached(self.counted.saturating_sub(attempts), since)
            });
        if loud {
            *warned = Some((self.counted, elapsed.unwrap_or_default()));
        }
        loud
    }

    /// Whether its time is told at every step.
    pub(crate) const fn is_timed(&self) -> bool {
        self.epoch.is_some()
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

    /// The time from the start of the call to the last failure. `None` at the first failure of a
    /// call that read no clock before it, and wherever none was read at all.
    pub(crate) const fn elapsed(&self) -> Option<Duration> {
        self.elapsed
    }

    /// The time from the start of the call to `now`.
    pub(crate) fn elapsed_by(&self, now: Instant) -> Option<Duration> {
        let known = self.elapsed.is_some() || self.attempt_start.is_some();
        self.epoch.filter(|_| known).map(|epoch| now.saturating_duration_since(epoch))
    }

    /// How long the attempt in progress has taken.
    pub(crate) fn attempt_duration(&self, now: Option<Instant>) -> Option<Duration> {
        Some(now?.saturating_duration_since(self.attempt_start?))
    }

    /// The attempt that is in progress, or about to start, as it stands by `now`.
    pub(crate) fn coming(&self, site: &'static Site, now: Option<Instant>) -> Attempt {
        Attempt {
            site,
            number: self.attempts.saturating_add(1),
            left: self.left(self.counted.saturating_add(1)),
            is_last: self.is_last_by(now),
            elapsed: now.and_then(|now| self.elapsed_by(now)),
            duration: None,
            remaining: self.remaining_by(now),
            verdict: (self.attempts > 0).then(|| self.state.verdict()),
            previous_delay: self.state.previous_delay(),
            next_delay: None,
        }
    }

    /// The attempt that has ended by `now`, judged or not yet.
    pub(crate) fn ended(
        &self,
        site: &'static Site,
        now: Option<Instant>,
        verdict: Option<Verdict>,
    ) -> Attempt {
        let duration = self.attempt_duration(now);
        Attempt { duration, verdict, ..self.coming(site, now) }
    }

    /// The attempt that has just failed, and the delay after it where that is known.
    pub(crate) fn gone(&self, site: &'static Site, next_delay: Option<Duration>) -> Attempt {
        let planned = next_delay.is_some();
        Attempt {
            site,
            number: self.attempts,
            left: self.left(self.counted),
            is_last: !planned && self.is_last_by(self.state.now()),
            elapsed: self.elapsed,
            duration: self.state.last_attempt(),
            remaining: self.remaining_by(self.state.now()),
            verdict: Some(self.state.verdict()),
            previous_delay: if planned { self.slept_before } else { self.state.previous_delay() },
            next_delay,
        }
    }

    fn remaining_by(&self, now: Option<Instant>) -> Option<Duration> {
        Some(tighter(self.limit, self.deadline)?.saturating_duration_since(now?))
    }

    /// An attempt has failed.
    #[inline(always)]
    pub(crate) fn failed(&mut self, now: Option<Instant>, verdict: Verdict) {
        let state = &mut self.state;
        if self.attempts > 0 {
            state.previous_verdict = Some(state.verdict);
        }
        state.verdict = verdict;
        state.delay = Duration::ZERO;
        self.was_ambiguous |= verdict.is_ambiguous();
        if let Some(now) = now {
            self.elapsed = self.epoch.map(|epoch| now.saturating_duration_since(epoch));
            if self.attempts == 0 && self.epoch.is_none() {
                self.epoch = Some(now);
            }
            state.last_attempt =
                self.attempt_start.map(|start| now.saturating_duration_since(start));
            state.elapsed = match self.outage {
                Some(outage) => now.saturating_duration_since(outage),
                None => self.elapsed.unwrap_or_default(),
            };
        } else {
            (self.elapsed, state.last_attempt) = (None, None);
        }
        if self.attempts == 0 {
            state.first_attempt = state.last_attempt;
        }
        state.now = now;
        self.attempts = self.attempts.saturating_add(1);
        // Of those that are tried in turn, only the last uses an attempt up.
        let counts = self.turns.saturating_add(1) >= verdict.turns();
        self.turns = if counts { 0 } else { self.turns.saturating_add(1) };
        self.counted = self.counted.saturating_add(u32::from(counts));
        state.set_used(self.counted, counts);
        state.set_wait(self.waits.saturating_add(1));
    }

    /// Something of the user's has taken time since the failure was noted.
    pub(crate) fn decided_at(&mut self, now: Option<Instant>) {
        if let (Some(before), Some(now)) = (self.state.now, now) {
            let passed = now.saturating_duration_since(before);
            self.state.elapsed = self.state.elapsed.saturating_add(passed);
            self.elapsed = self.elapsed.map(|elapsed| elapsed.saturating_add(passed));
            self.state.now = Some(now);
        }
    }

    /// A new outage begins, with the failure just noted as its first: the count, the backoff and
    /// the clock of the strategies start anew.
    pub(crate) fn reset(&mut self) {
        let counts = self.state.counts();
        self.counted = self.attempts.min(u32::from(counts));
        self.turns = u32::from(!counts);
        self.waits = 0;
        self.outage = self.state.now;
        (self.limit, self.latest_start) = (None, None);
        self.state.elapsed = Duration::ZERO;
        self.state.set_used(self.counted, counts);
        self.state.set_wait(1);
        self.state.previous_delay = None;
        self.state.previous_verdict = None;
        self.state.forget_waits();
    }

    /// What comes after the failure just noted: how long to wait before another attempt, or why
    /// there is none. The delay is computed once, then `stop` is asked; where the other side has
    /// asked for a wait, once without and once with it. Where the policy is made to go on `forever`,
    /// that wait may be of any length.
    #[inline(always)]
    pub(crate) fn next(
        &mut self,
        rules: &Rules,
        forever: bool,
        stop: &AnyStop<'_>,
        wait: &AnyWait<'_>,
    ) -> Result<Duration, StopReason> {
        let verdict = self.state.verdict();
        if verdict.is_ambiguous() && !rules.idempotent {
            return Err(StopReason::Ambiguous);
        }
        let limits = self.capped(stop.limits(&self.state));
        self.state.remaining = tighter(limits.remaining, self.left_to_deadline());
        let backoff = self.backoff(wait);
        self.state.delay = backoff.as_ref().map_or(Duration::ZERO, |delay| delay.total());
        if self.attempts >= self.most_attempts {
            return Err(StopReason::Attempts);
        }
        // Without the hint first: where the call ends anyway, the hint is not why.
        self.allowed_by(stop)?;
        let Some(backoff) = &backoff else { return Err(StopReason::Custom) };
        if let Some(hint) = verdict.hint() {
            let Some(hint) = rules.max_hint.grant(hint, self.state.remaining, forever) else {
                return Err(StopReason::HintTooLong);
            };
            let spread = self.spread(hint, *backoff, rules.max_hint);
            self.state.delay = backoff.at_least(hint).saturating_add(spread);
            self.allowed_by(stop)?;
        }
        self.fits_deadline()?;
        let delay = self.state.delay;
        self.slept_before = self.state.previous_delay.replace(delay);
        self.allow(limits, self.state.now);
        self.look_ahead(wait);
        Ok(delay)
    }

    /// Notes what comes at least after the next attempt, where the time may leave no room for it.
    #[inline]
    fn look_ahead(&mut self, wait: &AnyWait<'_>) {
        if self.latest_start.is_some() || self.deadline.is_some() {
            let (next, wait_number) =
                (self.counted.saturating_add(1), self.waits.saturating_add(1));
            self.least = wait.least(&State::ahead(next, wait_number)).total();
        }
    }

    /// The limits, under that of an override, which counts attempts before a reset too.
    fn capped(&self, limits: Limits) -> Limits {
        let reset = self.attempts.saturating_sub(self.counted);
        match self.most_attempts {
            u32::MAX => limits,
            most => limits.either(Limits::none().with_attempts(most.saturating_sub(reset))),
        }
    }

    /// What is added to a wait of `hint`, so that those who were given the same do not come back
    /// together. A policy whose waits do not spread is exact, and one whose additive jitter is on top of
    /// the hint spreads already. It never makes a wait too long that was not.
    fn spread(&self, hint: Duration, backoff: Delay, most: MaxHint) -> Duration {
        if !self.state.spreads() || backoff.has_extra() || backoff.total() >= hint {
            return Duration::ZERO;
        }
        let width = hint / HINT_SPREAD;
        let width = match most {
            MaxHint::Clamp(most) => width.min(most.saturating_sub(hint)),
            _ => width,
        };
        let width = match self.state.remaining {
            Some(left) => {
                width.min(left.saturating_sub(hint).saturating_sub(Duration::from_nanos(1)))
            }
            None => width,
        };
        // Narrowed before the draw, since what is cut off after it comes back together.
        width.mul_f64(self.state.random().clamp(0.0, 1.0))
    }

    /// The retry has to wait longer than was planned, if that fits.
    pub(crate) fn stretch(
        &mut self,
        delay: Duration,
        stop: &AnyStop<'_>,
    ) -> Result<(), StopReason> {
        self.state.delay = delay;
        self.allowed_by(stop)?;
        self.fits_deadline()?;
        self.state.previous_delay = Some(delay);
        Ok(())
    }

    /// Whether `stop` lets the retry be made after its delay.
    fn allowed_by(&self, stop: &AnyStop<'_>) -> Result<(), StopReason> {
        reason_to_stop(stop, &self.state).map_or(Ok(()), Err)
    }

    /// Whether the delay is over before the deadline.
    fn fits_deadline(&self) -> Result<(), StopReason> {
        match self.left_to_deadline() {
            Some(left) if self.state.delay >= left => Err(StopReason::Time),
            _ => Ok(()),
        }
    }

    /// The time from the failure just noted to the deadline.
    fn left_to_deadline(&self) -> Option<Duration> {
        Some(self.deadline?.saturating_duration_since(self.state.now?))
    }

    /// What the wait strategy answers. A retry without a wait does not advance the backoff, nor one whose
    /// wait is the other side's.
    fn backoff(&mut self, wait: &AnyWait<'_>) -> Option<Delay> {
        if self.state.verdict().is_now() || !self.state.counts() {
            return Some(Delay::ZERO);
        }
        let backoff = self.state.ask(wait);
        if !self.state.is_replaced() {
            self.waits = self.waits.saturating_add(1);
        }
        backoff
    }

    /// The pause before the next attempt is over.
    pub(crate) fn slept(&mut self) -> Duration {
        self.waited = self.waited.saturating_add(self.state.delay);
        self.state.delay
    }

    /// The next attempt starts.
    pub(crate) fn resumed(&mut self, now: Option<Instant>) {
        self.attempt_start = now;
    }
}
