//! What a call needs after its first failure, or from its start where somebody watches it or
//! changes it from outside: the state machine with its clock, the overrides, the history, and what
//! is told of its end.

use core::time::Duration;
use std::time::Instant;

use crate::attempt::attempt::Attempt;
use crate::attempt::context::{Facts, Frame, Said};
use crate::engine::call::{Call, Next, Rules};
use crate::engine::clock::Clock;
use crate::report::reason::StopReason;
use crate::report::report::{History, PastAttempt, Report};
use crate::scope::overrides::{Effective, is_enabled};
use crate::stats::events::{self, ErrorText, Progress};
use crate::stats::site::Site;
use crate::strategy::stop::Stop;
use crate::strategy::wait::Wait;
use crate::verdict::verdict::Verdict;

/// What a call is made of once it has failed, or is watched.
#[derive(Debug)]
pub(crate) struct Slow {
    pub(crate) call: Call,
    clock: Clock,
    pub(crate) overrides: Effective,
    /// While an attempt runs, the frame that it has displaced.
    pub(crate) frame: Option<Frame>,
    history: Option<History>,
    said: Said,
    pub(crate) is_disabled: bool,
    /// Whether an attempt is in progress, or about to start.
    pub(crate) is_attempting: bool,
    pub(crate) gives_up: Option<StopReason>,
}

/// How a call may be ended from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// By an override or the process-wide switch; `enabled` said `true`, or was left out.
    Open,
    /// `enabled` said `false`.
    Disabled,
    /// By nothing but a success, since there is no other value to give.
    Success,
}

/// Counts a call that has ended after so many failures.
#[inline]
pub(crate) fn count(site: &'static Site, reason: StopReason, failures: u32) {
    match reason {
        StopReason::Success if failures == 0 => site.first_success(),
        StopReason::Success => site.recovered(),
        StopReason::Cancelled => site.cancelled(),
        StopReason::Disabled => site.disabled(),
        reason => site.gave_up(reason),
    }
    events::ended(site, reason, failures);
}

impl Slow {
    /// Made in its box, so that the expansion holds none of it.
    pub(crate) fn new(clock: Clock, start: Option<Instant>) -> Box<Self> {
        Box::new(Self {
            call: Call::new(start, start.unwrap_or_else(clock)),
            clock,
            overrides: Effective::default(),
            frame: None,
            history: None,
            said: Said::default(),
            is_disabled: false,
            is_attempting: true,
            gives_up: None,
        })
    }

    /// A call that somebody watches or changes from outside; `None` if nobody does.
    #[cold]
    pub(crate) fn watched(
        site: &'static Site,
        clock: Clock,
        start: Option<Instant>,
        ending: Ending,
    ) -> Option<Box<Self>> {
        let here = Effective::here(site);
        if here.is_none() && is_enabled() && ending != Ending::Disabled {
            return None;
        }
        let mut overrides = here.unwrap_or_default();
        if ending == Ending::Success {
            overrides = overrides.endless();
        }
        let enabled = ending != Ending::Disabled && is_enabled();
        let is_disabled = !overrides.enabled.unwrap_or(enabled);
        let start = start.unwrap_or_else(clock);
        let start = overrides.clock.as_ref().map_or(start, |clock| clock.at(start));
        let facts = Facts {
            epoch: Some(start),
            is_last: is_disabled,
            virtual_clock: overrides.clock.clone(),
            ..Facts::default()
        };
        let mut slow = Self::new(clock, Some(start));
        if let Some(seed) = overrides.seed {
            slow.call.seed(seed);
        }
        slow.frame = Some(Frame::new(site, clock, facts));
        slow.is_disabled = is_disabled;
        slow.overrides = overrides;
        Some(slow)
    }

    pub(crate) fn now(&self) -> Instant {
        let now = (self.clock)();
        self.overrides.clock.as_ref().map_or(now, |clock| clock.at(now))
    }

    /// The number of the attempt in progress, or of the one that is about to start.
    pub(crate) fn number(&self) -> u32 {
        self.call.attempts().saturating_add(1)
    }

    pub(crate) fn verdict(&self) -> Verdict {
        self.call.state().verdict()
    }

    fn is_watched(&self) -> bool {
        !self.overrides.sinks.is_empty()
    }

    #[cold]
    pub(crate) fn said(&mut self, failed: bool) -> Option<Verdict> {
        if self.is_disabled {
            return Some(Verdict::Final);
        }
        let notes = self.frame.as_ref().and_then(Frame::notes)?;
        self.said = notes.take(self.number());
        self.said.overruled.or(if failed { self.said.marked } else { None })
    }

    pub(crate) fn fail(&mut self, verdict: Verdict, watched: bool) {
        self.call.failed(self.now(), verdict);
        self.is_attempting = false;
        if core::mem::take(&mut self.said).progress {
            self.reset();
        }
        if watched || self.is_watched() {
            self.history.get_or_insert_default().push(PastAttempt {
                number: self.call.attempts(),
                duration: self.call.state().last_attempt(),
                verdict,
                delay: None,
            });
        }
    }

    /// Count and backoff start anew, so that an attempt which was to be the last no longer is.
    pub(crate) fn reset(&mut self) {
        self.call.reset();
        if let Some(frame) = &mut self.frame {
            frame.is_not_last();
        }
    }

    pub(crate) fn next(
        &mut self,
        site: &'static Site,
        rules: Rules,
        stop: &(impl Stop + ?Sized),
        wait: &(impl Wait + ?Sized),
    ) -> Option<Duration> {
        let (stop, wait) = (self.overrides.stop(stop), self.overrides.wait(wait));
        match self.call.next(rules, &stop, &wait) {
            Next::Retry(delay) => {
                if let Some(history) = &mut self.history {
                    history.set_last_delay(delay);
                }
                let state = self.call.state();
                let now = state.now().unwrap_or_else(|| self.call.epoch());
                let facts = Facts {
                    epoch: Some(self.call.epoch()),
                    limit: state.remaining().and_then(|left| now.checked_add(left)),
                    previous_delay: Some(delay),
                    is_last: self.call.next_is_last(stop.limits(state).attempts),
                    virtual_clock: self.overrides.clock.clone(),
                };
                match &mut self.frame {
                    Some(frame) => frame.learn(self.clock, facts),
                    None => self.frame = Some(Frame::new(site, self.clock, facts)),
                }
                Some(delay)
            }
            Next::GiveUp(reason) => {
                self.gives_up = Some(reason);
                None
            }
        }
    }

    pub(crate) fn gives_up(&self) -> StopReason {
        self.gives_up.unwrap_or(StopReason::Custom)
    }

    pub(crate) fn progress(&self, site: &'static Site) -> Progress {
        Progress {
            site,
            attempts: self.call.attempts(),
            elapsed: self.call.elapsed(self.call.state().now().unwrap_or_else(|| self.now())),
        }
    }

    fn facts(&self) -> Facts {
        self.frame.as_ref().map(|frame| frame.facts().clone()).unwrap_or_default()
    }

    pub(crate) fn coming(&self, site: &'static Site) -> Attempt {
        let (facts, now) = (self.facts(), self.now());
        Attempt {
            site,
            number: self.number(),
            is_last: facts.is_last,
            elapsed: self.call.elapsed(now),
            duration: None,
            remaining: facts.limit.map(|limit| limit.saturating_duration_since(now)),
            verdict: (self.call.attempts() > 0).then(|| self.verdict()),
            delay: facts.previous_delay,
        }
    }

    pub(crate) fn failed(&self, site: &'static Site, delay: Option<Duration>) -> Attempt {
        let (facts, state) = (self.facts(), self.call.state());
        let now = state.now().unwrap_or_else(|| self.now());
        Attempt {
            site,
            number: self.call.attempts(),
            is_last: delay.is_none() && facts.is_last,
            elapsed: self.call.elapsed(now),
            duration: state.last_attempt(),
            remaining: facts.limit.map(|limit| limit.saturating_duration_since(now)),
            verdict: Some(self.verdict()),
            delay,
        }
    }

    pub(crate) fn end(
        mut self: Box<Self>,
        site: &'static Site,
        reason: StopReason,
        error: ErrorText<'_>,
    ) {
        let now = self.now();
        let reason = self.conclude(site, reason, now, error);
        if self.is_watched() {
            self.report(site, reason, now);
        }
    }

    pub(crate) fn end_reporting(
        mut self: Box<Self>,
        site: &'static Site,
        reason: StopReason,
        error: ErrorText<'_>,
    ) -> Report {
        let now = self.now();
        let reason = self.conclude(site, reason, now, error);
        self.report(site, reason, now)
    }

    /// Counts the call and tells of its end; answers why it ended.
    fn conclude(
        &mut self,
        site: &'static Site,
        reason: StopReason,
        now: Instant,
        error: ErrorText<'_>,
    ) -> StopReason {
        let reason = match reason {
            StopReason::Success | StopReason::Permanent if self.is_disabled => StopReason::Disabled,
            reason => reason,
        };
        let failures = self.call.attempts();
        count(site, reason, failures);
        let progress =
            Progress { site, attempts: self.attempts(), elapsed: self.call.elapsed(now) };
        match reason {
            // A first failure that is final is an answer, and no retry's business.
            _ if failures == 0 => {}
            StopReason::Success => events::recovered(progress),
            StopReason::Cancelled | StopReason::Disabled => {}
            reason => events::gave_up(progress, reason, error),
        }
        reason
    }

    /// Attempts that have been started.
    fn attempts(&self) -> u32 {
        self.call.attempts().saturating_add(u32::from(self.is_attempting))
    }

    fn report(
        mut self: Box<Self>,
        site: &'static Site,
        reason: StopReason,
        now: Instant,
    ) -> Report {
        let mut history = self.history.take().unwrap_or_default();
        if self.is_attempting && reason != StopReason::Cancelled {
            history.push(PastAttempt {
                number: self.attempts(),
                duration: self.call.attempt_duration(now),
                verdict: Verdict::Final,
                delay: None,
            });
        }
        let report = Report {
            site,
            reason,
            attempts: self.attempts(),
            elapsed: self.call.elapsed(now),
            waited: self.call.waited(),
            history: history.into_vec(),
        };
        for sink in &self.overrides.sinks {
            sink.push(report.clone());
        }
        report
    }
}
