//! What has been set up around a call: overrides and recorders, innermost first.
//!
//! A thread knows the innermost scope it is in; the scopes around it hang on that one. A future
//! carries its scope along and puts it in place for the length of each poll, so a scope is
//! neither left behind in a thread nor lost when a task moves to another.

use crate::Instant;
use core::cell::RefCell;
use core::future::Future;
use core::pin::Pin;
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
use core::task::{Context, Poll};
use std::sync::Arc;

use pin_project_lite::pin_project;

use crate::engine::clock::{Clock, Time};
use crate::scope::layer::{Layer, Settings};
use crate::stats::site::Site;

/// Whether anything has ever been set up around calls in this process. In production nothing ever
/// is, and this is all that a call asks.
static EVER: AtomicBool = AtomicBool::new(false);

thread_local! {
    static SCOPE: RefCell<Option<Arc<Scope>>> = const { RefCell::new(None) };
}

/// One scope and those around it.
#[derive(Debug)]
pub(crate) struct Scope {
    pub(crate) layer: Layer,
    pub(crate) outer: Option<Arc<Scope>>,
}

impl Scope {
    /// A scope inside the one this code runs in.
    pub(crate) fn inside(layer: Layer) -> Arc<Self> {
        Arc::new(Self { layer, outer: current() })
    }

    /// The layers, innermost first.
    pub(crate) fn layers(&self) -> impl Iterator<Item = &Layer> {
        core::iter::successors(Some(self), |scope| scope.outer.as_deref()).map(|scope| &scope.layer)
    }
}

impl Drop for Scope {
    /// Nothing runs under it any more, in a task of its own neither.
    fn drop(&mut self) {
        if let Layer::Overrides(Settings { only: Some(only), .. }) = &self.layer {
            only.end();
        }
    }
}

/// Whether something may have been set up around the calls of this code.
#[inline]
pub(crate) fn may_be_active() -> bool {
    EVER.load(Relaxed)
}

/// From here on every call looks for what has been set up around it.
pub(crate) fn activate() {
    EVER.store(true, Relaxed);
}

/// The scope this code runs in. A thread that is ending has none any more.
pub(crate) fn current() -> Option<Arc<Scope>> {
    SCOPE.try_with(|scope| scope.borrow().clone()).ok().flatten()
}

/// The attempt that this code was handed on from.
pub(crate) fn handed_on() -> Option<&'static Site> {
    if !may_be_active() {
        return None;
    }
    let site = |layer: &Layer| match layer {
        Layer::Attempt(site, _) => Some(*site),
        _ => None,
    };
    current()?.layers().find_map(site)
}

/// The time here by `clock`, with what has been skipped under the scopes around.
pub(crate) fn now(clock: Clock) -> Instant {
    let skipped = current().and_then(|scope| {
        // The outermost, as for a call: see `Effective`.
        let clock = |layer: &Layer| match layer {
            Layer::Overrides(settings) => settings.clock.clone(),
            _ => None,
        };
        scope.layers().filter_map(clock).last()
    });
    Time::new(clock, skipped).now()
}

/// Puts `scope` in place until the guard is dropped, by a panic too.
pub(crate) fn enter(scope: Option<Arc<Scope>>) -> InScope {
    InScope { outer: replace(scope) }
}

fn replace(scope: Option<Arc<Scope>>) -> Option<Arc<Scope>> {
    if scope.is_some() {
        activate();
    }
    SCOPE.try_with(|current| current.replace(scope)).ok().flatten()
}

#[must_use]
pub(crate) struct InScope {
    outer: Option<Arc<Scope>>,
}

impl Drop for InScope {
    fn drop(&mut self) {
        replace(self.outer.take());
    }
}

pin_project! {
    /// A future in a scope of its own.
    #[must_use = "futures do nothing unless polled"]
    pub struct Scoped<F> {
        #[pin]
        future: Option<F>,
        place: Place,
    }

    impl<F> PinnedDrop for Scoped<F> {
        // What a future drops runs under its scope too.
        fn drop(this: Pin<&mut Self>) {
            let mut this = this.project();
            if let Place::Known(scope) = this.place {
                let _entered = scope.take().map(|scope| enter(Some(scope)));
                this.future.set(None);
            }
        }
    }
}

/// Where a future runs.
enum Place {
    /// In a new scope, inside the one that the future is first polled in: what makes it may run
    /// before what is around it has begun, as in `record(retry_with().scope(future))`.
    New(Option<Layer>),
    /// In one that there is already. `None` is that in which it is polled.
    Known(Option<Arc<Scope>>),
}

impl<F> Scoped<F> {
    pub(crate) fn new(future: F, layer: Layer) -> Self {
        Self { future: Some(future), place: Place::New(Some(layer)) }
    }

    /// The future, in this scope wherever it is polled.
    pub(crate) fn known(future: F, scope: Option<Arc<Scope>>) -> Self {
        Self { future: Some(future), place: Place::Known(scope) }
    }
}

impl<F: Future> Future for Scoped<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let this = self.project();
        if let Place::New(layer) = this.place {
            *this.place = Place::Known(layer.take().map(Scope::inside));
        }
        let scope = match this.place {
            Place::Known(scope) => scope.clone(),
            Place::New(_) => None,
        };
        let _entered = scope.map(|scope| enter(Some(scope)));
        match this.future.as_pin_mut() {
            Some(future) => future.poll(cx),
            // Taken out only when it is dropped.
            None => Poll::Pending,
        }
    }
}

impl<F> core::fmt::Debug for Scoped<F> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Scoped").finish_non_exhaustive()
    }
}
