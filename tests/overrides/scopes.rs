//! How far a scope reaches on one thread, and that it ends.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;
use std::thread;

use retry::{Inherit, record, record_sync, retry, retry_with, stop};
use tokio::task::yield_now;

use crate::support::polling::poll;

#[retry(stop = attempts(4), wait = none(), on = any_error())]
fn call(attempts: &mut u32) -> Result<(), ()> {
    *attempts += 1;
    Err(())
}

/// How many attempts a call makes here: 4 without overrides.
fn attempts() -> u32 {
    let mut attempts = 0;
    call(&mut attempts).unwrap_err();
    attempts
}

#[retry(stop = attempts(4), wait = none(), on = any_error())]
async fn call_async(attempts: &mut u32) -> Result<(), ()> {
    *attempts += 1;
    yield_now().await;
    Err(())
}

async fn attempts_async() -> u32 {
    let mut attempts = 0;
    call_async(&mut attempts).await.unwrap_err();
    attempts
}

fn stop_at(n: u32) -> retry::Overrides {
    retry_with().stop(stop::attempts(n))
}

#[test]
fn a_scope_ends_where_it_ends() {
    assert_eq!(attempts(), 4);
    assert_eq!(stop_at(2).sync_scope(attempts), 2);
    assert_eq!(attempts(), 4);
}

#[test]
fn a_scope_ends_with_a_panic_in_it() {
    for _ in 0..2 {
        let panics = || stop_at(2).sync_scope(|| record_sync(|| assert_eq!(attempts(), 99)));
        catch_unwind(AssertUnwindSafe(panics)).unwrap_err();
        assert_eq!(attempts(), 4);
    }
    // An outer scope is in place again, too.
    stop_at(3).sync_scope(|| {
        catch_unwind(|| stop_at(2).sync_scope(|| panic!("inside"))).unwrap_err();
        assert_eq!(attempts(), 3);
    });
}

#[tokio::test]
async fn an_async_scope_holds_across_awaits_and_for_nothing_beside_it() {
    let scoped = stop_at(2).scope(async {
        yield_now().await;
        (attempts(), attempts_async().await)
    });
    let beside = async {
        for _ in 0..9 {
            assert_eq!(attempts(), 4);
            yield_now().await;
        }
        attempts_async().await
    };
    assert_eq!(tokio::join!(scoped, beside, stop_at(3).scope(attempts_async())), ((2, 2), 4, 3));
    assert_eq!(attempts(), 4);
}

#[test]
fn a_scoped_future_is_dropped_half_way_and_nothing_stays() {
    let mut scoped = Box::pin(record(stop_at(2).scope(attempts_async())));
    assert!(poll(scoped.as_mut()).is_pending());
    assert_eq!(attempts(), 4);
    drop(scoped);
    assert_eq!(attempts(), 4);
    assert!(record_sync(attempts).1.len() == 1);
}

#[test]
fn a_scoped_future_that_panics_leaves_nothing() {
    let mut scoped = Box::pin(stop_at(2).scope(record(async {
        yield_now().await;
        assert_eq!(attempts_async().await, 99);
    })));
    let all = catch_unwind(AssertUnwindSafe(|| while poll(scoped.as_mut()).is_pending() {}));
    all.unwrap_err();
    assert_eq!(attempts(), 4);
    drop(scoped);
    assert_eq!(attempts(), 4);
}

#[test]
fn what_a_scoped_future_drops_is_under_its_scope() {
    struct CallsAtTheEnd<'a>(&'a mut Vec<u32>);
    impl Drop for CallsAtTheEnd<'_> {
        fn drop(&mut self) {
            self.0.push(attempts());
        }
    }
    let mut seen = Vec::new();
    for polls in [1, 9] {
        let guard = CallsAtTheEnd(&mut seen);
        let mut scoped = Box::pin(stop_at(2).scope(async move {
            let _guard = guard;
            yield_now().await;
        }));
        for _ in 0..polls {
            if poll(scoped.as_mut()).is_ready() {
                break;
            }
        }
        drop(scoped);
        assert_eq!(attempts(), 4);
    }
    assert_eq!(seen, [2, 2]);
}

#[tokio::test]
async fn a_scope_is_inside_the_one_that_it_is_polled_in() {
    // Made outside of what it is then polled in, as arguments are.
    let (attempts, reports) = record(stop_at(2).scope(attempts_async())).await;
    assert_eq!((attempts, reports.len(), reports[0].attempts()), (2, 1, 2));
    let inner = retry_with().seed(1).scope(attempts_async());
    assert_eq!(stop_at(3).scope(inner).await, 3);
    // Made inside, polled outside.
    let [made] = stop_at(3).sync_scope(|| [retry_with().seed(1).scope(attempts_async())]);
    assert_eq!(made.await, 4);
}

#[test]
fn a_call_keeps_the_overrides_that_it_has_started_with() {
    let mut seen = 0;
    let mut started = Box::pin(call_async(&mut seen));
    stop_at(2).sync_scope(|| assert!(poll(started.as_mut()).is_pending()));
    stop_at(9).sync_scope(|| while poll(started.as_mut()).is_pending() {});
    drop(started);
    assert_eq!(seen, 2);
    let mut seen = 0;
    let mut started = Box::pin(call_async(&mut seen));
    assert!(poll(started.as_mut()).is_pending());
    stop_at(2).sync_scope(|| while poll(started.as_mut()).is_pending() {});
    drop(started);
    assert_eq!(seen, 4);
}

#[test]
fn threads_have_nothing_of_each_other() {
    stop_at(2).sync_scope(|| {
        thread::scope(|scope| {
            let free = scope.spawn(attempts);
            let other = scope.spawn(|| stop_at(3).sync_scope(attempts));
            assert_eq!((free.join().unwrap(), other.join().unwrap(), attempts()), (4, 3, 2));
        });
    });
}

#[test]
fn an_inherited_scope_is_the_one_of_where_it_was_handed_on() {
    let [inherited] = stop_at(2).sync_scope(|| [attempts_async().inherit()]);
    let mut inherited = pin!(inherited);
    let attempts = stop_at(3).sync_scope(|| {
        loop {
            if let Poll::Ready(attempts) = poll(inherited.as_mut()) {
                break attempts;
            }
        }
    });
    assert_eq!(attempts, 2);
    // And where there was none, none.
    let mut inherited = pin!(attempts_async().inherit());
    while poll(inherited.as_mut()).is_pending() {}
    assert_eq!(self::attempts(), 4);
}

// Two of one kind, so that the test harness's threads run them at the same time and after each
// other: neither may see anything of the other.
macro_rules! beside_each_other {
    ($($name:ident $n:literal,)*) => {$(
        #[test]
        fn $name() {
            for _ in 0..200 {
                assert_eq!(attempts(), 4);
                assert_eq!(stop_at($n).sync_scope(|| { thread::yield_now(); attempts() }), $n);
                let (_, reports) = record_sync(attempts);
                assert_eq!(reports.len(), 1);
            }
        }
    )*};
}

beside_each_other! {
    tests_on_other_threads_see_nothing_of_each_other 2,
    tests_on_other_threads_see_nothing_of_each_other_either 3,
    tests_on_other_threads_see_nothing_of_each_other_at_all 7,
}
