//! Retried functions called from every place where the engine calls out.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Context, Wake, Waker};
use std::time::Duration;

use retry::{Mark, State, current, record_sync, retry, retry_with, stop};

use super::{assert_clean, place};
use crate::support::events::events;
use crate::support::polling::started;

thread_local!(static CALLS: Cell<u32> = const { Cell::new(0) });

/// A retried call that asks and says whatever can be asked and said.
fn reenter() {
    #[retry(stop = attempts(2) | within(1h), wait = none(), on = any_error())]
    fn call(outside: Option<u32>) -> Result<(), ()> {
        let at = current().unwrap();
        assert_eq!(at.depth(), outside.map_or(0, |depth| depth + 1));
        let _ = (at.call_id(), at.elapsed());
        Err(()).transient()
    }
    CALLS.set(CALLS.get() + 1);
    let outside = current().map(|at| at.depth());
    let (_, reports) = record_sync(|| retry_with().seed(1).sync_scope(|| call(outside)));
    assert_eq!((reports.len(), reports[0].attempts()), (1, 2));
}

struct Reenters;

impl Drop for Reenters {
    fn drop(&mut self) {
        reenter();
    }
}

#[derive(Clone, Debug)]
struct Shown;

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        reenter();
        f.write_str("shown")
    }
}

#[test]
fn hooks_strategies_and_bodies_may_call() {
    #[retry(
        stop = (|_: &State| { reenter(); false }) | attempts(2),
        wait = |_| { reenter(); Duration::ZERO },
        on = |_| { reenter(); true },
        before = |_| reenter(),
        after = |_, _| reenter(),
        before_sleep = |_, _| reenter(),
        gate = |_, _| { reenter(); true },
        reset = |_, _| { reenter(); false },
        on_give_up = |_, _| reenter(),
        fallback = |_, outcome| { reenter(); outcome },
    )]
    fn call(seen: &mut Vec<Option<(u32, u32)>>) -> Result<(), Shown> {
        reenter();
        seen.push(place());
        let _dropped_in_the_body = Reenters;
        Err(Shown)
    }
    CALLS.set(0);
    let mut seen = Vec::new();
    let (_, reports) = record_sync(|| call(&mut seen));
    assert_eq!(seen, [Some((1, 0)), Some((2, 0))]);
    assert!(CALLS.get() >= 20, "{}", CALLS.get());
    // Those inside are recorded by their own recorder and by the one around it.
    let of_the_outer = reports.iter().filter(|report| report.name().ends_with("::call"));
    assert!(of_the_outer.count() > 1);
    assert_eq!(reports.last().unwrap().attempts(), 2);
    assert_clean();
}

#[test]
fn an_error_may_call_when_it_is_displayed_for_the_log() {
    #[retry(stop = attempts(3), wait = none(), on = any_error())]
    fn call(seen: &mut Vec<Option<(u32, u32)>>) -> Result<(), Shown> {
        seen.push(place());
        Err(Shown)
    }
    let mut seen = Vec::new();
    assert_ne!(events(|| call(&mut seen).unwrap_err()), []);
    assert_eq!(seen, [Some((1, 0)), Some((2, 0)), Some((3, 0))]);
    assert_clean();
}

#[test]
fn overrides_may_call_when_they_are_dropped() {
    let reenters = Reenters;
    let wait = retry::wait::by(move |_: &State| {
        let _ = &reenters;
        Duration::ZERO
    });
    #[retry(stop = attempts(2), wait = fixed(1h), on = any_error())]
    fn call() -> Result<(), ()> {
        Err(())
    }
    CALLS.set(0);
    // Dropped by the guard of the scope, after the scope has ended.
    let result = retry_with().stop(stop::attempts(3)).wait(wait).sync_scope(call);
    assert!(result.is_err());
    assert_eq!(CALLS.get(), 1);
    assert_clean();
}

#[test]
fn a_waker_may_call_when_it_is_woken_in_the_middle_of_an_attempt() {
    struct Calls(AtomicU32);
    impl Wake for Calls {
        fn wake(self: Arc<Self>) {
            reenter();
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }
    #[retry(stop = attempts(3), wait = none(), on = any_error())]
    async fn call(seen: &RefCell<Vec<Option<(u32, u32)>>>) -> Result<(), ()> {
        seen.borrow_mut().push(place());
        std::future::poll_fn(|cx| {
            cx.waker().wake_by_ref();
            std::task::Poll::Ready(())
        })
        .await;
        seen.borrow_mut().push(place());
        Err(())
    }
    let calls = Arc::new(Calls(AtomicU32::new(0)));
    let waker = Waker::from(Arc::clone(&calls));
    let seen = RefCell::default();
    let mut future = Box::pin(call(&seen));
    while future.as_mut().poll(&mut Context::from_waker(&waker)).is_pending() {}
    drop(future);
    let expected = [(1, 0), (1, 0), (2, 0), (2, 0), (3, 0), (3, 0)].map(Some);
    assert_eq!(seen.into_inner(), expected);
    // In each attempt, and in each of the two pauses.
    assert_eq!(calls.0.load(Ordering::SeqCst), 5);
    assert_clean();
}

#[test]
fn what_a_dropped_future_drops_may_call() {
    #[retry(stop = attempts(3), wait = none(), on = any_error())]
    async fn call() -> Result<(), ()> {
        let _reenters = Reenters;
        let _ = current().unwrap().call_id();
        std::future::pending().await
    }
    CALLS.set(0);
    drop(started(call()));
    assert_eq!(CALLS.get(), 1);
    assert_clean();
}

#[test]
fn a_function_may_call_itself() {
    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    fn call(levels: u32, bodies: &mut u32) -> Result<(), ()> {
        assert_eq!(current().unwrap().depth(), 3 - levels);
        *bodies += 1;
        if levels == 0 { Err(()) } else { call(levels - 1, bodies) }
    }
    let mut bodies = 0;
    call(3, &mut bodies).unwrap_err();
    assert_eq!(bodies, 2 + 4 + 8 + 16);
    assert_clean();
}
