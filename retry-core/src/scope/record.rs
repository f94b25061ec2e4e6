//! Collecting the reports of all calls under a future or a closure.

use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll, ready};
use std::sync::Arc;

use pin_project_lite::pin_project;

use crate::report::report::Report;
use crate::scope::future::RunsInScope;
use crate::scope::inside::EndsInside;
use crate::scope::layer::{Layer, Sink};
use crate::scope::scope::{Scope, Scoped, enter};

/// Runs `future` and collects the [`Report`] of every retried call under it, in the order in
/// which they ended: those of nested calls before the one around them.
///
/// A call that is dropped is reported as cancelled, and one that is switched off as disabled. A
/// call that panics, and one that is still running when `future` is done (in a task of its own), is
/// not reported; a task is under the recording only if its future [inherits](crate::Inherit) it.
/// The reports are kept until the end, so record an operation, not a program. Of nested recordings
/// each gets all.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// # #[retry::retry(stop = attempts(3), wait = exponential(1ms), on = any_error())]
/// # async fn fetch() -> Result<(), ()> { Err(()) }
/// let (result, reports) = retry::record(fetch()).await;
/// assert!(result.is_err());
/// assert_eq!(reports[0].attempts(), 3);
/// # }
/// ```
pub fn record<F: RunsInScope<Kind>, Kind>(future: F) -> Recorded<F::Future> {
    let sink = Sink::open();
    let future = Scoped::new(future.future(), Layer::Recorder(Arc::clone(&sink)));
    Recorded { future: Some(future), sink }
}

pin_project! {
    /// See [`record`]. A type of its own and no opaque one, whose bounds the compiler would look at
    /// again wherever it is awaited.
    #[must_use = "futures do nothing unless polled"]
    #[derive(Debug)]
    pub struct Recorded<F> {
        // Gone before the recording is closed: a call that is dropped with it is reported too.
        #[pin]
        future: Option<Scoped<F>>,
        sink: Arc<Sink>,
    }
}

impl<F: Future> Future for Recorded<F> {
    type Output = (F::Output, Vec<Report>);

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let mut this = self.project();
        let Some(future) = this.future.as_mut().as_pin_mut() else { return Poll::Pending };
        let output = ready!(future.poll(cx));
        this.future.set(None);
        Poll::Ready((output, this.sink.close()))
    }
}

/// [`record`] for a closure: for the calls that it makes in its own thread.
///
/// A closure that gives a future (it calls an async function) does not compile: the future would run
/// after the recording, when it is awaited. That is what the second parameter is for, which is always
/// inferred.
///
/// ```
/// # #[retry::retry(stop = attempts(3), wait = exponential(1ms), on = any_error())]
/// # fn fetch() -> Result<(), ()> { Err(()) }
/// use std::time::Duration;
///
/// let ((), reports) = retry::record_sync(|| {
///     fetch().unwrap_err();
/// });
/// let delays: Vec<_> = reports[0].delays().collect();
/// assert_eq!(delays, [Duration::from_millis(1), Duration::from_millis(2)]);
/// ```
pub fn record_sync<T, AFutureNeedsRecord>(f: impl FnOnce() -> T) -> (T, Vec<Report>)
where
    T: EndsInside<AFutureNeedsRecord>, // a future runs later, outside: write `record(fetch()).await`
{
    let sink = Sink::open();
    let entered = enter(Some(Scope::inside(Layer::Recorder(Arc::clone(&sink)))));
    let output = f();
    drop(entered);
    (output, sink.close())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::reason::StopReason;
    use crate::stats::counters::Counters;
    use crate::stats::site::Site;

    #[test]
    fn a_call_that_ends_after_the_recording_leaves_nothing_behind() {
        static COUNTERS: Counters = Counters::new();
        static SITE: Site = Site::named("late", &COUNTERS);
        let report = Report {
            site: &SITE,
            reason: StopReason::Success,
            attempts: 1,
            elapsed: None,
            waited: core::time::Duration::ZERO,
            history: Vec::new(),
        };
        let sink = Sink::open();
        sink.push(report.clone());
        assert_eq!(sink.close().len(), 1);
        sink.push(report);
        assert!(sink.lock().is_none());
    }
}
