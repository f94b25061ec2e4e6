//! One retried call as the expansion holds it.
//!
//! Read it from the top: `begin`, an attempt between `enter` and `leave` or by `attempt`, `succeeds`
//! or else `judge`, `settle` or else `failed`, `pause`, `resume`. What happens up to a first success
//! is inlined; everything after a failure is handed to [`Failing`], in functions that are compiled
//! once, not for every annotated function.
//!
//! A call that is dropped before it has ended was cancelled; the drop says so.

// What is marked `inline(always)` is what a first success runs through, and the short ways from a
// failure to what is compiled once.
#![allow(clippy::inline_always)]
#![allow(clippy::missing_errors_doc)] // a `Result` here says how a call goes on

use core::future::Future;
use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use core::pin::Pin;
use core::time::Duration;

use self::attempting::{Attempting, Inside};
use self::outlined::{abandoned, block, end, exhausted, forget, pause, rest, resume};
use crate::attempt::attempt::Attempt;
use crate::attempt::call_id::CallId;
use crate::attempt::context::{self, Started};
use crate::engine::clock::{Source, Start};
use crate::engine::failing::{Asked, Failing};
use crate::engine::gates::{Answer, Entry, Guards};
use crate::engine::rules::Rules;
use crate::engine::timer::Cutting;
use crate::guard::breaker::state::Change;
use crate::report::interrupted::Interrupted;
use crate::report::reason::StopReason;
use crate::report::report::Report;
use crate::scope::scope;
use crate::stats::event::{Ended, ErrorText, Event};
use crate::stats::site::Site;
use crate::stats::tell::{first_success, is_heard, tell};
use crate::stats::told::Failure;
use crate::strategy::erased::Erased;
use crate::strategy::stop::{Boundedness, Stop};
use crate::strategy::wait::Wait;
use crate::verdict::verdict::Verdict;

mod attempting;
mod outlined;

pub use self::outlined::outlined;

/// One retried call. `REPORTED` says that its report will be asked for.
#[derive(Debug)]
#[must_use]
pub struct Handle<C: Source, S: Start, P: Guards, const REPORTED: bool> {
    site: &'static Site,
    start: S,
    /// What a call needs after its first failure, made then; or at its start, under overrides.
    /// Taken out by whatever ends the call, so that a first success need not look for it again.
    failing: ManuallyDrop<Option<Box<Failing>>>,
    has_ended: bool,
    /// Given back by whatever ends the call, or else by the drop.
    guards: ManuallyDrop<P>,
    clock: PhantomData<fn() -> C>,
}

/// Whether it is worth a look who watches the call, or limits it.
#[inline(always)]
fn may_be_watched(entry: Entry, guards: &impl Guards) -> bool {
    let is_limited = guards.deadline().is_some() || guards.timeout().is_some();
    entry == Entry::Disabled || is_limited || scope::may_be_active()
}

impl<C: Source, S: Start, P: Guards, const REPORTED: bool> Handle<C, S, P, REPORTED> {
    /// A call before its first attempt, with what guards it.
    #[inline(always)]
    pub fn begin(site: &'static Site, start: S, entry: Entry, mut guards: P) -> Self {
        let failing = if may_be_watched(entry, &guards) {
            Failing::at_entry(site, C::CLOCK, start.instant(), entry, &mut guards)
        } else {
            None
        };
        let (failing, guards) = (ManuallyDrop::new(failing), ManuallyDrop::new(guards));
        Self { site, start, failing, has_ended: false, guards, clock: PhantomData }
    }

    /// The first half of [`begin`](Self::begin): the guards are written where they stay, and copied
    /// no more.
    #[inline(always)]
    pub fn new(site: &'static Site, start: S, guards: P) -> Self {
        let (failing, guards) = (ManuallyDrop::new(None), ManuallyDrop::new(guards));
        Self { site, start, failing, has_ended: false, guards, clock: PhantomData }
    }

    /// The second half.
    #[inline(always)]
    pub fn open(&mut self, entry: Entry) {
        if may_be_watched(entry, &*self.guards) {
            self.watch(entry);
        }
    }

    /// Somebody may watch the call, or limit it.
    #[cold]
    #[inline(never)]
    fn watch(&mut self, entry: Entry) {
        let start = self.start.instant();
        let failing = Failing::at_entry(self.site, C::CLOCK, start, entry, &mut *self.guards);
        self.failing = ManuallyDrop::new(failing);
    }

    /// Whether the call is the plain body.
    #[inline(always)]
    pub fn is_closed(&self) -> bool {
        self.failing.as_ref().is_some_and(|failing| failing.closed().is_some())
    }

    /// Whether the call was cancelled, as far as is known.
    #[inline]
    pub fn cancelled(&mut self, cancelled: bool) {
        if cancelled {
            self.guards.cancel();
            // Whoever finds no box need not ask.
            self.boxed();
        }
    }

    /// Whether it was.
    pub fn is_cancelled(&self) -> bool {
        self.guards.is_cancelled()
    }

    /// The pause has ended, or was cut since the call is cancelled.
    pub fn woken(&mut self, cancelled: bool) {
        if cancelled {
            self.guards.cancel();
        } else {
            self.wake();
        }
    }

    /// The call is ended by what keeps it from its first attempt, or has cut it there.
    pub fn refuse_bare(&mut self, by: Interrupted) -> StopReason {
        self.refused(by.reason(), Some(&by))
    }

    /// Starts an attempt, the first or another, unless something keeps it from that.
    #[inline(always)]
    pub fn admit(&mut self) -> Option<Interrupted> {
        if self.failing.is_none() && self.guards.admits() {
            return None;
        }
        self.admit_after_all()
    }

    #[cold]
    #[inline(never)]
    fn admit_after_all(&mut self) -> Option<Interrupted> {
        let admitted = match self.failing.as_deref_mut() {
            Some(failing) => failing.admit(&mut *self.guards),
            None => {
                let interrupted = |by| Interrupted::new(self.site, by, None);
                self.guards.admit(false, &C::CLOCK).map_err(interrupted)
            }
        };
        match admitted {
            Ok(None) => None,
            Ok(Some(change)) => {
                self.changed(change);
                None
            }
            Err(interrupted) => Some(interrupted),
        }
    }

    /// Makes an attempt, unless it takes longer than it or the call may.
    #[inline]
    pub fn cutting<'a, F: Future, Z, T>(
        &'a mut self,
        future: Pin<&'a mut F>,
        sleep: Z,
    ) -> Cutting<Attempting<'a, C, S, P, REPORTED, F>, Z, T>
    where
        Z: FnMut(Duration) -> T,
        T: Future,
    {
        Cutting::new(self.attempt(future), sleep)
    }

    /// How the attempt that is over has ended.
    #[inline(always)]
    fn attempted(&mut self, answer: Answer) {
        let change = match self.failing.as_deref() {
            // A box that the body has had made does not know the clock yet.
            Some(failing) => self.guards.attempted(answer, &|| failing.time().at((C::CLOCK)())),
            None => self.guards.attempted(answer, &C::CLOCK),
        };
        if let Some(change) = change {
            self.changed(change);
        }
    }

    /// The call has changed the state of its breaker.
    #[cold]
    #[inline(never)]
    fn changed(&mut self, change: Change) {
        let id = if is_heard(true) { self.watched().id() } else { None };
        tell(self.site, &Event::Changed(change, id));
    }

    /// Makes an attempt, with its context in place.
    #[inline(always)]
    pub fn run<R>(&mut self, body: impl FnOnce() -> R) -> R {
        let inside = self.enter();
        let outcome = body();
        self.leave(inside);
        outcome
    }

    /// Makes an attempt, with its context in place whenever it is polled.
    #[inline(always)]
    pub fn attempt<'a, F: Future>(
        &'a mut self,
        future: Pin<&'a mut F>,
    ) -> Attempting<'a, C, S, P, REPORTED, F> {
        Attempting { handle: self, future }
    }

    /// An attempt begins: puts its context in place.
    #[inline(always)]
    pub fn enter(&mut self) -> Inside {
        if let Some(failing) = self.failing.take() {
            let (outer, failing) = context::enter_with(self.site, failing);
            self.failing = ManuallyDrop::new(failing);
            return Inside { outer, started: None };
        }
        let (site, clock) = (self.site, C::CLOCK);
        let started = self.start.instant().map(|at| Started { site, at, clock });
        let (outer, started) = context::enter(site, started);
        Inside { outer, started }
    }

    /// It has come to its end.
    #[inline(always)]
    pub fn leave(&mut self, inside: Inside) {
        let Inside { outer, started } = inside;
        core::mem::forget(inside);
        if context::leave(outer, started) {
            self.failing = ManuallyDrop::new(context::take(outer));
        }
    }

    /// Ends the call if the attempt was the first, and a success, and there is no more to tell.
    #[inline(always)]
    pub fn succeeds(&mut self, error: &impl Failure) -> bool {
        if !error.is_value() || self.failing.is_some() {
            return false;
        }
        if let Some(change) = self.guards.succeeded(&C::CLOCK) {
            // Nobody has asked for its id, and nobody will.
            let id = is_heard(true).then(CallId::random);
            tell(self.site, &Event::Changed(change, id));
        }
        first_success(self.site);
        self.has_ended = true;
        true
    }

    /// What the outcome means: what the body has said about it, or else `on`.
    #[inline(always)]
    pub fn judge(&mut self, error: &impl Failure, on: impl FnOnce() -> Verdict) -> Verdict {
        self.said(error).unwrap_or_else(on)
    }

    /// The same where conditions count what they have `granted` in this outage.
    pub fn judge_counting<const N: usize>(
        &mut self,
        error: &impl Failure,
        granted: &mut [u32; N],
        on: impl FnOnce(&mut [u32; N]) -> Verdict,
    ) -> Verdict {
        let said = self.said(error);
        if self.failing.as_ref().is_some_and(|failing| failing.is_healthy()) {
            *granted = [0; N];
        }
        said.unwrap_or_else(|| on(granted))
    }

    /// The same where only a success may end the call: of a failure the body cannot say that it is
    /// final, but everything else.
    pub fn judge_endless(&mut self, error: &impl Failure, on: impl FnOnce() -> Verdict) -> Verdict {
        let ends = |verdict: &Verdict| !error.is_value() && verdict.is_final();
        self.said(error).filter(|verdict| !ends(verdict)).unwrap_or_else(on)
    }

    #[inline(always)]
    pub(crate) fn said(&mut self, error: &impl Failure) -> Option<Verdict> {
        match self.failing.as_deref_mut() {
            None => None,
            Some(failing) => failing.said(error.is_failure()),
        }
    }

    /// An attempt has ended with a final outcome, which is or is not a failure.
    #[inline(always)]
    pub fn settle(&mut self, error: &impl Failure) -> StopReason {
        self.attempted(Answer::Answered);
        if error.is_failure() {
            self.end(StopReason::Permanent, error.text())
        } else {
            self.end(StopReason::Success, None)
        }
    }

    /// The same, as what comes after a failure.
    #[inline(always)]
    pub fn settles(&mut self, error: &impl Failure) -> Result<Duration, StopReason> {
        Err(self.settle(error))
    }

    /// The call is ended from outside of the policy.
    #[inline(always)]
    pub fn refuse(&mut self, reason: StopReason, error: &impl Failure) -> StopReason {
        self.refused(reason, error.text())
    }

    #[cold]
    fn refused(&mut self, reason: StopReason, error: ErrorText<'_>) -> StopReason {
        if self.failing.is_none() {
            // Only a first attempt is refused without a box.
            tell(self.site, &Event::Ended(Ended::refused(reason, error)));
            self.has_ended = true;
            self.guards.ended(reason);
            exhausted(self.site, reason, 0);
            return reason;
        }
        // One that was cut; of any other the guards know, or were not asked to let it start.
        self.attempted(Answer::Failed);
        let attempts = self.failing.as_deref().map_or(1, Failing::attempts);
        let reason = self.end(reason, error);
        exhausted(self.site, reason, attempts);
        reason
    }

    /// An attempt has failed: how long to pause before the next, or why the call has ended.
    #[inline(always)]
    pub fn failed<Until: Stop>(
        &mut self,
        verdict: Verdict,
        rules: &Rules,
        stop: &Until,
        wait: &impl Wait,
        error: &impl Failure,
    ) -> Result<Duration, StopReason> {
        self.attempted(Answer::Failed);
        let forever = !<Until::Ends as Boundedness>::ENDS;
        let (failing, guards) = self.boxed();
        let (stop, error) = (&Erased(stop), error.text());
        let next = failing.failed(verdict, Asked { rules, forever, stop, wait, error, guards });
        self.goes_on(next)
    }

    /// No attempt can be made after the one that has just ended, whatever `stop` says.
    #[cold]
    pub(crate) fn was_last(&mut self) {
        self.boxed().0.was_last();
    }

    /// The first half of [`failed`](Self::failed), where something of the user's comes between.
    #[inline(always)]
    pub fn fail(&mut self, verdict: Verdict) {
        self.attempted(Answer::Failed);
        self.watched().fail(verdict);
    }

    /// The box for something of the user's that asks before `stop` was asked.
    fn watched(&mut self) -> &mut Failing {
        let (is_new, start) = (self.failing.is_none(), self.start.instant());
        let failing = self.boxed().0;
        if is_new {
            failing.allow(start);
        }
        failing
    }

    /// The box, made now if need be.
    #[inline(always)]
    fn boxed(&mut self) -> (&mut Failing, Option<&mut dyn Guards>) {
        let (site, start) = (self.site, self.start.instant());
        let failing = self.failing.get_or_insert_with(|| Failing::new(site, C::CLOCK, start));
        failing.wants(C::CLOCK, REPORTED);
        (failing, self.guards.any())
    }

    /// The attempt has ended and may be a failure, for `reset`. It is judged, or not yet. `None`
    /// where the call is the plain body.
    pub fn ended(&mut self, judged: Option<Verdict>) -> Option<Attempt> {
        self.watched().ended(judged)
    }

    /// `reset`: whether the attempt was healthy.
    pub fn reset_if(&mut self, healthy: bool) {
        if let (true, Some(failing)) = (healthy, self.failing.as_deref_mut()) {
            failing.reset();
        }
    }

    /// The second half of [`failed`](Self::failed).
    #[inline(always)]
    pub fn next<Until: Stop>(
        &mut self,
        rules: &Rules,
        stop: &Until,
        wait: &impl Wait,
        error: &impl Failure,
    ) -> Result<Duration, StopReason> {
        let forever = !<Until::Ends as Boundedness>::ENDS;
        let (failing, guards) = self.boxed();
        let (stop, error) = (&Erased(stop), error.text());
        let next = failing.next(Asked { rules, forever, stop, wait, error, guards });
        self.goes_on(next)
    }

    #[inline(always)]
    fn goes_on(&mut self, next: Result<Duration, StopReason>) -> Result<Duration, StopReason> {
        if let Err(reason) = next {
            self.has_ended = true;
            self.guards.ended(reason);
            exhausted(self.site, reason, self.failing.as_deref().map_or(1, Failing::attempts));
            if !REPORTED {
                forget(self.failing.take());
            }
        }
        next
    }

    #[inline(always)]
    fn end(&mut self, reason: StopReason, error: ErrorText<'_>) -> StopReason {
        if REPORTED && error.is_some() {
            // Its text is kept for the report.
            self.boxed();
        }
        let (failing, reason) = end(self.site, self.failing.take(), reason, error, REPORTED);
        self.failing = ManuallyDrop::new(failing);
        self.has_ended = true;
        self.guards.ended(reason);
        reason
    }

    /// What the call did, which has ended for this reason.
    #[cold]
    pub fn report(&self, reason: StopReason) -> Report {
        if let Some(failing) = self.failing.as_deref() {
            return failing.report(reason);
        }
        // Nothing but the success of a first attempt ends a call without a box, or its refusal.
        if matches!(reason, StopReason::Cancelled | StopReason::BreakerOpen) {
            return Report::refused(self.site, reason);
        }
        let elapsed = self.start.instant().map(|at| (C::CLOCK)().saturating_duration_since(at));
        Report::first(self.site, reason, elapsed)
    }

    /// The thread pauses, and the next attempt starts.
    #[inline(always)]
    pub fn rest(&mut self, delay: Duration) {
        rest(self.site, self.failing.as_deref_mut(), delay);
        self.guards.retried();
    }

    /// The pause begins: how long it is in real time.
    #[inline(always)]
    pub fn pause(&mut self, delay: Duration) -> Duration {
        pause(self.failing.as_deref_mut(), delay)
    }

    /// The same of a pause that blocks the thread.
    #[inline(always)]
    pub fn block(&mut self, delay: Duration) -> Duration {
        block(self.site, self.failing.as_deref_mut(), delay)
    }

    /// The pause is over, and something of the user's comes before the next attempt.
    pub fn wake(&mut self) {
        if let Some(failing) = self.failing.as_deref_mut() {
            failing.wake();
        }
    }

    /// Why no attempt may start after `delay`, where something of the user's has taken the time for
    /// it since `stop` was asked.
    pub fn too_late(&self, delay: Duration) -> Option<StopReason> {
        self.failing.as_deref()?.is_late(delay).then_some(StopReason::Time)
    }

    /// The pause is over, and the next attempt starts.
    #[inline(always)]
    pub fn resume(&mut self) {
        resume(self.failing.as_deref_mut());
        self.guards.retried();
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

impl<C: Source, S: Start, P: Guards, const REPORTED: bool> Drop for Handle<C, S, P, REPORTED> {
    #[inline(always)]
    fn drop(&mut self) {
        if !self.has_ended {
            abandoned(self.site, self.failing.take());
            self.guards.release();
        } else if REPORTED {
            forget(self.failing.take());
        }
    }
}

#[cfg(test)]
mod tests;
