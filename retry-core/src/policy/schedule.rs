//! The engine as a value, for loops that do other things while they wait.

use crate::Instant;
use core::time::Duration;

use crate::attempt::context;
use crate::engine::call::Call;
use crate::engine::clock;
use crate::engine::gates::{self, Answer, Entry, Guards};
use crate::guard::guarded::Guarded;
use crate::policy::limiting::{Limiting, Settings};
use crate::policy::policy::{AsPolicy, Pace, Policy};
use crate::report::reason::StopReason;
use crate::scope::effective::Effective;
use crate::stats::site::Site;
use crate::strategy::erased::Erased;
use crate::strategy::on::On;
use crate::strategy::state::State;
use crate::strategy::stop::Stop;
use crate::strategy::stop::tighter;
use crate::strategy::wait::Wait;
use crate::verdict::outcome::Outcome;
use crate::verdict::verdict::Verdict;

/// What a [`Schedule`] answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "a schedule only answers; waiting and stopping is the loop's part"]
#[non_exhaustive]
pub enum Step {
    /// Wait this long, then make the next attempt.
    Wait(Duration),
    /// Make no other attempt: the last one succeeded, or there is no point in another.
    Stop(StopReason),
}

impl Step {
    /// The delay to wait, or why to stop: the two that a loop must tell apart, whatever a later
    /// version may add to what it is told.
    ///
    /// ```
    /// use retry::{Step, StopReason};
    /// use std::time::Duration;
    ///
    /// assert_eq!(Step::Wait(Duration::ZERO).delay(), Ok(Duration::ZERO));
    /// assert_eq!(Step::Stop(StopReason::Time).delay(), Err(StopReason::Time));
    /// ```
    #[allow(clippy::missing_errors_doc)] // said above
    pub const fn delay(self) -> Result<Duration, StopReason> {
        match self {
            Self::Wait(delay) => Ok(delay),
            Self::Stop(reason) => Err(reason),
        }
    }
}

/// A policy applied step by step, by a loop of your own: tell it how each attempt ended, and it
/// answers how long to wait, or why to stop.
///
/// It never sleeps, spawns nothing, logs nothing and needs no runtime, so it works in a
/// hand-written `poll`, in a `select!` that serves messages while it waits, or in an event loop.
/// It must only be told of every outcome, in order. The attempts are the loop's own: hooks, marks
/// and [`current`](crate::current) are for functions and blocks, and it counts nothing in
/// [`sites`](crate::sites).
///
/// ```
/// use retry::{Schedule, Step, StopReason, policy};
/// use std::time::Duration;
///
/// let policy = policy! { stop = attempts(3), wait = exponential(100ms), on = any_error() };
/// let mut schedule = policy.schedule();
/// let refused: Result<(), &str> = Err("refused");
/// assert_eq!(schedule.failed(&refused), Step::Wait(Duration::from_millis(100)));
/// assert_eq!(schedule.failed(&refused), Step::Wait(Duration::from_millis(200)));
///
/// // The link was up in between, so what went wrong before no longer counts.
/// schedule.reset();
/// assert_eq!(schedule.failed(&refused), Step::Wait(Duration::from_millis(100)));
/// assert_eq!(schedule.failed(&Ok::<_, &str>(())), Step::Stop(StopReason::Success));
/// ```
///
/// The clock of `within` and `elapsed` starts with the first failure, or with
/// [`start`](Self::start): a schedule may be made, or reset, hours before anything goes wrong.
/// An attempt counts as begun when the wait before it was over. Async loops under a paused tokio
/// clock are followed: the time is read as for async calls.
///
/// In a struct, it is a plain `Schedule`: one without a condition, which is told what a failure means.
/// So it does not matter what becomes of the error, nor whether there is one:
///
/// ```
/// use retry::{Schedule, Step, StopReason, Verdict, policy};
/// use std::time::Duration;
///
/// struct Link {
///     schedule: Schedule,
/// }
///
/// let policy = policy! { stop = attempts(3), wait = exponential(100ms) };
/// let mut link = Link { schedule: policy.into_schedule() };
/// assert_eq!(link.schedule.left(), Some(3));
/// let step = link.schedule.failed_with(Verdict::Retry);
/// assert_eq!(step, Step::Wait(Duration::from_millis(100)));
/// let step = link.schedule.failed_with(Verdict::Final);
/// assert_eq!(step, Step::Stop(StopReason::Permanent));
/// assert!(link.schedule.is_used_up());
/// ```
///
/// Where nothing but a success ends it, it is a `Schedule<Pace<stop::Unbounded>>`, and with a
/// condition a `Schedule<BoxedPolicy<io::Error>>`, made by `Schedule::new(policy.boxed())`. A clone goes
/// on from where the other is, with random numbers of its own.
///
/// In `poll` and in tests, tell the time yourself: [`failed_at`](Self::failed_at).
///
/// Of the policy's guards a schedule keeps those that it can:
///
/// - `deadline`: no step waits to it or past it; the answer is `Stop(Time)` instead. It counts like
///   `within`, and anew after a reset. What is running at it is the loop's to cut.
/// - `budget`: a step that says to wait takes the tokens of the retry. They come back if the schedule
///   is dropped or reset instead of being told of another attempt, and when it is told of a success, by
///   [`succeeded`](Self::succeeded) or in [`failed`](Self::failed).
/// - `breaker`: it counts what the schedule is told, and where it is open the answer is
///   `Stop(BreakerOpen)`, or with [`waiting`](crate::Breaker::waiting) a wait to its next probe. Nobody
///   asks the schedule before a first attempt: ask [`Breaker::admit`](crate::Breaker::admit) then.
/// - `nested = once`: inside a retried call there is no step to wait.
/// - `attempt_timeout` says nothing here: the attempts are the loop's own.
///
/// What [`retry_with`](crate::retry_with) overrides and [`set_enabled`](crate::set_enabled) says
/// when it is first told of a failure holds until it is reset. Its waits are the loop's own, so virtual time does not skip them.
#[derive(Clone, Debug)]
pub struct Schedule<P = Pace> {
    policy: P,
    /// When the first attempt started, if somebody has said so.
    start: Option<Instant>,
    failing: Option<Box<Followed>>,
    attempts: u32,
    /// How many of them were made before it was.
    resumed: u32,
    /// Why it has said to stop.
    stopped: Option<StopReason>,
}

/// What a schedule needs after a failure.
#[derive(Debug)]
struct Followed {
    call: Call,
    closed: Option<StopReason>,
    overrides: Effective,
    settings: Settings,
    guards: Guarded<'static>,
}

impl Clone for Followed {
    /// The tokens that a retry has cost stay with the one that makes it.
    fn clone(&self) -> Self {
        let (call, overrides) = (self.call.clone(), self.overrides.clone());
        let (closed, settings) = (self.closed, self.settings);
        let guards = guards(settings, closed.is_some(), &overrides);
        Self { call, closed, overrides, settings, guards }
    }
}

/// The guards of one call, unless a test has said that they are not asked.
fn guards(settings: Settings, is_closed: bool, overrides: &Effective) -> Guarded<'static> {
    let mut guards = settings.guarded();
    if is_closed || overrides.guards == Some(false) {
        guards.lift();
    }
    guards
}

/// An attempt that nobody has asked for has ended at `now`.
fn attempted(guards: &mut Guarded<'_>, is_retry: bool, answer: Answer, now: Instant) {
    guards.retried();
    // Where the breaker is open, it does not count what was tried all the same.
    if guards.admit(is_retry, &|| now).is_ok() {
        guards.attempted(answer, &|| now);
    }
}

impl Followed {
    /// A loop that started at `start`, if that is known, and has failed by `now`.
    fn new(
        site: &'static Site,
        entry: Entry,
        start: Option<Instant>,
        now: Instant,
        resumed: u32,
        settings: Settings,
    ) -> Box<Self> {
        let overrides = Effective::here(site).unwrap_or_default();
        let began = start.unwrap_or(now);
        let mut call = Call::new(Some(began));
        overrides.apply_to(&mut call);
        let own = settings.deadline.and_then(|limit| limit.from(began));
        let around = tighter(overrides.deadline, context::deadline());
        call.set_deadline(tighter(own, around));
        call.resume_after(resumed);
        if start.is_none() {
            // How long the first attempt took is not known.
            call.resumed(None);
        }
        let closed = entry.closed(overrides.enabled);
        let guards = guards(settings, closed.is_some(), &overrides);
        Box::new(Self { call, closed, overrides, settings, guards })
    }
}

impl<S: Stop, W: Wait, O, L: Limiting> Policy<S, W, O, L> {
    /// The engine as a value, for a loop that does other things while it waits.
    /// [`Schedule::new`] makes one that owns its policy.
    pub const fn schedule(&self) -> Schedule<&Self> {
        Schedule::new(self)
    }

    /// A schedule without the policy's condition, whose type can be named; see [`Schedule`].
    pub fn into_schedule(self) -> Schedule<Pace<S::Ends>>
    where
        S: Send + Sync + 'static,
        W: Send + Sync + 'static,
    {
        Schedule::new(self.pace())
    }
}

impl<P: AsPolicy> Schedule<P> {
    /// Follows `policy`: a policy, or whatever points to one.
    pub const fn new(policy: P) -> Self {
        Self { policy, start: None, failing: None, attempts: 0, resumed: 0, stopped: None }
    }

    /// How the attempt that has just ended looks to the policy, and what to do now. It is told the
    /// whole outcome, a `&Result` or an `&Option`, not the error alone.
    ///
    /// A final outcome gives `Stop(Success)`, or `Stop(Permanent)` where it is a failure. Told of
    /// another failure after `Stop`, it answers as if the loop had gone on.
    pub fn failed<O>(&mut self, outcome: &O) -> Step
    where
        O: Outcome,
        P::On: On<O>,
    {
        self.failed_at(clock::runtime(), outcome)
    }

    /// Like [`failed`](Self::failed), for an attempt that ended at `now`. No clock is read.
    pub fn failed_at<O>(&mut self, now: Instant, outcome: &O) -> Step
    where
        O: Outcome,
        P::On: On<O>,
    {
        let verdict = self.policy.on().verdict(outcome);
        let settled = match outcome.as_result() {
            Ok(_) => StopReason::Success,
            Err(_) => StopReason::Permanent,
        };
        self.ended(now, verdict, settled)
    }

    /// Like [`failed`](Self::failed), for a failure that somebody else has judged; the policy's own
    /// condition is not asked. `Verdict::Final` gives `Stop(Permanent)`.
    pub fn failed_with(&mut self, verdict: Verdict) -> Step {
        self.failed_with_at(clock::runtime(), verdict)
    }

    /// Like [`failed_with`](Self::failed_with), for an attempt that ended at `now`. No clock is read.
    pub fn failed_with_at(&mut self, now: Instant, verdict: Verdict) -> Step {
        self.ended(now, verdict, StopReason::Permanent)
    }

    /// The attempt has succeeded: like [`failed`](Self::failed) with a success, for a loop that has
    /// judged it itself. What it answers is `Stop(Success)`.
    ///
    /// This is what brings tokens back to a `budget` and closes a `breaker`, so where the policy has
    /// one a loop has to tell of its successes too, also of a first attempt's.
    ///
    /// ```
    /// use retry::{Budget, Step, StopReason, Verdict, policy};
    ///
    /// static BUDGET: Budget = Budget::new(20);
    ///
    /// let policy = policy! { stop = attempts(5), wait = none(), budget = &BUDGET };
    /// let mut schedule = policy.into_schedule();
    /// assert!(schedule.failed_with(Verdict::Retry).delay().is_ok());
    /// assert_eq!(BUDGET.available(), 6);
    /// schedule.succeeded();
    /// assert_eq!(BUDGET.available(), 20);
    ///
    /// schedule.reset();
    /// assert!(schedule.failed_with(Verdict::Retry).delay().is_ok());
    /// let step = schedule.failed_with(Verdict::Retry);
    /// assert_eq!(step, Step::Stop(StopReason::Budget), "the first retry was made, and is paid for");
    /// ```
    pub fn succeeded(&mut self) {
        self.succeeded_at(clock::runtime());
    }

    /// Like [`succeeded`](Self::succeeded), for an attempt that ended at `now`. No clock is read.
    pub fn succeeded_at(&mut self, now: Instant) {
        let _ = self.ended(now, Verdict::Final, StopReason::Success);
    }

    /// Notes an attempt: `settled` is why to stop if it is a success or permanent.
    fn ended(&mut self, now: Instant, verdict: Verdict, settled: StopReason) -> Step {
        self.attempts = self.attempts.saturating_add(1);
        let step = if verdict.is_final() {
            self.settle(now, settled);
            Step::Stop(settled)
        } else {
            self.ask(now, verdict)
        };
        self.stopped = step.delay().err();
        step
    }

    /// Tells the guards of a final outcome.
    fn settle(&mut self, now: Instant, reason: StopReason) {
        let mut made = None;
        let is_retry = self.failing.is_some();
        let guards = match self.failing.as_deref_mut() {
            Some(followed) => &mut followed.guards,
            None if !P::Limits::ANY => return,
            None => {
                let overrides = Effective::here(self.policy.site()).unwrap_or_default();
                let is_closed = Entry::of::<P::Stop>().closed(overrides.enabled).is_some();
                let settings = self.policy.limits().settings();
                made.insert(guards(settings, is_closed, &overrides))
            }
        };
        attempted(guards, is_retry, Answer::Answered, now);
        guards.ended(reason);
    }

    /// Asks the engine.
    fn ask(&mut self, now: Instant, verdict: Verdict) -> Step {
        let (start, policy, resumed) = (self.start, &self.policy, self.resumed);
        let entry = Entry::of::<P::Stop>();
        let settings = policy.limits().settings();
        let Followed { call, closed, overrides, guards, .. } =
            &mut **self.failing.get_or_insert_with(|| {
                Followed::new(policy.site(), entry, start, now, resumed, settings)
            });
        attempted(guards, call.attempts() > 0, Answer::Failed, now);
        if let Some(reason) = *closed {
            return Step::Stop(reason);
        }
        call.failed(Some(now), verdict);
        if !call.state().counts() {
            self.attempts = self.attempts.saturating_sub(1);
        }
        let rules = policy.rules();
        let (stop, forever) = (Erased(policy.stop()), entry == Entry::Forever);
        let (stop, wait) = (overrides.stop(&stop), overrides.wait(policy.wait()));
        let next = call
            .next(&rules, forever, stop, wait)
            .and_then(|delay| gates::pass(guards, call, delay, stop, &|| now));
        match next {
            Ok(delay) => {
                call.resumed(Some(now.checked_add(delay).unwrap_or(now)));
                Step::Wait(delay)
            }
            Err(reason) => Step::Stop(reason),
        }
    }

    /// Starts anew: count, backoff and clock are as in a new schedule.
    ///
    /// For an attempt that held for a while, such as a connection that was up: the next failure is
    /// the first of a new outage, and the limit of `within` counts from it.
    pub fn reset(&mut self) {
        self.resume(0);
    }

    /// Starts anew as if so many attempts had failed before: for a job that is tried again by another
    /// process, or after a restart, and whose number of attempts is stored in between.
    ///
    /// They count for `attempts(n)`, and the backoff goes on where it would have been; it is taken that
    /// each was waited for. What is not in the number starts anew: the clock of `within` and
    /// `elapsed`, the value before of `decorrelated`, and the verdicts.
    ///
    /// ```
    /// use retry::{Step, StopReason, Verdict, policy};
    /// use std::time::Duration;
    ///
    /// struct Job {
    ///     attempts: u32,
    /// }
    ///
    /// /// When to run the job again, now that it has failed; `None` if it is to be given up.
    /// fn reschedule(job: &mut Job) -> Option<Duration> {
    ///     let policy = policy! { stop = attempts(4), wait = exponential(1m) };
    ///     let mut schedule = policy.into_schedule();
    ///     schedule.resume(job.attempts);
    ///     let step = schedule.failed_with(Verdict::Retry);
    ///     job.attempts = schedule.attempts();
    ///     step.delay().ok()
    /// }
    ///
    /// let mut job = Job { attempts: 0 };
    /// let minutes: Vec<_> = std::iter::from_fn(|| reschedule(&mut job)).collect();
    /// assert_eq!(minutes, [1, 2, 4].map(|n| Duration::from_secs(60 * n)));
    /// assert_eq!(job.attempts, 4);
    /// ```
    pub fn resume(&mut self, attempts: u32) {
        (self.start, self.failing, self.stopped) = (None, None, None);
        (self.attempts, self.resumed) = (attempts, attempts);
    }

    /// The first attempt starts now: like [`reset`](Self::reset), but the clock runs, so that the
    /// time the first attempt takes counts too.
    pub fn start(&mut self) {
        self.start_at(clock::runtime());
    }

    /// Like [`start`](Self::start), for an attempt that starts at `now`. No clock is read.
    pub fn start_at(&mut self, now: Instant) {
        self.reset();
        self.start = Some(now);
    }

    /// How many attempts it has been told of since it was made, started or reset, and those that it was
    /// resumed after. Those that used none up ([`next_of`](Verdict::next_of)) are left out. This is the number
    /// to store.
    pub const fn attempts(&self) -> u32 {
        self.attempts
    }

    /// How many attempts the policy still allows, as far as it counts them: `None` without `attempts(n)`.
    /// A limit in time may end it earlier, and so may a permanent failure.
    pub fn left(&self) -> Option<u32> {
        let first = State::new(1);
        let (state, overrides) = match self.failing.as_deref() {
            Some(followed) => (followed.call.state(), Some(&followed.overrides)),
            None => (&first, None),
        };
        let stop = Erased(self.policy.stop());
        let limits =
            overrides.map_or_else(|| stop.limits(state), |it| it.stop(&stop).limits(state));
        limits.attempts.map(|most| most.saturating_sub(self.attempts))
    }

    /// Why it has last said to stop; `None` while it goes on, and after a reset.
    pub const fn stopped(&self) -> Option<StopReason> {
        self.stopped
    }

    /// Whether there is no point in another attempt: it has said to stop, other than for a success, or
    /// was resumed after as many attempts as the policy allows.
    pub fn is_used_up(&self) -> bool {
        match self.stopped {
            Some(reason) => reason != StopReason::Success,
            None => self.left() == Some(0),
        }
    }

    /// The policy it follows.
    pub const fn policy(&self) -> &P {
        &self.policy
    }
}

#[cfg(test)]
mod tests;
