//! `retry_with`: overrides for every call under a scope, for tests; and the switch for the whole
//! process.

use core::fmt;
use core::future::Future;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use core::time::Duration;
use std::sync::Arc;
use std::time::Instant;

use crate::scope::record::Sink;
use crate::scope::scope::{self, Layer, Scope, Scoped, activate, enter};
use crate::stats::site::Site;
use crate::strategy::delay::Delay;
use crate::strategy::state::State;
use crate::strategy::stop::{Bounded, Boundedness, Limits, Stop};
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
pub struct Overrides {
    stop: Option<AnyStop>,
    wait: Option<AnyWait>,
    enabled: Option<bool>,
    seed: Option<Seed>,
    clock: Option<VirtualClock>,
    only: Option<String>,
}

type AnyStop = Arc<dyn Stop<Ends = Bounded> + Send + Sync>;
type AnyWait = Arc<dyn Wait + Send + Sync>;

/// What the `Ends` of an overriding stop strategy must be. A bound `Ends = Bounded` would be told
/// as a mismatch of types.
#[diagnostic::on_unimplemented(
    message = "under this override calls may never end",
    label = "nothing in this `stop` is sure to end them",
    note = "join it with a bound: `… | stop::attempts(5)`"
)]
pub trait EndsCalls: Boundedness {}

impl EndsCalls for Bounded {}

/// A strategy that [`EndsCalls`], as one whose type says so.
struct Ending<S>(S);

impl<S: Stop<Ends: EndsCalls>> Stop for Ending<S> {
    type Ends = Bounded;

    fn stop(&self, state: &State) -> bool {
        self.0.stop(state)
    }

    fn limits(&self, state: &State) -> Limits {
        self.0.limits(state)
    }
}

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
        self.stop = Some(Arc::new(Ending(stop)));
        self
    }

    /// How long to wait. A longer wait that the other side asks for is kept all the same.
    pub fn wait(mut self, wait: impl Wait + Send + Sync + 'static) -> Self {
        self.wait = Some(Arc::new(wait));
        self
    }

    /// With `false`, every call is the plain body: one attempt, no hooks, its outcome returned as
    /// it is. With `true`, calls retry even where their attribute says `enabled = false`, and
    /// even after [`set_enabled(false)`](set_enabled).
    pub fn enabled(mut self, enabled: bool) -> Self {
        self.enabled = Some(enabled);
        self
    }

    /// No call sleeps; the time it would have slept passes at once, for every clock under the
    /// scope.
    ///
    /// The clock is the real one (tokio's, paused or not, in async calls) plus the pauses skipped
    /// so far, so that limits in time end a call as they would have. It needs no runtime. Pauses
    /// of calls that run at the same time add up: give each a scope of its own where that matters.
    /// A `sleep` of the attribute is not called. What the body itself waits for stays real, and so
    /// does a timer around the call, such as `tokio::time::timeout`: it does not see that time has
    /// passed.
    pub fn virtual_time(mut self) -> Self {
        self.clock = Some(VirtualClock::default());
        self
    }

    /// Makes the jitter reproducible: the first call under the scope draws from `seed`, the next
    /// from another one that follows from it, and so on. Calls that run at the same time take
    /// theirs in the order in which they start.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(Seed { seed, calls: Arc::default() });
        self
    }

    /// Overrides only the calls of the function with this name: its full path, or its end after
    /// `::`, or what its `name` says. Calls of other functions look further out. A second `only`
    /// replaces the first; nest scopes for several functions. A name that no function answers to
    /// is no error: nothing is overridden then.
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
        self.only = Some(name.into());
        self
    }

    /// Runs a future under these overrides, inside of the scope in which it is first polled.
    pub fn scope<F: Future>(self, future: F) -> Scoped<F> {
        Scoped::new(future, Layer::Overrides(self))
    }

    /// Runs a closure under these overrides.
    pub fn sync_scope<T>(self, f: impl FnOnce() -> T) -> T {
        let _entered = enter(Some(Scope::inside(Layer::Overrides(self))));
        f()
    }

    fn applies_to(&self, site: &Site) -> bool {
        self.only.as_deref().is_none_or(|only| site.is_called(only))
    }
}

impl fmt::Debug for Overrides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Overrides")
            .field("stop", &self.stop.is_some())
            .field("wait", &self.wait.is_some())
            .field("enabled", &self.enabled)
            .field("seed", &self.seed.as_ref().map(|seed| seed.seed))
            .field("virtual_time", &self.clock.is_some())
            .field("only", &self.only)
            .finish()
    }
}

/// What holds for one call.
#[derive(Clone, Default)]
pub(crate) struct Effective {
    stop: Option<AnyStop>,
    wait: Option<AnyWait>,
    pub(crate) enabled: Option<bool>,
    pub(crate) seed: Option<u64>,
    pub(crate) clock: Option<VirtualClock>,
    pub(crate) sinks: Vec<Arc<Sink>>,
}

impl Effective {
    /// A call that only a success can end.
    pub(crate) fn endless(self) -> Self {
        Self { stop: None, enabled: Some(true), ..self }
    }

    /// What holds for a call of `site` made here; `None` in no scope.
    pub(crate) fn here(site: &Site) -> Option<Self> {
        scope::current().map(|scope| Self::of(&scope, site))
    }

    /// What the scopes around a call of `site` say about it.
    fn of(scope: &Scope, site: &Site) -> Self {
        let mut all = Self::default();
        for layer in scope.layers() {
            match layer {
                Layer::Recorder(sink) => all.sinks.push(Arc::clone(sink)),
                Layer::Overrides(overrides) if overrides.applies_to(site) => all.fill(overrides),
                Layer::Overrides(_) => {}
            }
        }
        all
    }

    /// When to give up: `theirs`, unless it is overridden.
    pub(crate) fn stop<'a, S: Stop + ?Sized>(
        &'a self,
        theirs: &'a S,
    ) -> Chosen<'a, dyn Stop<Ends = Bounded> + Send + Sync, S> {
        Chosen { ours: self.stop.as_deref(), theirs }
    }

    /// How long to wait: `theirs`, unless it is overridden.
    pub(crate) fn wait<'a, W: Wait + ?Sized>(
        &'a self,
        theirs: &'a W,
    ) -> Chosen<'a, dyn Wait + Send + Sync, W> {
        Chosen { ours: self.wait.as_deref(), theirs }
    }

    fn fill(&mut self, outer: &Overrides) {
        self.stop = self.stop.take().or_else(|| outer.stop.clone());
        self.wait = self.wait.take().or_else(|| outer.wait.clone());
        self.enabled = self.enabled.or(outer.enabled);
        self.seed = self.seed.or_else(|| outer.seed.as_ref().map(Seed::next));
        // The outermost: a pause that is skipped must pass for the calls around it too.
        self.clock = outer.clock.clone().or(self.clock.take());
    }
}

/// An override, if there is one, else what the attribute says.
pub(crate) struct Chosen<'a, O: ?Sized, T: ?Sized> {
    ours: Option<&'a O>,
    theirs: &'a T,
}

impl<O, T> Stop for Chosen<'_, O, T>
where
    O: Stop<Ends = Bounded> + ?Sized,
    T: Stop + ?Sized,
{
    type Ends = T::Ends;

    fn stop(&self, state: &State) -> bool {
        match self.ours {
            Some(stop) => stop.stop(state),
            None => self.theirs.stop(state),
        }
    }

    fn limits(&self, state: &State) -> Limits {
        match self.ours {
            Some(stop) => stop.limits(state),
            None => self.theirs.limits(state),
        }
    }
}

impl<O: Wait + ?Sized, T: Wait + ?Sized> Wait for Chosen<'_, O, T> {
    fn delay(&self, state: &State) -> Delay {
        match self.ours {
            Some(wait) => wait.delay(state),
            None => self.theirs.delay(state),
        }
    }
}

impl fmt::Debug for Effective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Effective").finish_non_exhaustive()
    }
}

#[derive(Clone, Debug)]
struct Seed {
    seed: u64,
    calls: Arc<AtomicU64>,
}

impl Seed {
    fn next(&self) -> u64 {
        self.seed.wrapping_add(self.calls.fetch_add(1, Ordering::Relaxed))
    }
}

/// The time that has been skipped.
#[derive(Clone, Debug, Default)]
pub(crate) struct VirtualClock(Arc<AtomicU64>);

/// More than any call lives, and less than what any system's clock overflows at.
const MOST_SKIPPED: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

impl VirtualClock {
    pub(crate) fn skip(&self, pause: Duration) {
        let nanos = |pause: Duration| u64::try_from(pause.as_nanos()).unwrap_or(u64::MAX);
        let most = nanos(MOST_SKIPPED);
        let add = |skipped: u64| Some(skipped.saturating_add(nanos(pause)).min(most));
        let _ = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
    }

    /// The virtual time when the real one is `real`.
    pub(crate) fn at(&self, real: Instant) -> Instant {
        let skipped = Duration::from_nanos(self.0.load(Ordering::Relaxed));
        real.checked_add(skipped).unwrap_or(real)
    }
}

static OFF: AtomicBool = AtomicBool::new(false);

/// Switches retrying off, or on again, for the whole process.
///
/// While it is off every annotated function is its plain body: one attempt, no hooks, its outcome
/// returned as it is, counted as disabled; a [`Schedule`](crate::Schedule) stops at the first failure. Calls that have started are not changed, and neither is
/// a `block!` that gives the value itself, since nothing but a success can end it. For a switch that
/// reaches production code in an incident; tests should use
/// [`retry_with().enabled(false)`](Overrides::enabled), which holds for nobody else.
///
/// ```
/// retry::set_enabled(false);
/// assert!(!retry::is_enabled());
/// retry::set_enabled(true);
/// ```
pub fn set_enabled(enabled: bool) {
    OFF.store(!enabled, Ordering::Relaxed);
    activate();
}

/// Whether retrying is switched on in this process: it is unless
/// [`set_enabled(false)`](set_enabled) was called.
pub fn is_enabled() -> bool {
    !OFF.load(Ordering::Relaxed)
}
