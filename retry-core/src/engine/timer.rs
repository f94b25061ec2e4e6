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

/// Something that may take too long.
pub trait Cuttable: Future + Unpin {
    /// What is given instead of its output.
    type Cut;

    /// How long it may still take; `None` is as long as it likes.
    fn cut_in(&mut self) -> Option<Duration>;

    /// It has taken too long. `None` lets it go on.
    fn cut(&mut self) -> Option<Self::Cut>;
}

pin_project! {
    /// A future that is given up when it takes too long. What is ready at the same moment is not
    /// cut. The future itself is dropped with this one.
    #[derive(Debug)]
    #[must_use = "futures do nothing unless polled"]
    pub struct Cutting<A, Z, T> {
        attempt: A,
        sleep: Z,
        // Made when the future is first found waiting, and again where it was given more time.
        #[pin]
        timer: Option<T>,
    }
}

impl<A, Z, T> Cutting<A, Z, T> {
    pub(crate) const fn new(attempt: A, sleep: Z) -> Self {
        Self { attempt, sleep, timer: None }
    }
}

impl<A: Cuttable, Z: FnMut(Duration) -> T, T: Future> Future for Cutting<A, Z, T> {
    type Output = Result<A::Output, A::Cut>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        poll_cutting(this.attempt, this.sleep, this.timer, cx)
    }
}

/// Polls what is given up when it takes too long, for which a timer is kept elsewhere.
pub(crate) fn poll_cutting<A: Cuttable, T: Future>(
    attempt: &mut A,
    sleep: &mut impl FnMut(Duration) -> T,
    mut timer: Pin<&mut Option<T>>,
    cx: &mut Context<'_>,
) -> Poll<Result<A::Output, A::Cut>> {
    if let Poll::Ready(output) = Pin::new(&mut *attempt).poll(cx) {
        return Poll::Ready(Ok(output));
    }
    for _ in 0..2 {
        if let Some(ends) = timer.as_mut().as_pin_mut() {
            if ends.poll(cx).is_pending() {
                return Poll::Pending;
            }
            timer.set(None);
        }
        match attempt.cut_in() {
            None => return Poll::Pending,
            Some(Duration::ZERO) => {
                return attempt.cut().map_or(Poll::Pending, |cut| Poll::Ready(Err(cut)));
            }
            Some(left) => timer.set(Some(sleep(left))),
        }
    }
    // A timer that ends early must not keep everybody else from running.
    cx.waker().wake_by_ref();
    Poll::Pending
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

    /// May take this long, and then that long once more.
    struct Limited<F>(F, Vec<Option<Duration>>);

    impl<F: Future + Unpin> Future for Limited<F> {
        type Output = F::Output;

        fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
            Pin::new(&mut self.0).poll(cx)
        }
    }

    impl<F: Future + Unpin> Cuttable for Limited<F> {
        type Cut = &'static str;

        fn cut_in(&mut self) -> Option<Duration> {
            self.1.pop().unwrap_or(Some(Duration::ZERO))
        }

        fn cut(&mut self) -> Option<&'static str> {
            Some("cut")
        }
    }

    #[test]
    fn what_takes_longer_than_it_may_is_cut() {
        let mut cx = Context::from_waker(Waker::noop());
        let second = Some(Duration::from_secs(1));
        let hung = |limits| Limited(pending::<u8>(), limits);
        let mut poll = |limited, is_over: bool| {
            let sleep = |_| async move {
                if !is_over {
                    pending::<()>().await;
                }
            };
            pin!(Cutting::new(limited, sleep)).poll(&mut cx)
        };
        assert_eq!(poll(hung(vec![second]), true), Poll::Ready(Err("cut")));
        assert_eq!(poll(hung(vec![second]), false), Poll::Pending);
        assert_eq!(poll(hung(vec![]), false), Poll::Ready(Err("cut")));
        assert_eq!(poll(hung(vec![None]), true), Poll::Pending);
        // It has moved in the meantime, and a timer that ends early is no reason to spin.
        assert_eq!(poll(hung(vec![second; 9]), true), Poll::Pending);
    }

    #[test]
    fn what_is_ready_is_not_cut() {
        let mut cx = Context::from_waker(Waker::noop());
        let ready = Limited(ready(1), vec![]);
        let cutting = Cutting::new(ready, |_| pending::<()>());
        assert_eq!(pin!(cutting).poll(&mut cx), Poll::Ready(Ok::<_, &str>(1)));
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
