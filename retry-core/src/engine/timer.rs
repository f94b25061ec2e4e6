//! The timer of a call, the other place that touches time: it makes the pauses between attempts,
//! and can cut what takes too long.

use core::future::{Future, IntoFuture};
use core::pin::Pin;
use core::task::{Context, Poll};
use core::time::Duration;

use pin_project_lite::pin_project;

use crate::fit::{Impossible, Never, Nothing};

/// Pauses the thread. A pause of zero is none.
pub fn blocking(pause: Duration) {
    blocking_by(pause, std::thread::sleep);
}

/// Pauses by a function of the user's own, which is not called for a pause of zero.
pub fn blocking_by<R: Slept>(pause: Duration, sleep: impl FnOnce(Duration) -> R) {
    if !pause.is_zero() {
        sleep(pause);
    }
}

/// What the `sleep` of a sync function gives.
#[diagnostic::on_unimplemented(
    message = "the `sleep` of a sync function blocks, and gives no `{Self}`",
    label = "gives a `{Self}` instead of `()`",
    note = "write `sleep = std::thread::sleep`, or leave it out, which does the same",
    note = "a future, such as that of `tokio::time::sleep`, is awaited in async functions only"
)]
pub trait Slept {}

impl Slept for () {}

#[diagnostic::do_not_recommend]
impl Slept for Never {}

/// What the `sleep` of an async function gives.
#[diagnostic::on_unimplemented(
    message = "the `sleep` of an async function gives a future, and `{Self}` is none",
    label = "`{Self}` is not a future",
    note = "write `sleep = tokio::time::sleep`, or what sleeps in your runtime, and let a closure give its future: `sleep = |pause| …`, without `;` and `.await`",
    note = "what blocks, such as `std::thread::sleep`, is for sync functions only"
)]
pub trait Sleeps<Kind> {
    /// The future.
    type Future: Future;

    /// Makes it.
    fn into_sleep(self) -> Self::Future;
}

/// Marks what can be awaited.
#[derive(Debug)]
pub struct Awaited(());

#[diagnostic::do_not_recommend]
impl<F: IntoFuture> Sleeps<Awaited> for F {
    type Future = F::IntoFuture;

    fn into_sleep(self) -> F::IntoFuture {
        self.into_future()
    }
}

#[diagnostic::do_not_recommend]
impl<I: Impossible> Sleeps<Nothing> for I {
    type Future = core::future::Pending<()>;

    fn into_sleep(self) -> Self::Future {
        self.anything()
    }
}

pin_project! {
    /// A pause that gives other tasks a turn even if it is zero, or ends at once.
    #[derive(Debug)]
    #[must_use = "futures do nothing unless polled"]
    pub struct Pause<S> {
        #[pin]
        sleep: Option<S>,
        yielded: bool,
    }
}

impl<S: Future> Future for Pause<S> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut this = self.project();
        if let Some(sleep) = this.sleep.as_mut().as_pin_mut() {
            if sleep.poll(cx).is_pending() {
                *this.yielded = true;
                return Poll::Pending;
            }
            this.sleep.set(None);
        }
        if core::mem::replace(this.yielded, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

/// Pauses by a function of the user's own that returns a future. It is not called for a pause
/// of zero.
pub fn pausing_by<F: Sleeps<Kind>, Kind>(
    pause: Duration,
    sleep: impl FnOnce(Duration) -> F,
) -> Pause<F::Future> {
    let sleep = (!pause.is_zero()).then(|| sleep(pause).into_sleep());
    Pause { sleep, yielded: false }
}

/// Pauses on tokio's timer.
///
/// # Panics
///
/// Outside a tokio runtime, or in one whose timer is not enabled: there is nothing that could
/// end the pause.
#[cfg(feature = "tokio")]
pub fn pausing(pause: Duration) -> Pause<tokio::time::Sleep> {
    pausing_by(pause, |pause| {
        // The crate's `time` feature alone offers no way to ask first.
        std::panic::catch_unwind(|| tokio::time::sleep(pause)).unwrap_or_else(|_| no_timer())
    })
}

#[cfg(feature = "tokio")]
#[cold]
#[allow(clippy::panic)] // a pause that cannot happen must not become a busy loop
fn no_timer() -> ! {
    panic!(
        "`#[retry]` on an async function waits on tokio's timer, and there is none here: call it \
         from a tokio runtime built with `enable_time()`, or say how to sleep with `sleep = …`"
    )
}

pin_project! {
    /// A future that is given up when a timer ends first.
    #[derive(Debug)]
    #[must_use = "futures do nothing unless polled"]
    pub struct Cut<F, S> {
        #[pin]
        future: F,
        #[pin]
        timer: S,
    }
}

/// Runs `future` until `timer` ends; `None` if that was first. What is ready at the same moment
/// is not cut. The future itself is dropped with what is returned here.
pub fn cut<F: Future, S: IntoFuture>(future: F, timer: S) -> Cut<F, S::IntoFuture> {
    Cut { future, timer: timer.into_future() }
}

impl<F: Future, S: Future> Future for Cut<F, S> {
    type Output = Option<F::Output>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        if let Poll::Ready(output) = this.future.poll(cx) {
            return Poll::Ready(Some(output));
        }
        this.timer.poll(cx).map(|_| None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::future::{pending, ready};
    use core::pin::pin;
    use core::task::Waker;

    #[test]
    fn a_pause_that_ends_at_once_still_yields_once() {
        let mut cx = Context::from_waker(Waker::noop());
        let mut zero = pin!(pausing_by(Duration::ZERO, |_| pending::<()>()));
        assert!(zero.as_mut().poll(&mut cx).is_pending());
        assert!(zero.as_mut().poll(&mut cx).is_ready());

        let mut instant = pin!(pausing_by(Duration::from_secs(1), |_| ready(())));
        assert!(instant.as_mut().poll(&mut cx).is_pending());
        assert!(instant.as_mut().poll(&mut cx).is_ready());
    }

    #[test]
    fn what_takes_longer_than_the_timer_is_cut() {
        let mut cx = Context::from_waker(Waker::noop());
        let mut poll = |future: Pin<&mut dyn Future<Output = Option<u8>>>| future.poll(&mut cx);
        assert_eq!(poll(pin!(cut(pending::<u8>(), ready(())))), Poll::Ready(None));
        assert_eq!(poll(pin!(cut(ready(1), pending::<()>()))), Poll::Ready(Some(1)));
        assert_eq!(poll(pin!(cut(ready(1), ready(())))), Poll::Ready(Some(1)));
        assert_eq!(poll(pin!(cut(pending::<u8>(), pending::<()>()))), Poll::Pending);
    }

    #[test]
    fn a_zero_pause_does_not_call_the_sleep() {
        let mut called = false;
        blocking_by(Duration::ZERO, |_| called = true);
        assert!(!called);
        blocking_by(Duration::from_secs(1), |_| called = true);
        assert!(called);
    }
}
