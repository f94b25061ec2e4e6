//! Calls by a policy value: a closure instead of an annotated function.

use crate::Instant;
use core::fmt;
use core::future::{Future, IntoFuture};
use core::pin::pin;
use core::time::Duration;

use crate::engine::clock::{self, Runtime, Source, System};
use crate::engine::gates::{Entry, Guards};
use crate::engine::handle::Handle;
use crate::engine::rules::Rules;
use crate::engine::timer;
use crate::policy::limiting::{Fits, Limiting};
use crate::policy::policy::{AsPolicy, Policy};
use crate::report::reason::StopReason;
use crate::stats::told::{Found, Told};
use crate::strategy::on::On;
use crate::strategy::stop::Stop;
use crate::strategy::wait::Wait;
use crate::verdict::outcome::Outcome;

/// The same steps as those of [`Calling`](super::calling::Calling), which cannot hold the futures of a
/// closure that lends to them. By a macro, since one function cannot take both kinds of closures: of the
/// futures that an `AsyncFnMut` gives the compiler cannot tell whether they may be sent to another thread.
macro_rules! run {
    ($policy:ident, $attempt:ident, $pausing:ident) => {{
        let mut call: Call<Runtime, L::Guards> =
            Handle::begin($policy.site(), clock::runtime(), Entry::of::<S>(), $policy.limits.guards());
        let mut last = L::last(None);
        let repeat = Repeat { idempotent: $policy.is_idempotent(), may_go_on: true };
        loop {
            // The outcome is gone before the pause, so that it need not be `Send`, unless it may have
            // to be returned after all.
            let pause = {
                let made = match L::admit(&mut call) {
                    Ok(()) => {
                        let future = pin!($attempt());
                        L::attempt(call.attempt(future), &$pausing).await
                    }
                    Err(refused) => Err(refused),
                };
                let (outcome, ended) = L::settle(made, &mut last);
                match next($policy, &mut call, &outcome, ended, repeat) {
                    Some(pause) => {
                        last = L::last(Some(outcome));
                        pause
                    }
                    None => return outcome,
                }
            };
            $pausing(call.pause(pause)).await;
            L::woken(&mut call);
        }
    }};
}

impl<S: Stop, W: Wait, O, L: Limiting> Policy<S, W, O, L> {
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
        L: Fits<R>,
    {
        let mut call: Call<System, L::Guards> =
            Handle::begin(self.site(), clock::system(), Entry::of::<S>(), self.limits.guards());
        let mut last = L::last(None);
        let repeat = Repeat { idempotent: self.is_idempotent(), may_go_on: true };
        loop {
            let pause = {
                let made = L::admit(&mut call).map(|()| call.run(&mut attempt));
                let (outcome, ended) = L::settle(made, &mut last);
                match next(self, &mut call, &outcome, ended, repeat) {
                    Some(pause) => {
                        last = L::last(Some(outcome));
                        pause
                    }
                    None => return outcome,
                }
            };
            timer::blocking(call.block(pause));
            L::woken(&mut call);
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
    /// closure borrows but not what it owns or changes. A closure that changes what it captures is for
    /// [`call_async_mut`](#method.call_async_mut), whose future stays on its thread. Where it must both
    /// change something and be spawned, change it before the future begins
    /// (`|| { n += 1; async move { … } }`), or use `block!` with `policy = …`, which knows no such limit.
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
        L: Fits<R>,
    {
        self.run(timer::pausing, attempt).await
    }

    /// Like [`call_async`](#method.call_async), for an async closure that changes what it captures.
    ///
    /// ```
    /// # async fn get(id: u64) -> Result<u64, String> { if id < 3 { Err("not yet".into()) } else { Ok(id) } }
    /// # async fn example() {
    /// use retry::policy;
    ///
    /// let policy = policy! { stop = attempts(5), wait = fixed(100ms), on = any_error() };
    /// let mut n = 0;
    /// let outcome = policy
    ///     .call_async_mut(async || {
    ///         n += 1;
    ///         get(n).await
    ///     })
    ///     .await;
    /// assert_eq!((outcome, n), (Ok(3), 3));
    /// # }
    /// ```
    ///
    /// Its future is awaited where it is made, or spawned on the thread that it is on
    /// (`tokio::task::spawn_local`): the compiler cannot tell that it could be sent to another. Where it
    /// must be, use `block!` with `policy = …`, which takes the same closure.
    ///
    /// # Panics
    ///
    /// Outside a tokio runtime with a timer, when it has to wait.
    #[cfg(feature = "tokio")]
    pub async fn call_async_mut<R>(&self, attempt: impl AsyncFnMut() -> R) -> R
    where
        R: Outcome<Error: fmt::Debug>,
        O: On<R>,
        L: Fits<R>,
    {
        self.run_mut(timer::pausing, attempt).await
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
        L: Fits<R>,
    {
        self.run(|pause| timer::pausing_by(pause, &sleep), attempt).await
    }

    /// Like [`call_async_mut`](#method.call_async_mut), on any runtime: `sleep` says how to wait. It is not
    /// called for a wait of zero.
    ///
    /// ```
    /// # mod async_io {
    /// #     pub struct Timer;
    /// #     impl Timer { pub async fn after(_: std::time::Duration) {} }
    /// # }
    /// # async fn get(id: u64) -> Result<u64, String> { if id < 3 { Err("not yet".into()) } else { Ok(id) } }
    /// # async fn example() {
    /// use async_io::Timer;
    ///
    /// let policy = retry::policy! { stop = attempts(5), wait = fixed(100ms), on = any_error() };
    /// let mut n = 0;
    /// let attempt = async || {
    ///     n += 1;
    ///     get(n).await
    /// };
    /// assert_eq!(policy.call_async_mut_with(Timer::after, attempt).await, Ok(3));
    /// # }
    /// ```
    pub async fn call_async_mut_with<R, Z>(
        &self,
        sleep: impl Fn(Duration) -> Z,
        attempt: impl AsyncFnMut() -> R,
    ) -> R
    where
        Z: IntoFuture,
        R: Outcome<Error: fmt::Debug>,
        O: On<R>,
        L: Fits<R>,
    {
        self.run_mut(|pause| timer::pausing_by(pause, &sleep), attempt).await
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
        L: Fits<R>,
    {
        run!(self, attempt, pausing)
    }

    async fn run_mut<R, P>(
        &self,
        pausing: impl Fn(Duration) -> P,
        mut attempt: impl AsyncFnMut() -> R,
    ) -> R
    where
        P: Future,
        R: Outcome<Error: fmt::Debug>,
        O: On<R>,
        L: Fits<R>,
    {
        run!(self, attempt, pausing)
    }
}

/// What is known of another attempt beside the policy.
#[derive(Clone, Copy)]
pub(super) struct Repeat {
    /// It is harmless even if an attempt has taken effect.
    pub(super) idempotent: bool,
    /// It can be made.
    pub(super) may_go_on: bool,
}

/// How long to pause before the next attempt, or `None` to return the outcome: at once where the call
/// has `ended` with it.
pub(super) fn next<P, R, C: Source, G: Guards>(
    policy: &P,
    call: &mut Call<C, G>,
    outcome: &R,
    ended: Option<StopReason>,
    repeat: Repeat,
) -> Option<Duration>
where
    P: AsPolicy<On: On<R>>,
    R: Outcome<Error: fmt::Debug>,
{
    let found = outcome.as_result().err().map_or(Found::Value, Found::Error);
    let error = Told::new(found, fmt::Debug::fmt);
    if let Some(reason) = ended {
        call.refuse(reason, &error);
        return None;
    }
    let verdict = call.said(&error).unwrap_or_else(|| policy.on().verdict(outcome));
    if verdict.is_final() {
        call.settle(&error);
        return None;
    }
    if !repeat.may_go_on {
        call.was_last();
    }
    let rules = Rules { idempotent: repeat.idempotent, ..policy.rules() };
    call.failed(verdict, &rules, policy.stop(), policy.wait(), &error).ok()
}

/// A call by a policy.
pub(super) type Call<C, G> = Handle<C, Instant, G, false>;
