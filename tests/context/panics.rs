//! A panic, wherever it comes from, leaves nothing behind in its thread.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use retry::{State, StopReason, retry, retry_with, sites, stop};

use super::assert_clean;
use crate::support::on_one_thread;

/// Panics with this in the middle of an attempt, after it has asked for everything.
fn burst() -> bool {
    panic!("burst")
}

fn blow() {
    burst();
}

fn ask() {
    let at = retry::current().unwrap();
    let _ = (at.call_id(), at.elapsed());
}

/// A sync and an async function that panic where a key says so, and what they are counted as.
macro_rules! panics {
    ($($test:ident: [$($keys:tt)*] $body:expr, $counted:expr;)*) => {$(
        #[test]
        fn $test() {
            use super::*;

            const SYNC: &str = concat!(stringify!($test), "::sync");
            const ASYNC: &str = concat!(stringify!($test), "::not_sync");

            #[retry($($keys)*)]
            fn sync(n: u32) -> Result<u32, ()> {
                ask();
                let body: fn(u32) -> Result<u32, ()> = $body;
                body(n)
            }

            #[retry($($keys)*)]
            async fn not_sync(n: u32) -> Result<u32, ()> {
                tokio::task::yield_now().await;
                ask();
                tokio::task::yield_now().await;
                let body: fn(u32) -> Result<u32, ()> = $body;
                body(n)
            }

            #[retry(stop = attempts(2), wait = none(), on = any_error())]
            fn outer() -> Result<u32, ()> {
                ask();
                sync(0)
            }

            fn run(f: impl Fn()) {
                let caught = catch_unwind(AssertUnwindSafe(&f));
                assert_eq!(caught.unwrap_err().downcast_ref::<&str>(), Some(&"burst"));
                assert_clean();
                // Under overrides and a recorder, which must not stay behind either.
                let scoped = || retry_with()
                    .seed(1)
                    .virtual_time()
                    .sync_scope(|| retry::record_sync(&f));
                catch_unwind(AssertUnwindSafe(scoped)).unwrap_err();
                assert_clean();
            }

            run(|| { let _ = sync(0); });
            counted(SYNC, 2, $counted);
            run(|| { let _ = outer(); });
            counted(SYNC, 4, $counted);
            counted(concat!(stringify!($test), "::outer"), 2, None);
            run(|| {
                let _ = on_one_thread(not_sync(0));
            });
            counted(ASYNC, 2, $counted);
        }
    )*};
}

/// The calls have ended in a panic, or for the reason for which they had ended before it.
fn counted(name: &str, calls: u64, before: Option<StopReason>) {
    let sites = sites();
    let stats = sites.get(name).unwrap();
    let panicked = if before.is_none() { calls } else { 0 };
    assert_eq!((stats.calls(), stats.panicked()), (calls, panicked), "{stats:?}");
    match before {
        None => {}
        Some(StopReason::Success) => assert_eq!(stats.first_try(), calls, "{stats:?}"),
        Some(StopReason::Permanent) => assert_eq!(stats.permanent(), calls, "{stats:?}"),
        Some(reason) => assert_eq!(stats.given_up_for(reason), calls, "{stats:?}"),
    }
}

mod first_attempt {
    panics! {
        in_the_body: [stop = attempts(3), wait = none(), on = any_error()]
            |_| { burst(); Ok(0) }, None;
        in_the_body_of_a_disabled_call:
            [stop = attempts(3), wait = none(), on = any_error(), enabled = false]
            |_| { burst(); Ok(0) }, None;
        in_before: [stop = attempts(3), wait = none(), on = any_error(), before = |_| blow()]
            |_| Ok(0), None;
        in_on: [stop = attempts(3), wait = none(), on = |_| burst()]
            |_| Err(()), None;
        in_stop: [stop = (|_: &State| burst()) | attempts(3), wait = none(), on = any_error()]
            |_| Err(()), None;
        in_wait:
            [stop = attempts(3), wait = |_| { burst(); Duration::ZERO }, on = any_error()]
            |_| Err(()), None;
    }
}

mod between_attempts {
    panics! {
        in_after: [stop = attempts(3), wait = none(), on = any_error(), after = |_, _| blow()]
            |_| Err(()), None;
        in_before_sleep:
            [stop = attempts(3), wait = none(), on = any_error(), before_sleep = |_, _| blow()]
            |_| Err(()), None;
        in_gate: [stop = attempts(3), wait = none(), on = any_error(), gate = |_, _| burst()]
            |_| Err(()), None;
        in_reset: [stop = attempts(3), wait = none(), on = any_error(), reset = |_, _| burst()]
            |_| Err(()), None;
        in_idempotent:
            [stop = attempts(3), wait = none(), on = |_| retry::Verdict::Ambiguous, idempotent = burst()]
            |_| Err(()), None;
        in_a_later_body: [stop = attempts(3), wait = none(), on = any_error()]
            |_| {
                if retry::current().unwrap().number() == 2 {
                    burst();
                }
                Err(())
            }, None;
    }
}

mod at_the_end {
    panics! {
        in_on_success:
            [stop = attempts(3), wait = none(), on = any_error(), on_success = |_, _| blow()]
            |_| Ok(0), Some(StopReason::Success);
        in_on_give_up:
            [stop = attempts(3), wait = none(), on = |_| false, on_give_up = |_, _| blow()]
            |_| Err(()), Some(StopReason::Permanent);
        in_fallback:
            [stop = attempts(3), wait = none(), on = |_| false, fallback = |_, _| { burst(); Ok(1) }]
            |_| Err(()), Some(StopReason::Permanent);
    }
}

#[test]
fn in_sleep() {
    #[retry(
        stop = attempts(3),
        wait = fixed(1s),
        on = any_error(),
        sleep = |_: Duration| blow(),
        name = "panics in sleep",
    )]
    fn sync() -> Result<(), ()> {
        ask();
        Err(())
    }
    #[retry(
        stop = attempts(3),
        wait = fixed(1s),
        on = any_error(),
        sleep = |_| async { burst(); },
        name = "panics in an async sleep",
    )]
    async fn not_sync() -> Result<(), ()> {
        ask();
        Err(())
    }
    catch_unwind(sync).unwrap_err();
    assert_clean();
    counted("panics in sleep", 1, None);
    catch_unwind(|| on_one_thread(not_sync())).unwrap_err();
    assert_clean();
    counted("panics in an async sleep", 1, None);
}

#[test]
fn in_a_strategy_of_the_overrides() {
    #[retry(stop = attempts(3), wait = none(), on = any_error(), name = "overrides panic")]
    fn call() -> Result<(), ()> {
        ask();
        Err(())
    }
    let stop = stop::when(|_: &State| burst()) | stop::attempts(3);
    catch_unwind(AssertUnwindSafe(|| retry_with().stop(stop).sync_scope(call))).unwrap_err();
    assert_clean();
    let wait = retry::wait::by(|_: &State| {
        burst();
        Duration::ZERO
    });
    catch_unwind(AssertUnwindSafe(|| retry_with().wait(wait).sync_scope(call))).unwrap_err();
    assert_clean();
    counted("overrides panic", 2, None);
}

#[test]
fn a_panic_caught_in_the_body_is_an_attempt_like_any_other() {
    #[retry(stop = attempts(3), wait = none(), on = any_error(), name = "catches its panic")]
    fn call() -> Result<(), ()> {
        catch_unwind(|| {
            ask();
            burst()
        })
        .map(|_| ())
        .map_err(drop)
        .inspect_err(|()| retry::current().unwrap().overrule(retry::Verdict::Retry))
    }
    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    fn catches_an_inner_call(seen: &mut Vec<(u32, u32)>) -> Result<(), ()> {
        #[retry(stop = attempts(3), wait = none(), on = any_error())]
        fn inner() -> Result<(), ()> {
            ask();
            burst();
            Ok(())
        }
        catch_unwind(inner).unwrap_err();
        seen.push(super::place().unwrap());
        Err(())
    }
    let mut seen = Vec::new();
    catches_an_inner_call(&mut seen).unwrap_err();
    assert_eq!(seen, [(1, 0), (2, 0)]);
    assert_clean();
    call().unwrap_err();
    assert_clean();
    let sites = sites();
    let stats = sites.get("catches its panic").unwrap();
    assert_eq!((stats.attempts(), stats.panicked()), (3, 0));
}

#[tokio::test]
async fn in_a_task_the_worker_is_clean_and_the_panic_is_counted() {
    #[retry(stop = attempts(3), wait = none(), on = any_error(), name = "panics in a task")]
    async fn call() -> Result<(), ()> {
        tokio::task::yield_now().await;
        ask();
        burst();
        Ok(())
    }
    let task = tokio::spawn(retry_with().stop(stop::attempts(9)).scope(call()));
    assert!(task.await.unwrap_err().is_panic());
    assert_clean();
    counted("panics in a task", 1, None);
}

#[test]
fn a_call_made_while_a_panic_unwinds_counts_as_what_it_is() {
    #[retry(stop = attempts(2), wait = none(), on = any_error(), name = "while unwinding")]
    fn call(good: u32) -> Result<(), ()> {
        if retry::current().unwrap().number() == good { Ok(()) } else { Err(()) }
    }
    struct Calls;
    impl Drop for Calls {
        fn drop(&mut self) {
            assert!(std::thread::panicking());
            let _ = (call(1), call(2), call(3));
        }
    }
    catch_unwind(|| {
        let _calls = Calls;
        burst()
    })
    .unwrap_err();
    let sites = sites();
    let stats = sites.get("while unwinding").unwrap();
    assert_eq!((stats.first_try(), stats.recovered(), stats.given_up()), (1, 1, 1));
    assert_eq!(stats.panicked(), 0);
    assert_clean();
}
