//! One retried call as the expansion holds it.
//!
//! Read it from the top: `begin`, an attempt by `run` or `attempt`, `succeeds` or else `said`,
//! `settle` or else `failed`, `pause`, `resume`. What happens up to a first success is inlined;
//! everything after a failure is handed to [`Failing`], in functions that are compiled once, not
//! for every annotated function. They are given the parts of the handle and not the handle, which
//! so need not lie in memory.
//!
//! A call that is dropped before it has ended was cancelled; the drop says so.

use core::future::Future;
use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use core::pin::Pin;
use core::task::{Context, Poll};
use core::time::Duration;
use std::time::Instant;

use crate::attempt::attempt::Attempt;
use crate::attempt::context::{self, Outer, Started};
use crate::engine::call::Rules;
use crate::engine::clock::{Clock, Source, Start};
use crate::engine::failing::Failing;
use crate::engine::gates::Entry;
use crate::guard::permit::Permit;
use crate::report::reason::StopReason;
use crate::report::report::{PastAttempt, Report};
use crate::scope::scope;
use crate::stats::event::{Ended, ErrorText, Event};
use crate::stats::site::Site;
use crate::stats::tell::{first_success, tell};
use crate::stats::told::Told;
use crate::strategy::erased::{AnyStop, AnyWait, Erased};
use crate::strategy::stop::Stop;
use crate::strategy::wait::Wait;
use crate::verdict::verdict::Verdict;

/// One retried call. `REPORTED` says that its report will be asked for.
#[derive(Debug)]
#[must_use]
pub struct Handle<C: Source, S: Start, P: Permit, const REPORTED: bool> {
    site: &'static Site,
    start: S,
    /// What a call needs after its first failure, made then; or at its start, under overrides.
    /// Taken out by whatever ends the call, so that a first success need not look for it again.
    failing: ManuallyDrop<Option<Box<Failing>>>,
    has_ended: bool,
    permit: P,
    clock: PhantomData<fn() -> C>,
}

impl<C: Source, S: Start, P: Permit, const REPORTED: bool> Handle<C, S, P, REPORTED> {
    /// A call before its first attempt, with what was given out for it.
    #[inline]
    pub fn begin(site: &'static Site, start: S, entry: Entry, permit: P) -> Self {
        let failing = if entry == Entry::Disabled || scope::may_be_active() {
            Failing::at_entry(site, C::CLOCK, start.instant(), entry)
        } else {
            None
        };
        let failing = ManuallyDrop::new(failing);
        Self { site, start, failing, has_ended: false, permit, clock: PhantomData }
    }

    /// Whether the call is the plain body.
    #[inline]
    pub fn is_closed(&self) -> bool {
        self.failing.as_ref().is_some_and(|failing| failing.closed().is_some())
    }

    /// Makes an attempt, with its context in place.
    #[inline]
    pub fn run<R>(&mut self, body: impl FnOnce() -> R) -> R {
        let inside = self.enter();
        let outcome = body();
        inside.leave();
        outcome
    }

    /// Makes an attempt, with its context in place whenever it is polled.
    #[inline]
    pub fn attempt<'a, F: Future>(
        &'a mut self,
        future: Pin<&'a mut F>,
    ) -> Attempting<'a, C, S, P, REPORTED, F> {
        Attempting { handle: self, future }
    }

    #[inline]
    fn enter(&mut self) -> Inside<'_> {
        let boxed =
            if self.failing.is_some() { context::enter_with(&mut self.failing) } else { None };
        let (outer, boxed) = match boxed {
            Some(outer) => (outer, true),
            None => {
                let (site, clock) = (self.site, C::CLOCK);
                let started = self.start.instant().map(|at| Started { site, at, clock });
                (context::enter(site, started), false)
            }
        };
        Inside { failing: &mut self.failing, outer, boxed }
    }

    /// Ends the call if the attempt was the first, and a success, and there is no more to tell.
    #[inline]
    pub fn succeeds<E>(&mut self, error: &Told<'_, E>) -> bool {
        if error.is_failure() || self.failing.is_some() {
            return false;
        }
        first_success(self.site);
        self.has_ended = true;
        self.permit.ended(StopReason::Success);
        true
    }

    /// What the body has said about its outcome, in place of `on`.
    #[inline]
    pub fn said<E>(&mut self, error: &Told<'_, E>) -> Option<Verdict> {
        match self.failing.as_deref_mut() {
            None => None,
            Some(failing) => failing.said(error.is_failure()),
        }
    }

    /// An attempt has ended with a final outcome, which is or is not a failure.
    #[inline]
    pub fn settle<E>(&mut self, error: &Told<'_, E>) -> StopReason {
        let reason = if error.is_failure() { StopReason::Permanent } else { StopReason::Success };
        self.end(reason, error.text())
    }

    /// The call is ended from outside of the policy.
    #[inline]
    pub fn refuse<E>(&mut self, reason: StopReason, error: &Told<'_, E>) -> StopReason {
        self.end(reason, error.text())
    }

    /// An attempt has failed: how long to pause before the next, or why the call has ended.
    #[inline]
    pub fn failed<E>(
        &mut self,
        verdict: Verdict,
        rules: Rules,
        stop: &impl Stop,
        wait: &impl Wait,
        error: &Told<'_, E>,
    ) -> Result<Duration, StopReason> {
        let asked = Asked { rules, stop: &Erased(stop), wait, error: error.text() };
        let start = self.start.instant();
        let next = failed(self.site, C::CLOCK, start, &mut self.failing, verdict, &asked, REPORTED);
        self.goes_on(next)
    }

    /// The first half of [`failed`](Self::failed), where something of the user's comes between.
    #[inline]
    pub fn fail(&mut self, verdict: Verdict) {
        fail(self.site, C::CLOCK, self.start.instant(), &mut self.failing, verdict, REPORTED);
    }

    /// `reset = duration`: an attempt that lasted this long has been healthy.
    pub fn reset_after(&mut self, healthy: Duration) {
        let lasted = self.failing.as_ref().and_then(|failing| failing.last_attempt());
        self.reset_if(lasted.is_some_and(|lasted| lasted >= healthy));
    }

    /// `reset = closure`: the attempt was healthy.
    pub fn reset_if(&mut self, healthy: bool) {
        if let (true, Some(failing)) = (healthy, self.failing.as_deref_mut()) {
            failing.reset();
        }
    }

    /// The second half of [`failed`](Self::failed).
    #[inline]
    pub fn next<E>(
        &mut self,
        rules: Rules,
        stop: &impl Stop,
        wait: &impl Wait,
        error: &Told<'_, E>,
    ) -> Result<Duration, StopReason> {
        let asked = Asked { rules, stop: &Erased(stop), wait, error: error.text() };
        let start = self.start.instant();
        let next = next(self.site, C::CLOCK, start, &mut self.failing, &asked, REPORTED);
        self.goes_on(next)
    }

    #[inline]
    fn goes_on(&mut self, next: Result<Duration, StopReason>) -> Result<Duration, StopReason> {
        if let Err(reason) = next {
            self.has_ended = true;
            self.permit.ended(reason);
        }
        next
    }

    #[inline]
    fn end(&mut self, reason: StopReason, error: ErrorText<'_>) -> StopReason {
        let reason = end(self.site, &mut self.failing, reason, error, REPORTED);
        self.has_ended = true;
        self.permit.ended(reason);
        reason
    }

    /// What the call did, which has ended for this reason.
    #[cold]
    pub fn report(&self, reason: StopReason) -> Report {
        if let Some(failing) = self.failing.as_deref() {
            return failing.report(reason);
        }
        // Nothing but the outcome of a first attempt ends a call without a box.
        let started = self.start.instant();
        let elapsed = started.map(|start| (C::CLOCK)().saturating_duration_since(start));
        let only =
            PastAttempt { number: 1, duration: elapsed, verdict: Verdict::Final, delay: None };
        Report {
            site: self.site,
            reason,
            attempts: 1,
            elapsed,
            waited: Duration::ZERO,
            history: vec![only],
        }
    }

    /// The pause begins: how long it is in real time.
    #[inline]
    pub fn pause(&mut self, delay: Duration) -> Duration {
        pause(&mut self.failing, delay)
    }

    /// The pause is over, and something of the user's comes before the next attempt.
    pub fn wake(&mut self) {
        if let Some(failing) = self.failing.as_deref_mut() {
            failing.wake();
        }
    }

    /// The pause is over, and the next attempt starts.
    #[inline]
    pub fn resume(&mut self) {
        resume(&mut self.failing);
    }

    /// The attempt that is about to start, for `before` and `gate`.
    pub fn coming(&self) -> Attempt {
        match self.failing.as_deref() {
            Some(failing) => failing.coming(),
            None => {
                let started = self.start.instant();
                Attempt::first(self.site, started.map(|_| Duration::ZERO))
            }
        }
    }

    /// The attempt that has just failed, for `after` and `reset`, or `before_sleep` with the
    /// delay.
    pub fn gone(&self, delay: Option<Duration>) -> Attempt {
        match self.failing.as_deref() {
            Some(failing) => failing.gone(delay),
            None => self.coming(),
        }
    }
}

/// What is asked after a failure.
struct Asked<'a> {
    rules: Rules,
    stop: &'a AnyStop<'a>,
    wait: &'a AnyWait<'a>,
    error: ErrorText<'a>,
}

#[cold]
#[inline(never)]
fn failed(
    site: &'static Site,
    clock: Clock,
    start: Option<Instant>,
    failing: &mut Option<Box<Failing>>,
    verdict: Verdict,
    asked: &Asked<'_>,
    reported: bool,
) -> Result<Duration, StopReason> {
    fail(site, clock, start, failing, verdict, reported);
    next(site, clock, start, failing, asked, reported)
}

#[cold]
#[inline(never)]
fn fail(
    site: &'static Site,
    clock: Clock,
    start: Option<Instant>,
    failing: &mut Option<Box<Failing>>,
    verdict: Verdict,
    reported: bool,
) {
    let failing = failing.get_or_insert_with(|| Failing::new(site, clock, start));
    if reported {
        failing.keep_history();
    }
    failing.go_by(clock);
    failing.fail(verdict);
}

#[cold]
#[inline(never)]
fn next(
    site: &'static Site,
    clock: Clock,
    start: Option<Instant>,
    failing: &mut Option<Box<Failing>>,
    asked: &Asked<'_>,
    reported: bool,
) -> Result<Duration, StopReason> {
    let boxed = failing.get_or_insert_with(|| Failing::new(site, clock, start));
    let reason = match boxed.decide(&asked.rules, asked.stop, asked.wait, asked.error) {
        Ok(pause) => return Ok(pause),
        Err(reason) => boxed.end(reason, asked.error),
    };
    if !reported {
        drop(failing.take());
    }
    Err(reason)
}

#[cold]
#[inline(never)]
fn end(
    site: &'static Site,
    failing: &mut Option<Box<Failing>>,
    reason: StopReason,
    error: ErrorText<'_>,
    reported: bool,
) -> StopReason {
    let Some(boxed) = failing else {
        tell(site, &Event::Ended(Ended::first(reason, error)));
        return reason;
    };
    let reason = boxed.end(reason, error);
    if !reported {
        drop(failing.take());
    }
    reason
}

#[cold]
#[inline(never)]
fn pause(failing: &mut Option<Box<Failing>>, delay: Duration) -> Duration {
    failing.as_deref_mut().map_or(delay, |failing| failing.pause(delay))
}

#[cold]
#[inline(never)]
fn resume(failing: &mut Option<Box<Failing>>) {
    if let Some(failing) = failing.as_deref_mut() {
        failing.resume();
    }
}

impl<C: Source, S: Start, P: Permit, const REPORTED: bool> Drop for Handle<C, S, P, REPORTED> {
    #[inline]
    fn drop(&mut self) {
        if !self.has_ended {
            abandoned(self.site, &mut self.failing);
        } else if REPORTED && self.failing.is_some() {
            forget(&mut self.failing);
        }
    }
}

/// A call was dropped before it had ended.
#[cold]
#[inline(never)]
fn abandoned(site: &'static Site, failing: &mut Option<Box<Failing>>) {
    if std::thread::panicking() {
        drop(failing.take());
        return tell(site, &Event::Panicked);
    }
    end(site, failing, StopReason::Cancelled, None, false);
}

/// Nobody has asked for the report.
#[cold]
#[inline(never)]
fn forget(failing: &mut Option<Box<Failing>>) {
    drop(failing.take());
}

/// Takes the context of an attempt away again.
#[must_use]
struct Inside<'a> {
    failing: &'a mut Option<Box<Failing>>,
    outer: Outer,
    /// Whether the call has lent its box to the context.
    boxed: bool,
}

impl Inside<'_> {
    #[inline]
    fn leave(mut self) {
        self.put_back();
        core::mem::forget(self);
    }

    #[inline]
    fn put_back(&mut self) {
        if self.boxed {
            context::leave_with(self.outer, self.failing);
        } else if context::leave(self.outer) {
            *self.failing = context::take_made(self.outer);
        }
    }
}

impl Drop for Inside<'_> {
    #[inline]
    fn drop(&mut self) {
        self.put_back();
    }
}

/// An async attempt, with its context in place whenever it is polled.
#[allow(missing_debug_implementations)] // lives in expansions only
#[must_use = "futures do nothing unless polled"]
pub struct Attempting<'a, C: Source, S: Start, P: Permit, const REPORTED: bool, F> {
    handle: &'a mut Handle<C, S, P, REPORTED>,
    future: Pin<&'a mut F>,
}

impl<C: Source, S: Start, P: Permit, const REPORTED: bool, F: Future> Future
    for Attempting<'_, C, S, P, REPORTED, F>
{
    type Output = F::Output;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let this = &mut *self;
        let inside = this.handle.enter();
        let poll = this.future.as_mut().poll(cx);
        inside.leave();
        poll
    }
}
