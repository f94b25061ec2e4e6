//! What can cancel a call from outside: a future, a flag or a function.
//!
//! It is asked before every attempt and wakes a pause; it never cuts an attempt.

use core::future::{Future, IntoFuture, poll_fn};
use core::pin::pin;
use core::sync::atomic::{AtomicBool, Ordering};
use core::task::{Context, Poll, Waker};
use core::time::Duration;
use std::sync::Arc;

use crate::engine::{clock, timer};
use crate::fit::{Impossible, Nothing};

/// How long a pause may last before a flag or a function is asked again: too short for a person to
/// notice, and long enough to cost nothing.
const SLICE: Duration = Duration::from_millis(5);

/// What `cancel` of a sync function takes. `Kind` only tells the forms apart.
#[diagnostic::on_unimplemented(
    message = "`cancel` of a sync function cannot be a `{Self}`",
    label = "neither `&AtomicBool` nor a closure that gives a `bool`",
    note = "write `cancel = &FLAG` with a `static FLAG: AtomicBool`, or `cancel = || token.is_cancelled()`"
)]
pub trait Asked<Kind> {
    /// What is asked.
    type Source: Ask;

    /// That.
    fn asked(self) -> Self::Source;
}

/// What `cancel` of an async function takes. `Kind` only tells the forms apart.
#[diagnostic::on_unimplemented(
    message = "`cancel` cannot be a `{Self}`",
    label = "neither a future, nor `&AtomicBool`, nor a closure that gives a `bool`",
    note = "write `cancel = token.cancelled()`, `cancel = &FLAG` with a `static FLAG: AtomicBool`, or `cancel = || …`",
    note = "a future that is already there must be lent, and `Unpin`: `cancel = &mut future`"
)]
pub trait Cancel<Kind> {
    /// What is asked, and wakes a pause.
    type Source: Wake;

    /// That.
    fn source(self) -> Self::Source;
}

/// What says whether the call is cancelled by now. It follows from [`Asked`], so that of what is wrong
/// with `cancel` nothing more is said here.
pub trait Ask {
    /// Whether it is.
    fn is_cancelled(&self) -> bool;
}

/// What can wake a pause too, as it follows from [`Cancel`].
pub trait Wake {
    /// Whether the call is cancelled by now.
    fn ask(self) -> bool;

    /// Pauses until `pause` is over or the call is cancelled: whether it was. `tick` makes another
    /// pause by the same timer.
    fn wakes<P: Future>(
        self,
        pause: P,
        tick: impl FnMut(Duration) -> P,
    ) -> impl Future<Output = bool>;
}

/// Marks a flag.
#[derive(Debug)]
pub struct ByFlag(());

/// Marks a function.
#[derive(Debug)]
pub struct ByFunction(());

/// Marks a future.
#[derive(Debug)]
pub struct ByFuture(());

/// Marks what is asked, by another mark.
#[derive(Debug)]
pub struct ByAsking<Kind>(Kind);

/// What only answers, and so is asked again and again.
#[derive(Debug)]
pub struct Asking<A>(A);

/// What wakes by itself.
#[derive(Debug)]
pub struct Waking<C>(C);

macro_rules! flags {
    ($($flag:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl Asked<ByFlag> for $flag {
            type Source = Self;

            #[inline]
            fn asked(self) -> Self {
                self
            }
        }

        impl Ask for $flag {
            #[inline]
            fn is_cancelled(&self) -> bool {
                self.load(Ordering::Acquire)
            }
        }
    )*};
}

flags!(
    &AtomicBool,
    &&AtomicBool,
    &&&AtomicBool,
    Arc<AtomicBool>,
    &Arc<AtomicBool>,
    &&Arc<AtomicBool>
);

#[diagnostic::do_not_recommend]
impl<F: Fn() -> bool> Asked<ByFunction> for F {
    type Source = Asking<F>;

    #[inline]
    fn asked(self) -> Asking<F> {
        Asking(self)
    }
}

impl<F: Fn() -> bool> Ask for Asking<F> {
    #[inline]
    fn is_cancelled(&self) -> bool {
        (self.0)()
    }
}

#[diagnostic::do_not_recommend]
impl<I: Impossible> Asked<Nothing> for I {
    type Source = &'static AtomicBool;

    fn asked(self) -> &'static AtomicBool {
        self.anything()
    }
}

#[diagnostic::do_not_recommend]
impl<K, A: Asked<K>> Cancel<ByAsking<K>> for A {
    type Source = Asking<A::Source>;

    #[inline]
    fn source(self) -> Asking<A::Source> {
        Asking(self.asked())
    }
}

impl<A: Ask> Wake for Asking<A> {
    #[inline]
    fn ask(self) -> bool {
        self.0.is_cancelled()
    }

    async fn wakes<P: Future>(self, pause: P, mut tick: impl FnMut(Duration) -> P) -> bool {
        let mut pause = pin!(pause);
        loop {
            if self.0.is_cancelled() {
                return true;
            }
            let mut tick = pin!(tick(SLICE));
            let is_over = poll_fn(|cx| {
                if pause.as_mut().poll(cx).is_ready() {
                    return Poll::Ready(true);
                }
                tick.as_mut().poll(cx).map(|_| false)
            });
            if is_over.await {
                return false;
            }
        }
    }
}

#[diagnostic::do_not_recommend]
impl<C: Future> Cancel<ByFuture> for C {
    type Source = Waking<C>;

    #[inline]
    fn source(self) -> Waking<C> {
        Waking(self)
    }
}

impl<C: Future> Wake for Waking<C> {
    fn ask(self) -> bool {
        // Nobody waits here: who does, in `wakes`, polls it with a waker of its own.
        pin!(self.0).poll(&mut Context::from_waker(Waker::noop())).is_ready()
    }

    async fn wakes<P: Future>(self, pause: P, _: impl FnMut(Duration) -> P) -> bool {
        let (mut cancelled, mut pause) = (pin!(self.0), pin!(pause));
        poll_fn(|cx| {
            if cancelled.as_mut().poll(cx).is_ready() {
                return Poll::Ready(true);
            }
            pause.as_mut().poll(cx).map(|_| false)
        })
        .await
    }
}

/// What `cancel` is in an async function.
#[inline]
pub fn source<C: Cancel<K>, K>(cancel: C) -> C::Source {
    cancel.source()
}

/// What `cancel` is in a sync function.
#[inline]
pub fn asked<A: Asked<K>, K>(cancel: A) -> A::Source {
    cancel.asked()
}

/// Whether the call is cancelled by now.
#[inline]
pub fn is_cancelled(cancel: impl Wake) -> bool {
    cancel.ask()
}

/// The same in a sync function.
#[inline]
#[allow(clippy::needless_pass_by_value)] // made where it is asked
pub fn is_asked(cancel: impl Ask) -> bool {
    cancel.is_cancelled()
}

/// Pauses until `pause` is over or the call is cancelled: whether it was.
pub async fn wakes<P: IntoFuture>(
    cancel: impl Wake,
    pause: Duration,
    mut sleep: impl FnMut(Duration) -> P,
) -> bool {
    let mut sleep = |pause| sleep(pause).into_future();
    cancel.wakes(sleep(pause), sleep).await
}

/// Pauses the thread until `pause` is over or the call is cancelled: whether it was.
#[allow(clippy::needless_pass_by_value)]
pub fn wakes_thread(cancel: impl Ask, pause: Duration) -> bool {
    let end = clock::system().checked_add(pause);
    loop {
        if cancel.is_cancelled() {
            return true;
        }
        // A pause beyond the clock's range has no end.
        let left = end.map_or(SLICE, |end| end.saturating_duration_since(clock::system()));
        if left.is_zero() {
            return false;
        }
        timer::blocking(left.min(SLICE));
    }
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;
    use core::future::{pending, ready};

    use super::*;

    fn now<T>(future: impl Future<Output = T>) -> Option<T> {
        match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(value) => Some(value),
            Poll::Pending => None,
        }
    }

    const HOUR: Duration = Duration::from_secs(3600);

    #[test]
    fn every_form_can_be_asked() {
        let flag = AtomicBool::new(false);
        let shared = Arc::new(AtomicBool::new(true));
        assert!(!is_asked(asked(&flag)) && !is_cancelled(source(&flag)));
        flag.store(true, Ordering::Release);
        assert!(is_asked(asked(&flag)) && is_cancelled(source(&flag)));
        assert!(is_asked(asked(&shared)) && is_cancelled(source(Arc::clone(&shared))));
        assert!(is_asked(asked(|| true)) && !is_cancelled(source(|| false)));
        assert!(is_cancelled(source(ready(()))) && !is_cancelled(source(pending::<()>())));
    }

    #[test]
    fn a_pause_ends_by_itself_or_by_whatever_cancels() {
        let over = |_| ready(());
        assert_eq!(now(wakes(source(pending::<()>()), HOUR, over)), Some(false));
        assert_eq!(now(wakes(source(ready(())), HOUR, |_| pending::<()>())), Some(true));
        assert_eq!(now(wakes(source(pending::<()>()), HOUR, |_| pending::<()>())), None);
        assert_eq!(now(wakes(source(|| false), HOUR, over)), Some(false));
        assert_eq!(now(wakes(source(|| true), HOUR, |_| pending::<()>())), Some(true));
        assert_eq!(now(wakes(source(|| false), HOUR, |_| pending::<()>())), None);
    }

    #[test]
    fn a_flag_is_asked_again_while_the_pause_lasts() {
        let count = Cell::new(0);
        let cancel = || count.replace(count.get() + 1) == 3;
        let sleep = |pause: Duration| async move {
            if pause == HOUR {
                pending::<()>().await;
            }
        };
        assert_eq!(now(wakes(source(cancel), HOUR, sleep)), Some(true));
        count.set(0);
        assert!(wakes_thread(asked(cancel), HOUR));
        assert!(!wakes_thread(asked(|| false), Duration::ZERO));
    }
}
