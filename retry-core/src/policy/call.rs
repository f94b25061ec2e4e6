//! Calls by a policy value: a closure instead of an annotated function.

use core::fmt;
use core::future::{Future, IntoFuture};
use core::pin::pin;
use core::time::Duration;
use std::time::Instant;

use crate::engine::call::Rules;
use crate::engine::clock::{self, Runtime, Source, System};
use crate::engine::handle::Run;
use crate::engine::timer;
use crate::expansion::judge::On;
use crate::policy::policy::{AsPolicy, Policy};
use crate::stats::events::WarnAfter;
use crate::strategy::stop::Stop;
use crate::strategy::wait::Wait;
use crate::verdict::verdict::Outcome;

impl<S: Stop, W: Wait, O> Policy<S, W, O> {
    /// Calls `attempt` until its outcome is final or the policy gives up, and returns the last
    /// outcome. The thread sleeps in between.
    ///
    /// ```
    /// use retry::policy;
    ///
    /// let policy = policy! { stop = attempts(5), wait = fixed(1ms), on = any_error() };
    /// let mut calls = 0;
    /// let outcome = policy.call(|| {
    ///     calls += 1;
    ///     if calls < 3 { Err("busy") } else { Ok(calls) }
    /// });
    /// assert_eq!(outcome, Ok(3));
    /// ```
    ///
    /// In events the error is described by its `Debug`. Where a function can be annotated, the
    /// attribute tells more and costs less.
    pub fn call<R>(&self, mut attempt: impl FnMut() -> R) -> R
    where
        R: Outcome<Error: fmt::Debug>,
        O: On<R>,
    {
        let start = clock::system();
        let mut run = Run::<System, _>::begin(self.site(), start);
        loop {
            let pause = {
                let entered = run.enter(start);
                let outcome = attempt();
                entered.leave();
                match self.judge(run, &outcome) {
                    Some((going_on, pause)) => {
                        run = going_on;
                        pause
                    }
                    None => return outcome,
                }
            };
            let pause = run.pause(pause);
            timer::blocking(pause);
            run.wake();
            run.resume();
        }
    }

    /// Like [`call`](Self::call), for a closure that gives a future: `async || …`, or
    /// `|| async { … }`. Waits on tokio's timer.
    ///
    /// ```
    /// # async fn get(id: u64) -> Result<u64, String> { Ok(id) }
    /// # async fn example() {
    /// use retry::policy;
    ///
    /// let policy = policy! { stop = attempts(5), wait = fixed(100ms), on = any_error() };
    /// let id = 7;
    /// assert_eq!(policy.call_async(async || get(id).await).await, Ok(7));
    /// # }
    /// ```
    ///
    /// The future can be spawned if those of the closure can. For that, they may borrow what the
    /// closure borrows but not what it owns or changes: move clones into them
    /// (`|| { let x = x.clone(); async move { … } }`), or use `block!`, which knows no such limit.
    ///
    /// # Panics
    ///
    /// Outside a tokio runtime with a timer, when it has to wait.
    #[cfg(feature = "tokio")]
    pub async fn call_async<R, F>(&self, attempt: impl FnMut() -> F) -> R
    where
        F: Future<Output = R>,
        R: Outcome<Error: fmt::Debug>,
        O: On<R>,
    {
        self.run(timer::pausing, attempt).await
    }

    /// Like [`call_async`](#method.call_async), on any runtime: `sleep` says how to wait. It is
    /// not called for a wait of zero.
    ///
    /// ```
    /// # mod async_io {
    /// #     pub struct Timer;
    /// #     impl Timer { pub async fn after(_: std::time::Duration) {} }
    /// # }
    /// # async fn get(id: u64) -> Result<u64, String> { Ok(id) }
    /// # async fn example() {
    /// use async_io::Timer;
    ///
    /// let policy = retry::policy! { stop = attempts(5), wait = fixed(100ms), on = any_error() };
    /// let id = 7;
    /// assert_eq!(policy.call_async_with(Timer::after, async || get(id).await).await, Ok(7));
    /// # }
    /// ```
    pub async fn call_async_with<R, F, Z>(
        &self,
        sleep: impl Fn(Duration) -> Z,
        attempt: impl FnMut() -> F,
    ) -> R
    where
        F: Future<Output = R>,
        Z: IntoFuture,
        R: Outcome<Error: fmt::Debug>,
        O: On<R>,
    {
        self.run(|pause| timer::pausing_by(pause, &sleep), attempt).await
    }

    async fn run<R, F, P>(
        &self,
        pausing: impl Fn(Duration) -> P,
        mut attempt: impl FnMut() -> F,
    ) -> R
    where
        F: Future<Output = R>,
        P: Future,
        R: Outcome<Error: fmt::Debug>,
        O: On<R>,
    {
        let mut run = Run::<Runtime, _>::begin(self.site(), clock::runtime());
        loop {
            // The outcome is gone before the pause, so that it need not be `Send`.
            let pause = {
                let future = pin!(attempt());
                let outcome = run.attempt(future).await;
                match self.judge(run, &outcome) {
                    Some((going_on, pause)) => {
                        run = going_on;
                        pause
                    }
                    None => return outcome,
                }
            };
            let pause = run.pause(pause);
            pausing(pause).await;
            run.wake();
            run.resume();
        }
    }

    /// The call and how long to pause before its next attempt, or `None` to return the outcome.
    fn judge<R, C: Source>(
        &self,
        mut run: Run<C, Instant>,
        outcome: &R,
    ) -> Option<(Run<C, Instant>, Duration)>
    where
        R: Outcome<Error: fmt::Debug>,
        O: On<R>,
    {
        let error = outcome.as_result().err();
        let failed = error.is_some();
        let verdict = run.said(failed).unwrap_or_else(|| self.on().verdict(outcome));
        let text = error.map(ByDebug);
        let text = text.as_ref().map(|text| text as &dyn fmt::Display);
        if verdict.is_final() {
            run.settle(failed, text);
            return None;
        }
        run.fail(verdict, false);
        let rules = Rules { idempotent: self.is_idempotent(), max_hint: self.max_hint() };
        match run.next(rules, self.stop(), self.wait(), WarnAfter::Always, text) {
            Some(pause) => Some((run, pause)),
            None => {
                run.give_up(text);
                None
            }
        }
    }
}

/// An error in words.
struct ByDebug<'a, E>(&'a E);

impl<E: fmt::Debug> fmt::Display for ByDebug<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
