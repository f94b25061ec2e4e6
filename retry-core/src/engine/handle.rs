//! One retried call as the expansion holds it: reads the clock, asks the state machine, keeps the
//! context of the attempt in place and tells the observers. Everything that does not depend on
//! the function's own types is kept out of the expansion and here, where it is compiled once.
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
use crate::engine::clock::{Clock, Source};
use crate::engine::failing::{Ending, Slow, count};
use crate::report::reason::StopReason;
use crate::report::report::Report;
use crate::scope::scope;
use crate::stats::events::{self, ErrorText, WarnAfter};
use crate::stats::site::{NO_SITE, Site};
use crate::strategy::stop::{Bounded, Boundedness, Stop};
use crate::strategy::wait::Wait;
use crate::verdict::verdict::Verdict;

/// One retried call. Until its first failure it is nothing but its site and the time of its
/// start, and that only where somebody may ask for the time.
#[derive(Debug)]
#[must_use]
pub struct Run<C: Source, S: Start> {
    /// [`NO_SITE`] once the call has ended where it stands.
    site: &'static Site,
    start: S,
    /// What a call needs after its first failure, made then; or at its start, under overrides.
    /// Taken out by whatever ends the call, so that a first success need not look for it again.
    slow: ManuallyDrop<Option<Box<Slow>>>,
    clock: PhantomData<fn() -> C>,
}

/// When a call started, if somebody may ask. A type, so that a call that nobody asks carries
/// nothing.
pub trait Start: Copy {
    /// The start.
    fn instant(self) -> Option<Instant>;
}

/// The start of a call that nobody asks for the time.
#[derive(Clone, Copy, Debug)]
pub struct Untimed;

impl Start for Untimed {
    #[inline]
    fn instant(self) -> Option<Instant> {
        None
    }
}

impl Start for Instant {
    #[inline]
    fn instant(self) -> Option<Instant> {
        Some(self)
    }
}

impl<C: Source, S: Start> Run<C, S> {
    /// A call before its first attempt.
    #[inline]
    pub fn begin(site: &'static Site, start: S) -> Self {
        Self::new(site, start, Ending::Open)
    }

    /// The same under the key `enabled`.
    #[inline]
    pub fn begin_if(enabled: bool, site: &'static Site, start: S) -> Self {
        Self::new(site, start, if enabled { Ending::Open } else { Ending::Disabled })
    }

    /// The same where nothing but a success can end it.
    #[inline]
    pub fn begin_endless(site: &'static Site, start: S) -> Self {
        Self::new(site, start, Ending::Success)
    }

    #[inline]
    fn new(site: &'static Site, start: S, ending: Ending) -> Self {
        let slow = if ending == Ending::Disabled || scope::may_be_active() {
            Slow::watched(site, C::CLOCK, start.instant(), ending)
        } else {
            None
        };
        Self { site, start, slow: ManuallyDrop::new(slow), clock: PhantomData }
    }

    /// Whether nothing has happened yet that a first success would have to tell.
    #[inline]
    pub fn is_plain(&self) -> bool {
        self.slow.is_none()
    }

    /// Whether the call is the plain body.
    #[inline]
    pub fn is_disabled(&self) -> bool {
        self.slow.as_ref().is_some_and(|slow| slow.is_disabled)
    }

    /// Puts the context of the next attempt in place until the guard is dropped. `start` is that
    /// of the call once more: read from the call itself it would have to come from memory.
    #[inline]
    pub fn enter(&mut self, start: S) -> Entered<'_, C, S> {
        let site = self.site;
        let (outer, started) = match self.slow.as_deref_mut() {
            None => {
                let started = start.instant();
                context::enter(site, started.map(|at| Started { site, at, clock: C::CLOCK }))
            }
            Some(slow) => (context::enter_with(site, slow.number(), &mut slow.frame), None),
        };
        let plain = self.is_plain() && outer.is_none();
        Entered { run: self, outer, started, plain }
    }

    /// Runs an attempt with its context in place whenever it is polled.
    #[inline]
    pub fn attempt<'a, F: Future>(&'a mut self, future: Pin<&'a mut F>) -> Attempting<'a, C, S, F> {
        Attempting { run: self, future }
    }

    /// What the body has said about its outcome, in place of `on`.
    #[inline]
    pub fn said(&mut self, failed: bool) -> Option<Verdict> {
        match self.slow.as_deref_mut() {
            None => None,
            Some(slow) => slow.said(failed),
        }
    }

    /// The first attempt has succeeded, and there is nothing to tell.
    ///
    /// It ends the call where it stands: handed over as a value, what has just been written in
    /// parts would be read as a whole.
    #[inline]
    pub fn succeed(&mut self) {
        count(self.site, StopReason::Success, 0);
        self.site = &NO_SITE;
    }

    /// An attempt has ended with a final outcome, which is or is not a failure.
    #[cold]
    pub fn settle(self, failed: bool, error: ErrorText<'_>) {
        match self.into_slow() {
            (site, _, Some(slow)) => slow.end(site, settled(failed), error),
            (site, _, None) => count(site, settled(failed), 0),
        }
    }

    /// The same where somebody reads the report.
    #[cold]
    pub fn settle_reporting(self, failed: bool, error: ErrorText<'_>) -> Report {
        let (site, start, slow) = self.into_slow();
        let slow = slow.unwrap_or_else(|| Slow::new(C::CLOCK, start));
        slow.end_reporting(site, settled(failed), error)
    }

    /// An attempt has failed. `watched` says that somebody reads the report.
    #[cold]
    pub fn fail(&mut self, verdict: Verdict, watched: bool) {
        let start = self.start.instant();
        let slow = self.slow.get_or_insert_with(|| Slow::new(C::CLOCK, start));
        slow.fail(verdict, watched);
    }

    /// `reset = duration`: an attempt that lasted this long has been healthy.
    #[cold]
    pub fn reset_after(&mut self, healthy: Duration) {
        let lasted = self.slow.as_ref().and_then(|slow| slow.call.state().last_attempt());
        self.reset_if(lasted.is_some_and(|lasted| lasted >= healthy));
    }

    /// `reset = closure`: the attempt was healthy.
    #[cold]
    pub fn reset_if(&mut self, healthy: bool) {
        if let (true, Some(slow)) = (healthy, self.slow.as_deref_mut()) {
            slow.reset();
        }
    }

    /// What comes after the failure: how long to pause before the next attempt, or `None` to give
    /// up.
    #[cold]
    pub fn next(
        &mut self,
        rules: Rules,
        stop: &(impl Stop + ?Sized),
        wait: &(impl Wait + ?Sized),
        warn_after: WarnAfter,
        error: ErrorText<'_>,
    ) -> Option<Duration> {
        let slow = self.slow.as_deref_mut()?;
        let delay = slow.next(self.site, rules, stop, wait)?;
        events::retrying(slow.progress(self.site), delay, warn_after, error);
        Some(delay)
    }

    /// Nothing comes after the failure.
    #[cold]
    pub fn give_up(self, error: ErrorText<'_>) {
        if let (site, _, Some(slow)) = self.into_slow() {
            let reason = slow.gives_up();
            slow.end(site, reason, error);
        }
    }

    /// The same where somebody reads the report.
    #[cold]
    pub fn give_up_reporting(self, error: ErrorText<'_>) -> Report {
        let (site, start, slow) = self.into_slow();
        let slow = slow.unwrap_or_else(|| Slow::new(C::CLOCK, start));
        let reason = slow.gives_up();
        slow.end_reporting(site, reason, error)
    }

    /// `gate` has refused another attempt.
    #[cold]
    pub fn refuse(&mut self, reason: StopReason) {
        if let Some(slow) = self.slow.as_deref_mut() {
            slow.gives_up = Some(reason);
        }
    }

    /// The pause begins: how long it is in real time.
    #[cold]
    pub fn pause(&mut self, delay: Duration) -> Duration {
        let Some(slow) = self.slow.as_deref_mut() else { return delay };
        match &slow.overrides.clock {
            Some(clock) => {
                clock.skip(delay);
                Duration::ZERO
            }
            None => delay,
        }
    }

    /// The pause is over.
    #[cold]
    pub fn wake(&mut self) {
        if let Some(slow) = self.slow.as_deref_mut() {
            slow.call.slept();
            let pause = slow.call.state().delay();
            self.site.waited(pause);
            events::waited(self.site, pause);
        }
    }

    /// The next attempt starts.
    #[cold]
    pub fn resume(&mut self) {
        if let Some(slow) = self.slow.as_deref_mut() {
            slow.call.resumed(slow.now());
            slow.is_attempting = true;
            self.site.retried();
            events::retried(self.site, slow.verdict());
        }
    }

    /// The attempt that is about to start, for `before` and `gate`.
    pub fn coming(&self) -> Attempt {
        match self.slow.as_deref() {
            Some(slow) => slow.coming(self.site),
            None => Attempt {
                site: self.site,
                number: 1,
                is_last: false,
                elapsed: self.start.instant().map(|_| Duration::ZERO),
                duration: None,
                remaining: None,
                verdict: None,
                delay: None,
            },
        }
    }

    /// The attempt that has just failed, for `after` and `reset`, or `before_sleep` with the
    /// delay.
    #[cold]
    pub fn failed(&self, delay: Option<Duration>) -> Attempt {
        match self.slow.as_deref() {
            Some(slow) => slow.failed(self.site, delay),
            None => self.coming(),
        }
    }

    #[cold]
    #[inline(never)]
    fn leave(&mut self, outer: Outer, started: Option<Started>) {
        match self.slow.as_deref_mut() {
            None => {
                if context::leave(self.site, outer, started) {
                    self.keep_made();
                }
            }
            Some(slow) => context::leave_with(self.site, outer, &mut slow.frame),
        }
    }

    /// Keeps the frame that the body has had made.
    #[cold]
    fn keep_made(&mut self) {
        let mut slow = Slow::new(C::CLOCK, self.start.instant());
        slow.frame = context::take_made();
        *self.slow = Some(slow);
    }

    /// Takes the call apart without saying that it was cancelled.
    #[inline]
    fn into_slow(mut self) -> (&'static Site, Option<Instant>, Option<Box<Slow>>) {
        let slow = self.slow.take();
        let parts = (self.site, self.start.instant(), slow);
        core::mem::forget(self);
        parts
    }
}

fn settled(failed: bool) -> StopReason {
    if failed { StopReason::Permanent } else { StopReason::Success }
}

impl<C: Source, S: Start> Drop for Run<C, S> {
    #[inline]
    fn drop(&mut self) {
        if *self.site != NO_SITE {
            abandoned(self.site, self.slow.take(), self.start.instant(), C::CLOCK);
        }
    }
}

/// A call was dropped before it had ended.
#[cold]
fn abandoned(site: &'static Site, slow: Option<Box<Slow>>, start: Option<Instant>, clock: Clock) {
    if std::thread::panicking() {
        site.panicked();
        return events::panicked(site);
    }
    slow.unwrap_or_else(|| Slow::new(clock, start)).end(site, StopReason::Cancelled, None);
}

/// Takes the context of an attempt away again.
#[allow(missing_debug_implementations)] // lives in expansions only
#[must_use]
pub struct Entered<'a, C: Source, S: Start> {
    run: &'a mut Run<C, S>,
    outer: Outer,
    /// The start of the call around, if that of this one has taken its place.
    started: Option<Started>,
    /// A first attempt in no other one, of which nothing more is known. In a word of its own, so
    /// that the way out needs not look for what can only be there otherwise.
    plain: bool,
}

impl<C: Source, S: Start> Entered<'_, C, S> {
    /// Ends the attempt. Answers whether a success would be all there is to tell of the call.
    #[inline]
    pub fn leave(mut self) -> bool {
        let plain = if self.plain {
            let framed = context::leave_plain(self.run.site);
            if framed {
                self.run.keep_made();
            }
            !framed
        } else {
            self.put_back();
            self.run.is_plain()
        };
        core::mem::forget(self);
        plain
    }

    /// Nothing of the guard is handed over but its parts: what is passed as a whole would be put
    /// into memory on the fast path too.
    #[inline]
    fn put_back(&mut self) {
        self.run.leave(self.outer, self.started);
    }
}

impl<C: Source, S: Start> Drop for Entered<'_, C, S> {
    #[inline]
    fn drop(&mut self) {
        self.put_back();
    }
}

/// An async attempt, with its context in place whenever it is polled.
#[allow(missing_debug_implementations)] // lives in expansions only
#[must_use = "futures do nothing unless polled"]
pub struct Attempting<'a, C: Source, S: Start, F> {
    run: &'a mut Run<C, S>,
    future: Pin<&'a mut F>,
}

impl<C: Source, S: Start, F: Future> Future for Attempting<'_, C, S, F> {
    type Output = F::Output;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let this = &mut *self;
        let entered = this.run.enter(this.run.start);
        let poll = this.future.as_mut().poll(cx);
        entered.leave();
        poll
    }
}

/// What a stop strategy's `Ends` must be where `forever` is not written.
#[diagnostic::on_unimplemented(
    message = "this retry may never end",
    label = "nothing in this `stop` is sure to end it",
    note = "join it with a bound: `… | attempts(5)` or `… | within(30s)`",
    note = "or write the flag `forever` beside it if it should go on until it succeeds"
)]
pub trait Ends: Boundedness {}

impl Ends for Bounded {}

/// Accepts only a stop strategy that is sure to end.
#[inline]
pub fn must_end<S: Stop<Ends: Ends>>(stop: S) -> S {
    stop
}
