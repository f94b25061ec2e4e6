//! Without the default features sync functions work as they are, and async ones with a sleep of
//! their own. This runs with the features as well, where it must hold too.

use std::cell::Cell;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use retry::{Step, retry};

#[retry(stop = attempts(3), wait = fixed(1ms), on = any_error())]
fn third_time_lucky(calls: &mut u32) -> Result<u32, ()> {
    *calls += 1;
    if *calls < 3 { Err(()) } else { Ok(*calls) }
}

#[test]
fn a_sync_function_needs_no_feature() {
    assert_eq!(third_time_lucky(&mut 0), Ok(3));
}

#[retry(
    stop = attempts(3),
    wait = fixed(1s),
    on = any_error(),
    sleep = |pause| {
        slept.push(pause);
        std::future::ready(())
    },
)]
async fn third_time_lucky_async(calls: &mut u32, slept: &mut Vec<Duration>) -> Result<u32, ()> {
    *calls += 1;
    if *calls < 3 { Err(()) } else { Ok(*calls) }
}

#[test]
fn an_async_function_needs_a_sleep_and_no_runtime() {
    let (mut calls, mut slept) = (0, Vec::new());
    let outcome = {
        let mut future = pin!(third_time_lucky_async(&mut calls, &mut slept));
        let mut polls = 0;
        loop {
            polls += 1;
            assert!(polls < 10, "it yields before each retry and then goes on");
            if let Poll::Ready(outcome) =
                future.as_mut().poll(&mut Context::from_waker(Waker::noop()))
            {
                break outcome;
            }
        }
    };
    assert_eq!(outcome, Ok(3));
    assert_eq!(slept, [Duration::from_secs(1); 2]);
}

#[test]
fn a_block_needs_no_feature() {
    let mut calls = 0;
    let outcome = retry::block!(stop = attempts(3), wait = none(), on = any_error(), || {
        calls += 1;
        if calls < 3 { None } else { Some(calls) }
    });
    assert_eq!(outcome, Some(3));
}

#[test]
fn a_policy_needs_a_sleep_and_no_feature() {
    let policy = retry::policy! { stop = attempts(3), wait = fixed(1ms), on = any_error() };
    let mut calls = 0;
    assert_eq!(policy.call(|| third_time(&mut calls)), Ok(3));

    let (calls, slept) = (Cell::new(0), Cell::new(Duration::ZERO));
    let sleep = |pause| {
        slept.set(slept.get() + pause);
        std::future::ready(())
    };
    let attempt = || {
        calls.set(calls.get() + 1);
        std::future::ready(if calls.get() < 3 { Err(()) } else { Ok(calls.get()) })
    };
    let mut future = pin!(policy.call_async_with(sleep, attempt));
    let mut poll = || future.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    assert_eq!([poll(), poll(), poll()], [Poll::Pending, Poll::Pending, Poll::Ready(Ok(3))]);
    assert_eq!(slept.get(), Duration::from_millis(2));

    let mut schedule = policy.schedule();
    assert_eq!(schedule.failed(&Err::<(), _>("no")), Step::Wait(Duration::from_millis(1)));
}

fn third_time(calls: &mut u32) -> Result<u32, ()> {
    *calls += 1;
    if *calls < 3 { Err(()) } else { Ok(*calls) }
}
