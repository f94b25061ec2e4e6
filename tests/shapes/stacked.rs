//! `#[retry]` among other attributes that rewrite or register a function.

use std::cell::Cell;
use std::panic::Location;

use retry::retry;

use crate::flaky::{Busy, Flaky};

#[retry(stop = attempts(3), wait = none(), on = |_| flaky.asked() % 2 == 1)]
#[retry(stop = attempts(2), wait = none(), on = any_error())]
fn twice(flaky: &Flaky) -> Result<u32, Busy> {
    flaky.ask()
}

#[retry(stop = attempts(3), wait = none(), on = any_error())]
#[retry(stop = attempts(2), wait = none(), on = any_error())]
async fn twice_async(flaky: &Flaky) -> Result<u32, Busy> {
    flaky.ask_slowly().await
}

// The upper attribute expands first, so its loop is the inner one.
#[tokio::test]
async fn of_two_retries_the_lower_repeats_the_upper() {
    // Above, an odd attempt is repeated and an even one is final; below, that is done twice.
    let flaky = Flaky::never();
    assert_eq!((twice(&flaky), flaky.asked()), (Err(Busy), 4));
    let flaky = Flaky::never();
    assert_eq!((twice_async(&flaky).await, flaky.asked()), (Err(Busy), 6));
    assert_eq!(twice_async(&Flaky::until(5)).await, Ok(5));
}

thread_local! {
    static RUNS: Cell<u32> = const { Cell::new(0) };
}

#[test]
#[retry(stop = attempts(3), wait = none(), on = any_error())]
fn a_test_may_be_retried() -> Result<(), Busy> {
    RUNS.set(RUNS.get() + 1);
    if RUNS.get() < 3 { Err(Busy) } else { Ok(()) }
}

#[retry(stop = attempts(3), wait = none(), on = any_error())]
#[test]
fn a_test_may_be_retried_from_above() -> Result<(), Busy> {
    RUNS.set(RUNS.get() + 1);
    if RUNS.get() < 3 { Err(Busy) } else { Ok(()) }
}

/// Above `#[tokio::test]`, which would make a plain function of it first.
#[retry(stop = attempts(3), wait = none(), on = any_error())]
#[tokio::test]
async fn an_async_test_may_be_retried() -> Result<(), Busy> {
    tokio::task::yield_now().await;
    RUNS.set(RUNS.get() + 1);
    if RUNS.get() < 3 { Err(Busy) } else { Ok(()) }
}

#[track_caller]
#[retry(stop = attempts(3), wait = none(), on = any_error())]
fn tracked(flaky: &Flaky) -> Result<&'static Location<'static>, Busy> {
    flaky.ask()?;
    Ok(Location::caller())
}

#[test]
fn a_tracked_caller_is_lost_inside_the_body() {
    // The attempt is a closure, which cannot be tracked. Pinned so that a change is noticed.
    let location = tracked(&Flaky::third()).unwrap();
    assert_eq!(location.file(), file!());
    assert!(location.line() < line!() - 6);
}
