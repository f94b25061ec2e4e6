//! What a call needs after its first failure, or from its start where somebody watches it or
//! changes it from outside, in one box: the state machine with its clock, the gates, the
//! overrides, the history, and what the body says.

use crate::Instant;
use core::time::Duration;
use std::sync::Arc;

use crate::attempt::attempt::Attempt;
use crate::attempt::call_id::CallId;
use crate::attempt::context;
use crate::attempt::notes::Notes;
use crate::engine::call::Call;
use crate::engine::clock::{Clock, Time};
use crate::engine::gates::{self, Entry, Guards, Timeout};
use crate::engine::rules::Rules;
use crate::guard::breaker::state::Change;
use crate::report::exhausted::Exhausted;
use crate::report::interrupted::{Interrupted, Interruption};
use crate::report::reason::StopReason;
use crate::report::report::{History, PastAttempt, Report, text};
use crate::scope::effective::Effective;
use crate::scope::scope;
use crate::stats::counters::Running;
use crate::stats::event::{Ended, ErrorText, Event, Healthy, Retrying};
use crate::stats::nesting;
use crate::stats::site::Site;
use crate::stats::tell::{is_heard, may_be_heard, retried, running, tell};
use crate::strategy::erased::{AnyStop, AnyWait};
use crate::strategy::state::State;
use crate::strategy::stop::tighter;
use crate::verdict::verdict::Verdict;

/// What a call is made of once it has failed, or is watched.
#[derive(Debug)]
pub(crate) struct Failing {
    pub(crate) site: &'static Site,
    time: Time,
    call: Call,
    /// Why the call is no more than its plain body, if it is.
    closed: Option<StopReason>,
    overrides: Option<Box<Effective>>,
    /// Only where a report will be asked for.
    history: Option<Box<History>>,
    notes: Option<Arc<Notes>>,
    /// What the attempt was cut by that has ended last.
    cut: Option<Interruption>,
    /// What gave up inside the attempt in progress, or the one that has just ended.
    exhausted: Option<Exhausted>,
    /// Whether the attempt that has just ended was healthy, so that a new outage begins.
    healthy: bool,
    /// By which failure of this outage the last warning was, and when.
    warned: Option<(u32, Duration)>,
    /// Whether an attempt is in progress, or about to start.
    is_attempting: bool,
    /// Whether a pause has begun that is not over.
    is_pausing: bool,
    /// From the first failure that another attempt follows to the end of the call.
    running: Option<Running>,
    /// When the attempt has ended that is not judged yet, or the call.
    ended_at: Option<Instant>,
    /// The deadline of what is around the call.
    around: Option<Instant>,
    /// The box that was in place before this one was made in the middle of an attempt.
    pub(crate) displaced: Option<Box<Failing>>,
}

/// What is asked after a failure.
pub(crate) struct Asked<'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) forever: bool,
    pub(crate) stop: &'a AnyStop<'a>,
    pub(crate) wait: &'a AnyWait<'a>,
    pub(crate) error: ErrorText<'a>,
    pub(crate) guards: Option<&'a mut dyn Guards>,
}

impl Failing {
    /// Made in its box, so that the expansion holds none of it.
    #[cold]
    #[inline(never)]
    pub(crate) fn new(site: &'static Site, clock: Clock, start: Option<Instant>) -> Box<Self> {
        Box::new(Self {
            site,
            time: Time::real(clock),
            call: Call::new(start),
            closed: None,
            cut: None,
            exhausted: None,
            overrides: None,
            history: None,
            notes: None,
            healthy: false,
            warned: None,
            is_attempting: true,
            is_pausing: false,
            running: None,
            ended_at: None,
            around: None,
            displaced: None,
        })
    }

    /// A call that somebody watches or changes from outside, or that its guards limit in time; `None`
    /// if nobody does. Where the other side's guards are not to be asked, they are lifted.
    #[cold]
    pub(crate) fn at_entry(
        site: &'static Site,
        clock: Clock,
        start: Option<Instant>,
        entry: Entry,
        guards: &mut dyn Guards,
    ) -> Option<Box<Self>> {
        let here = Effective::here(site);
        let watched = here.is_some();
        let mut overrides = here.unwrap_or_default();
        if entry == Entry::Endless {
            overrides = overrides.endless();
        }
        let closed = entry.closed(overrides.enabled);
        let around = tighter(overrides.deadline, context::deadline());
        let limit = guards.deadline();
        let limited = around.is_some() || limit.is_some() || guards.timeout().is_some();
        if !watched && !limited && closed.is_none() {
            return None;
        }
        // A test has said so, or the call is the plain body.
        if closed.is_some() || overrides.guards == Some(false) {
            guards.lift();
        }
        let time = Time::new(clock, overrides.clock.clone());
        let start = time.at(start.unwrap_or_else(clock));
        let mut failing = Self::new(site, clock, Some(start));
        overrides.apply_to(&mut failing.call);
        let limits = match overrides.own_stop() {
            Some(stop) => stop.limits(&State::new(1).with_now(start)),
            None => site.limits(),
        };
        failing.call.allow(limits, Some(start));
        if closed.is_some() {
            failing.call.set_last();
        } else if limited {
            // From here on calls look for the deadline of the call around them.
            scope::activate();
            let own = limit.and_then(|limit| limit.from(start));
            // What nothing but a success can end keeps its pace past the deadline of a call around it, which
            // is still that of the calls in its attempts.
            let ends = entry != Entry::Endless;
            failing.call.set_deadline(tighter(around.filter(|_| ends), own));
            failing.around = around;
        }
        if overrides.is_recorded() {
            failing.keep_history();
        }
        failing.time = time;
        failing.closed = closed;
        failing.overrides = watched.then(|| Box::new(overrides));
        failing.starts();
        Some(failing)
    }

    /// Takes what the site says of `stop`, which nobody has asked yet.
    pub(crate) fn allow(&mut self, start: Option<Instant>) {
        self.call.allow(self.site.limits(), start);
    }

    /// When the call must be over, whatever its policy says.
    pub(crate) const fn deadline(&self) -> Option<Instant> {
        self.call.deadline()
    }

    /// The same for the calls in its attempts.
    pub(crate) fn inner_deadline(&self) -> Option<Instant> {
        tighter(self.deadline(), self.around)
    }

    /// When the attempt in progress started.
    pub(crate) const fn attempt_start(&self) -> Option<Instant> {
        self.call.attempt_start()
    }

    /// Starts an attempt, the first or another, unless something keeps it from that.
    pub(crate) fn admit(&mut self, guards: &mut dyn Guards) -> Result<Option<Change>, Interrupted> {
        if self.closed.is_some() {
            return Ok(None);
        }
        let now = self.time.now();
        let admitted = if self.deadline().is_some_and(|deadline| now >= deadline) {
            Err(Interruption::Deadline)
        } else {
            guards.admit(self.call.attempts() > 0, &|| now)
        };
        match admitted {
            Ok(change) => {
                if self.call.attempts() > 0 {
                    self.resume();
                    guards.retried();
                }
                Ok(change)
            }
            Err(by) => {
                self.is_attempting = false;
                let has_started = self.call.attempts() > 0;
                let after = self.call.elapsed_by(now).filter(|_| has_started);
                Err(Interrupted::new(self.site, by, after))
            }
        }
    }

    /// A call has given up inside the attempt in progress.
    pub(crate) const fn exhausted(&mut self, inner: Exhausted) {
        self.exhausted = Some(inner);
    }

    /// How long the attempt in progress may still take.
    pub(crate) fn cut_in(&self, timeout: Option<Timeout>) -> Option<Duration> {
        let until = match timeout.filter(|_| self.closed.is_none()) {
            None => None,
            Some(Timeout::After(after)) => self.attempt_start()?.checked_add(after),
            Some(Timeout::Idle(idle)) => {
                let moved = self.notes.as_deref().and_then(|notes| notes.moved_at(self.number()));
                moved.or(self.attempt_start())?.checked_add(idle)
            }
        };
        Some(tighter(until, self.deadline())?.saturating_duration_since(self.time.now()))
    }

    /// The attempt in progress is cut: by what, and after how long.
    pub(crate) fn cut(&mut self) -> (Interruption, Option<Duration>) {
        let now = self.time.now();
        if self.deadline().is_some_and(|deadline| now >= deadline) {
            self.cut = Some(Interruption::Deadline);
            return (Interruption::Deadline, self.call.elapsed_by(now));
        }
        self.cut = Some(Interruption::AttemptTimeout);
        (Interruption::AttemptTimeout, self.call.attempt_duration(Some(now)))
    }

    /// From here on the attempts are kept for a report.
    pub(crate) fn keep_history(&mut self) {
        self.history.get_or_insert_default();
    }

    /// Why the call is no more than its plain body, if it is.
    pub(crate) const fn closed(&self) -> Option<StopReason> {
        self.closed
    }

    /// The number of the attempt in progress, or of the one that is about to start.
    pub(crate) fn number(&self) -> u32 {
        self.call.attempts().saturating_add(1)
    }

    /// The notes to keep, made now if need be.
    pub(crate) fn notes(&mut self) -> &Arc<Notes> {
        self.notes.get_or_insert_default()
    }

    /// What the events of the call say that it is, if somebody listens to them.
    pub(crate) fn id(&mut self) -> Option<CallId> {
        (is_heard(true) && !self.site.is_silent()).then(|| self.notes().id())
    }

    /// Goes by this clock, and keeps the attempts if a report will be asked for: a body that has
    /// had the box made knew neither.
    #[inline]
    pub(crate) fn wants(&mut self, clock: Clock, report: bool) {
        self.time.set_clock(clock);
        if report {
            self.keep_history();
        }
    }

    /// The time of the call.
    pub(crate) const fn time(&self) -> &Time {
        &self.time
    }

    /// Reads the clock, if anybody may want to know.
    pub(crate) fn now(&self) -> Option<Instant> {
        // A call that is reported or under overrides is timed from its start.
        let wanted = self.call.is_timed() || self.notes.is_some() || is_heard(true);
        wanted.then(|| self.time.now())
    }

    /// The attempt that is about to start.
    pub(crate) fn coming(&self) -> Attempt {
        self.coming_at(self.now())
    }

    /// The attempt in progress, or about to start, by `now`.
    pub(crate) fn coming_at(&self, now: Option<Instant>) -> Attempt {
        self.call.coming(self.site, now)
    }

    /// The attempt that has just failed, and the delay after it where that is known.
    pub(crate) fn gone(&self, next_delay: Option<Duration>) -> Attempt {
        self.call.gone(self.site, next_delay)
    }

    /// What the body has said about its outcome, in place of `on`.
    #[inline]
    pub(crate) fn said(&mut self, failed: bool) -> Option<Verdict> {
        if self.closed.is_none() && self.notes.is_none() && self.cut.is_none() {
            return None;
        }
        self.hear(failed)
    }

    fn hear(&mut self, failed: bool) -> Option<Verdict> {
        if self.closed.is_some() {
            return Some(Verdict::Final);
        }
        let said = self.notes.as_deref().map(|notes| notes.take(self.number()));
        self.healthy |= said.is_some_and(|said| said.progress);
        if self.cut.is_some() {
            // It may have taken effect, and the outcome is none of the body's.
            return Some(Verdict::Ambiguous);
        }
        let said = said?;
        said.overruled.or(if failed { said.marked.map(|(_, verdict)| verdict) } else { None })
    }

    /// An attempt has failed: how long to pause before another, or why the call has ended.
    #[cold]
    #[inline(never)]
    pub(crate) fn failed(
        &mut self,
        verdict: Verdict,
        mut asked: Asked<'_>,
    ) -> Result<Duration, StopReason> {
        self.fail_at(self.now(), verdict, asked.error);
        self.decide(&mut asked).map_err(|reason| self.end(reason, asked.error))
    }

    /// The attempt has ended: what `reset` is told. `None` where nobody asks.
    #[cold]
    pub(crate) fn ended(&mut self, judged: Option<Verdict>) -> Option<Attempt> {
        if self.closed.is_some() {
            return None;
        }
        self.ended_at = self.now();
        Some(self.call.ended(self.site, self.ended_at, judged))
    }

    /// The attempt that has ended was healthy.
    #[cold]
    pub(crate) fn reset(&mut self) {
        self.healthy = true;
        let said = self.notes.as_deref().is_some_and(|notes| notes.has_progress(self.number()));
        // The body has said so already, and when it did it was told.
        if let (Some(outage), false) = (self.outage(), said) {
            let call = self.id();
            tell(self.site, &Event::Healthy(outage, call));
        }
    }

    /// Whether a new outage begins, should the attempt be a failure.
    pub(crate) const fn is_healthy(&self) -> bool {
        self.healthy
    }

    /// The outage that the attempt ends if it is healthy.
    pub(crate) fn outage(&self) -> Option<Healthy> {
        self.call.outage()
    }

    /// Whether an attempt that has ended may have taken effect.
    pub(crate) const fn was_ambiguous(&self) -> bool {
        self.call.was_ambiguous()
    }

    /// No attempt can be made after the one in progress.
    pub(crate) fn was_last(&mut self) {
        let made = self.number();
        self.call.set_most_attempts(made);
    }

    /// The first half of [`failed`](Self::failed).
    #[cold]
    pub(crate) fn fail(&mut self, verdict: Verdict) {
        let now = match self.ended_at.take() {
            None => self.now(),
            ended => ended,
        };
        self.fail_at(now, verdict, None);
    }

    fn fail_at(&mut self, now: Option<Instant>, verdict: Verdict, error: ErrorText<'_>) {
        self.call.failed(now, verdict);
        self.is_attempting = false;
        let exhausted = self.exhausted.take();
        if core::mem::take(&mut self.healthy) {
            self.call.reset();
            self.warned = None;
        }
        if let Some(history) = &mut self.history {
            history.push(PastAttempt {
                number: self.call.attempts(),
                duration: self.call.state().last_attempt(),
                verdict,
                delay: None,
                error: text(error),
                interruption: self.cut,
                exhausted,
            });
        }
    }

    /// The second half of [`failed`](Self::failed), after something that may have taken its time.
    #[cold]
    pub(crate) fn next(&mut self, mut asked: Asked<'_>) -> Result<Duration, StopReason> {
        self.call.decided_at(self.now());
        if let Some(history) = &mut self.history {
            history.set_last_error(asked.error);
        }
        self.decide(&mut asked).map_err(|reason| self.end(reason, asked.error))
    }

    /// Whether it will be too late to start an attempt once `delay` is over.
    pub(crate) fn is_late(&self, delay: Duration) -> bool {
        self.now()
            .and_then(|now| now.checked_add(delay))
            .is_some_and(|then| self.call.is_late(then))
    }

    /// How long to pause before another attempt, or why there is none. Once nothing stands in the
    /// way of the retry, it is told.
    fn decide(&mut self, asked: &mut Asked<'_>) -> Result<Duration, StopReason> {
        let (stop, wait) = match &self.overrides {
            Some(overrides) => (overrides.stop(asked.stop), overrides.wait(asked.wait)),
            None => (asked.stop, asked.wait),
        };
        let mut delay = self.call.next(asked.rules, asked.forever, stop, wait)?;
        if let Some(guards) = &mut asked.guards {
            delay = gates::pass(*guards, &mut self.call, delay, stop, &|| self.time.now())?;
        }
        if self.running.is_none() {
            self.running = Some(running(self.site));
        }
        if let Some(most) = self.call.most() {
            self.site.learn_bound(most);
        }
        if let Some(history) = &mut self.history {
            history.set_last_delay(delay);
        }
        if may_be_heard() {
            self.tell_retry(delay, asked);
        }
        Ok(delay)
    }

    /// A retry is certain, and somebody may listen.
    #[cold]
    fn tell_retry(&mut self, delay: Duration, asked: &Asked<'_>) {
        let outer = context::around().filter(|_| is_heard(true));
        if let (Some(outer), Some(most)) = (outer, self.call.most()) {
            nesting::multiplies(outer, self.site, most, || self.id());
        }
        let loud = self.call.is_loud(asked.rules, &mut self.warned);
        if is_heard(loud) {
            let retrying = Retrying {
                call: self.id(),
                attempt: self.call.attempts(),
                delay,
                elapsed: self.call.elapsed(),
                left: self.call.left_now(),
                loud,
                error: asked.error,
            };
            tell(self.site, &Event::Retrying(retrying));
        }
    }

    /// The pause begins: how long it is in real time.
    pub(crate) fn pause(&mut self, delay: Duration) -> Duration {
        self.is_pausing = true;
        self.time.pause(delay)
    }

    /// The pause is over.
    pub(crate) fn wake(&mut self) {
        if core::mem::take(&mut self.is_pausing) {
            let pause = self.call.slept();
            // A pause of zero adds to no sum; only metrics count how often there was one.
            if !pause.is_zero() || cfg!(feature = "metrics") {
                tell(self.site, &Event::Waited(pause));
            }
        }
    }

    /// The next attempt starts.
    pub(crate) fn resume(&mut self) {
        self.wake();
        self.call.resumed(self.now());
        self.is_attempting = true;
        self.cut = None;
        retried(self.site, self.call.state().verdict());
        if self.overrides.is_some() {
            self.starts();
        }
    }

    /// A test may want something to happen as an attempt starts.
    #[cold]
    fn starts(&mut self) {
        let hooks = self.overrides.as_ref().filter(|_| self.closed.is_none());
        let hooks = hooks.map(|overrides| overrides.at(self.number())).unwrap_or_default();
        for hook in hooks {
            hook();
        }
    }

    /// The call has ended: counts it, tells of it and reports it.
    pub(crate) fn end(&mut self, reason: StopReason, error: ErrorText<'_>) -> StopReason {
        let reason = match (reason, self.closed) {
            (StopReason::Success | StopReason::Permanent, Some(closed)) => closed,
            (reason, _) => reason,
        };
        self.running = None;
        let now = self.now();
        self.ended_at = now;
        // A first attempt whose outcome is final tells nothing.
        let is_told = self.call.attempts() > 0 || self.cut.is_some();
        let event = Ended {
            call: if is_told { self.id() } else { None },
            reason,
            failures: self.call.attempts(),
            attempts: self.attempts(),
            elapsed: now.and_then(|now| self.call.elapsed_by(now)),
            cut: self.cut,
            error,
        };
        tell(self.site, &Event::Ended(event));
        if let (true, Some(history)) = (self.is_attempting, &mut self.history) {
            match self.cut {
                // The outcome is that of an attempt before.
                Some(by) => {
                    let after = now.and_then(|now| self.call.elapsed_by(now));
                    history.set_ending(Some(&Interrupted::new(self.site, by, after)));
                }
                None => history.set_ending(error),
            }
        }
        let recorded = self.overrides.as_ref().filter(|overrides| overrides.is_recorded());
        if let Some(overrides) = recorded {
            overrides.record(&self.report(reason));
        }
        reason
    }

    /// What the call did, once it has ended.
    pub(crate) fn report(&self, reason: StopReason) -> Report {
        let now = self.ended_at;
        let mut history = self.history.as_deref().cloned().unwrap_or_default();
        if self.is_attempting && reason != StopReason::Cancelled {
            let error = history.ending();
            history.push(PastAttempt {
                number: self.attempts(),
                duration: self.call.attempt_duration(now),
                verdict: Verdict::Final,
                delay: None,
                error,
                interruption: self.cut,
                exhausted: self.exhausted,
            });
        }
        Report {
            site: self.site,
            reason,
            attempts: self.attempts(),
            elapsed: now.and_then(|now| self.call.elapsed_by(now)),
            waited: self.call.waited(),
            history: history.into_vec(),
        }
    }

    /// Attempts that have been started.
    pub(crate) fn attempts(&self) -> u32 {
        self.call.attempts().saturating_add(u32::from(self.is_attempting))
    }
}
