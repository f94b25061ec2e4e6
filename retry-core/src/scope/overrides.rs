//! `retry_with`: overrides for every call under a scope, for tests.

use core::fmt;
use std::sync::Arc;

use crate::engine::clock::VirtualClock;
use crate::scope::future::RunsInScope;
use crate::scope::inside::EndsInside;
use crate::scope::layer::{Chances, Layer, Settings};
use crate::scope::only::Only;
use crate::scope::scope::{Scope, Scoped, enter};
use crate::strategy::erased::Erased;
use crate::strategy::stop::{Bounded, Boundedness, Stop};
use crate::strategy::wait::Wait;

/// Overrides for every retried call under a scope, whatever its attribute says: for tests.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// use retry::{retry, retry_with, stop};
///
/// #[retry(stop = attempts(5), wait = exponential(1s), on = any_error())]
/// async fn fetch(calls: &mut u32) -> Result<(), ()> {
///     *calls += 1;
///     Err(())
/// }
///
/// // 1 + 2 + 4 + 8 s, in no time.
/// let mut calls = 0;
/// let (result, reports) =
///     retry::record(retry_with().virtual_time().scope(fetch(&mut calls))).await;
/// assert!(result.is_err());
/// assert_eq!(reports[0].waited().as_secs(), 15);
///
/// let mut calls = 0;
/// retry_with().stop(stop::attempts(2)).virtual_time().scope(fetch(&mut calls)).await.unwrap_err();
/// assert_eq!(calls, 2);
/// # }
/// ```
///
/// They hold for everything that runs under the scope, trait methods, blocks, calls of a policy and
/// functions deep inside included, and for nothing else: not for other tests, other threads, or tasks that are spawned
/// (unless their future [inherits](crate::Inherit) the scope). A future keeps them across
/// `.await`s and threads.
///
/// Scopes nest: what an inner one sets wins over an outer one, key by key. What is set here wins
/// over the attribute, which wins over its `policy`. A call looks for its overrides when it
/// starts, and keeps them.
#[derive(Clone, Default)]
#[must_use = "overrides do nothing until a `scope` is run under them"]
pub struct Overrides(Settings);

/// What the `Ends` of an overriding stop strategy must be. A bound `Ends = Bounded` would be told
/// as a mismatch of types.
#[diagnostic::on_unimplemented(
    message = "under this override calls may never end",
    label = "nothing in this `stop` is sure to end them",
    note = "join it with a bound: `… | stop::attempts(5)`"
)]
pub trait EndsCalls: Boundedness {}

impl EndsCalls for Bounded {}

/// Starts a set of [`Overrides`] that overrides nothing yet.
pub fn retry_with() -> Overrides {
    Overrides::default()
}

impl Overrides {
    /// When to give up. It must be bounded: a test should not run forever either.
    ///
    /// A `block!` that gives the value itself, since nothing but a success can end it, is not
    /// stopped by it.
    pub fn stop(mut self, stop: impl Stop<Ends: EndsCalls> + Send + Sync + 'static) -> Self {
        self.0.stop = Some(Arc::new(Erased(stop)));
        self
    }

    /// Makes at most so many attempts in each call, the first included, and leaves what would stop it
    /// earlier as it is: for tests that are to be quick, where [`stop`](Self::stop) would also raise
    /// a lower number. Zero counts as 1. Attempts before a reset count too. As of `stop`, a `block!`
    /// that gives the value itself knows nothing of it.
    ///
    /// ```
    /// use retry::{retry, retry_with};
    ///
    /// #[retry(stop = attempts(20), wait = fixed(1s), on = any_error())]
    /// fn patient(calls: &mut u32) -> Result<(), ()> {
    ///     *calls += 1;
    ///     Err(())
    /// }
    ///
    /// #[retry(stop = attempts(2), wait = fixed(1s), on = any_error())]
    /// fn eager(calls: &mut u32) -> Result<(), ()> {
    ///     *calls += 1;
    ///     Err(())
    /// }
    ///
    /// let (mut many, mut few) = (0, 0);
    /// retry_with().at_most_attempts(3).virtual_time().sync_scope(|| {
    ///     let _ = (patient(&mut many), eager(&mut few));
    /// });
    /// assert_eq!((many, few), (3, 2));
    /// ```
    pub fn at_most_attempts(mut self, attempts: u32) -> Self {
        self.0.most_attempts = Some(attempts.max(1));
        self
    }

    /// How long to wait. A longer wait that the other side asks for is kept all the same.
    pub fn wait(mut self, wait: impl Wait + Send + Sync + 'static) -> Self {
        self.0.wait = Some(Arc::new(wait));
        self
    }

    /// With `false`, every call is the plain body: one attempt, no hooks, its outcome returned as
    /// it is. With `true`, calls retry even where their attribute says `enabled = false`, and
    /// even after [`set_enabled(false)`](crate::set_enabled).
    pub fn enabled(mut self, enabled: bool) -> Self {
        self.0.enabled = Some(enabled);
        self
    }

    /// With `false`, no call asks its `budget` or `breaker`, or tells them anything: they are statics,
    /// and would tie tests together that run at the same time.
    ///
    /// ```
    /// use retry::{Breaker, retry, retry_with};
    ///
    /// static BREAKER: Breaker = Breaker::consecutive(1);
    ///
    /// #[retry(stop = attempts(3), wait = none(), on = any_error(), breaker = &BREAKER)]
    /// fn fetch(calls: &mut u32) -> Result<(), std::io::Error> {
    ///     *calls += 1;
    ///     Err(std::io::ErrorKind::ConnectionRefused.into())
    /// }
    ///
    /// let mut calls = 0;
    /// retry_with().guards(false).sync_scope(|| fetch(&mut calls)).unwrap_err();
    /// assert_eq!(calls, 3);
    /// fetch(&mut calls).unwrap_err();
    /// assert_eq!(calls, 4); // it opens after the first failure
    /// ```
    pub fn guards(mut self, guards: bool) -> Self {
        self.0.guards = Some(guards);
        self
    }

    /// No call sleeps; the time it would have slept passes at once, for every clock under the
    /// scope.
    ///
    /// The clock is the real one (tokio's, paused by its feature `test-util` or not, in async calls) plus the pauses skipped
    /// so far, so that limits in time end a call as they would have. It needs no runtime. Pauses
    /// of calls that run at the same time add up: give each a scope of its own where that matters.
    /// A `sleep` of the attribute is not called. What the body itself waits for stays real, and so
    /// does a timer around the call, such as `tokio::time::timeout`: it does not see that time has
    /// passed.
    pub fn virtual_time(mut self) -> Self {
        self.0.clock = Some(VirtualClock::default());
        self
    }

    /// Makes the jitter reproducible: the first call under the scope draws from `seed`, the next
    /// from another one that follows from it, and so on; calls under different seeds have nothing in
    /// common. Calls that run at the same time take theirs in the order in which they start.
    ///
    /// It replaces [`draw`](Self::draw).
    pub fn seed(mut self, seed: u64) -> Self {
        self.0.chances = Some(Chances::Seed(seed, Arc::default()));
        self
    }

    /// Makes every random number `fraction`: with 0 jitter draws its lowest, with 1 its highest, so
    /// that delays can be told exactly. A fraction below 0, or not a number, counts as 0, and one
    /// above 1 as 1.
    ///
    /// It replaces [`seed`](Self::seed). [`State::draw`](crate::State::draw) does the same for a
    /// strategy alone.
    ///
    /// ```
    /// use retry::{record_sync, retry, retry_with};
    /// use std::time::Duration;
    ///
    /// #[retry(stop = attempts(4), wait = exponential(1s).full_jitter(), on = any_error())]
    /// fn fetch() -> Result<(), ()> {
    ///     Err(())
    /// }
    ///
    /// let waited = |fraction| {
    ///     let overrides = retry_with().virtual_time().draw(fraction);
    ///     let (_, reports) = record_sync(|| overrides.sync_scope(fetch));
    ///     reports[0].waited()
    /// };
    /// let secs = Duration::from_secs_f64;
    /// assert_eq!([0.0, 0.5, 1.0].map(waited), [0.0, 3.5, 7.0].map(secs));
    /// ```
    pub fn draw(mut self, fraction: f64) -> Self {
        self.0.chances = Some(Chances::Always(fraction));
        self
    }

    /// Runs `hook` as the attempt of this number starts, in every call under the scope: for a test in
    /// which the other side comes back, goes away or changes while a call is being retried. The first
    /// attempt is number 1. Said more than once, all of them run, in this order, those of an outer scope
    /// first. A call whose retrying is switched off runs none, and a [`Schedule`](crate::Schedule), which
    /// starts no attempts itself, neither.
    ///
    /// ```
    /// use retry::{retry, retry_with};
    /// use std::sync::Arc;
    /// use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
    ///
    /// #[retry(stop = attempts(5), wait = exponential(1s), on = any_error())]
    /// fn fetch(up: &AtomicBool) -> Result<u32, ()> {
    ///     let number = retry::current().map_or(0, |attempt| attempt.number());
    ///     if up.load(Relaxed) { Ok(number) } else { Err(()) }
    /// }
    ///
    /// let up = Arc::new(AtomicBool::new(false));
    /// let comes_up = { let up = Arc::clone(&up); move || up.store(true, Relaxed) };
    /// let outcome = retry_with().virtual_time().at(3, comes_up).sync_scope(|| fetch(&up));
    /// assert_eq!(outcome, Ok(3));
    /// ```
    pub fn at(mut self, attempt: u32, hook: impl Fn() + Send + Sync + 'static) -> Self {
        self.0.at.push((attempt, Arc::new(hook)));
        self
    }

    /// Overrides only the calls of the function with this name: its full path, or its end after
    /// `::`, or what its `name` says. Calls of other functions look further out. A second `only`
    /// replaces the first; nest scopes for several functions. A name that no function answers to
    /// is no error: nothing is overridden then. In a build with debug assertions, as tests are, a
    /// scope that ends before anything in the process has answered to its name says so on the
    /// standard error, once for each name.
    ///
    /// A method of a trait, whose path is `<app::Disk as app::Store>::load`, answers to `load`,
    /// `Disk::load` and `Store::load`.
    ///
    /// ```
    /// use retry::{retry, retry_with};
    ///
    /// #[retry(stop = attempts(3), wait = none(), on = any_error())]
    /// fn fetch(calls: &mut u32) -> Result<(), ()> {
    ///     *calls += 1;
    ///     Err(())
    /// }
    ///
    /// let mut calls = 0;
    /// retry_with().only("fetch").enabled(false).sync_scope(|| fetch(&mut calls)).unwrap_err();
    /// retry_with().only("other").enabled(false).sync_scope(|| fetch(&mut calls)).unwrap_err();
    /// assert_eq!(calls, 1 + 3);
    /// ```
    pub fn only(mut self, name: impl Into<String>) -> Self {
        self.0.only = Some(Only::new(name.into()));
        self
    }

    /// Runs a future under these overrides, inside of the scope in which it is first polled.
    pub fn scope<F: RunsInScope<Kind>, Kind>(self, future: F) -> Scoped<F::Future> {
        Scoped::new(future.future(), Layer::Overrides(self.0))
    }

    /// Runs a closure under these overrides.
    ///
    /// A closure that gives a future (it calls an async function) does not compile: the future would
    /// run later, when it is awaited, and under no overrides. That is what the second parameter is
    /// for, which is always inferred. One that [inherits](crate::Inherit) is let out in an array:
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// # #[retry::retry(stop = attempts(3), wait = fixed(1h), on = any_error())]
    /// # async fn fetch() -> Result<(), ()> { Err(()) }
    /// use retry::{Inherit, retry_with};
    ///
    /// let [fetch] = retry_with().virtual_time().sync_scope(|| [fetch().inherit()]);
    /// assert!(fetch.await.is_err());
    /// # }
    /// ```
    pub fn sync_scope<T, AFutureNeedsScope>(self, f: impl FnOnce() -> T) -> T
    where
        T: EndsInside<AFutureNeedsScope>, // a future runs later, outside: write `.scope(fetch()).await`
    {
        let _entered = enter(Some(Scope::inside(Layer::Overrides(self.0))));
        f()
    }
}

impl fmt::Debug for Overrides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
