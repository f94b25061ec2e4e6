//! Virtual time.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use retry::{StopReason, record, record_sync, retry, retry_with};

use super::report;
use crate::support::polling::finish;
use crate::support::secs;

/// What a test of a schedule of hours may take; that it is far less is for a benchmark to say.
const NO_TIME: Duration = Duration::from_secs(20);

#[retry(stop = attempts(5), wait = exponential(1h), on = any_error())]
fn hours() -> Result<(), ()> {
    Err(())
}

#[retry(stop = within(10h), wait = exponential(1h), on = any_error())]
async fn bounded_hours() -> Result<(), ()> {
    Err(())
}

fn in_hours(delays: impl Iterator<Item = Duration>) -> Vec<u64> {
    delays.map(|delay| delay.as_secs() / 3600).collect()
}

#[test]
fn a_sync_call_sleeps_its_exact_delays_in_no_time() {
    let start = Instant::now();
    let report = report(|| retry_with().virtual_time().sync_scope(hours));
    assert_eq!(in_hours(report.delays()), [1, 2, 4, 8]);
    assert_eq!(report.waited(), secs(15 * 3600));
    let elapsed = report.elapsed().unwrap();
    assert!(elapsed >= secs(15 * 3600) && elapsed < secs(15 * 3600) + NO_TIME, "{elapsed:?}");
    assert!(start.elapsed() < NO_TIME);
}

#[test]
fn an_async_call_needs_no_runtime_and_meets_its_limit_in_time() {
    let (_, reports) = finish(record(retry_with().virtual_time().scope(bounded_hours())));
    // 1 + 2 + 4 h, and 8 more would end after the ten.
    assert_eq!(in_hours(reports[0].delays()), [1, 2, 4]);
    assert_eq!((reports[0].attempts(), reports[0].reason()), (4, StopReason::Time));
}

#[tokio::test(start_paused = true)]
async fn it_adds_to_the_paused_clock_of_the_runtime() {
    #[retry(stop = within(10h), wait = fixed(2h), on = any_error())]
    async fn call(elapsed: &mut Vec<u64>) -> Result<(), ()> {
        tokio::time::sleep(secs(3600)).await;
        elapsed.push(retry::current().unwrap().elapsed().unwrap().as_secs() / 3600);
        Err(())
    }
    let mut elapsed = Vec::new();
    let before = tokio::time::Instant::now();
    let (_, reports) = record(retry_with().virtual_time().scope(call(&mut elapsed))).await;
    // The body's own hour passes on the runtime's clock, the two in between on ours.
    assert_eq!(elapsed, [1, 4, 7, 10]);
    assert_eq!(before.elapsed(), secs(4 * 3600));
    assert_eq!(reports[0].elapsed(), Some(secs(10 * 3600)));
    assert_eq!(reports[0].reason(), StopReason::Time);
}

#[tokio::test(start_paused = true)]
async fn without_it_the_paused_clock_moves() {
    let before = tokio::time::Instant::now();
    bounded_hours().await.unwrap_err();
    assert_eq!(before.elapsed(), secs(7 * 3600));
}

#[test]
fn a_sleep_of_the_attribute_is_not_called() {
    #[retry(
        stop = attempts(3),
        wait = fixed(1h),
        on = any_error(),
        sleep = |_: Duration| panic!("slept"),
    )]
    fn call() -> Result<(), ()> {
        Err(())
    }
    assert_eq!(report(|| retry_with().virtual_time().sync_scope(call)).attempts(), 3);
}

#[test]
fn what_an_inner_call_skips_passes_for_the_one_around_it() {
    #[retry(stop = within(10h), wait = fixed(1h), on = any_error())]
    fn outer(elapsed: &RefCell<Vec<u64>>) -> Result<(), ()> {
        #[retry(stop = attempts(2), wait = fixed(3h), on = any_error())]
        fn inner() -> Result<(), ()> {
            Err(())
        }
        let at = retry::current().unwrap();
        let result = inner();
        elapsed.borrow_mut().push(at.elapsed().unwrap().as_secs() / 3600);
        result
    }
    let run = |nested: bool| {
        let elapsed = RefCell::default();
        retry_with().virtual_time().sync_scope(|| {
            if nested {
                retry_with().virtual_time().sync_scope(|| outer(&elapsed)).unwrap_err();
            } else {
                outer(&elapsed).unwrap_err();
            }
        });
        elapsed.into_inner()
    };
    // 3 h inside and 1 h between: the third attempt ends at 11.
    assert_eq!(run(false), [3, 7, 11]);
    assert_eq!(run(true), [3, 7, 11]);
}

#[test]
fn a_scope_inside_the_body_passes_the_time_of_the_one_around_the_call() {
    #[retry(stop = attempts(2), wait = fixed(3h), on = any_error())]
    fn inner() -> Result<(), ()> {
        Err(())
    }
    #[retry(stop = within(4h), wait = fixed(1h), on = any_error())]
    fn outer() -> Result<(), ()> {
        retry_with().virtual_time().sync_scope(inner)
    }
    let (_, reports) = record_sync(|| retry_with().virtual_time().sync_scope(outer));
    let outer = reports.last().unwrap();
    // 3 h + 1 h is at the limit.
    assert_eq!((outer.attempts(), outer.reason()), (1, StopReason::Time));
}

#[test]
fn each_scope_starts_its_own_time() {
    let overrides = retry_with().virtual_time();
    let first = report(|| overrides.clone().sync_scope(hours));
    let second = report(|| overrides.sync_scope(hours));
    assert!(second.elapsed().unwrap() < first.elapsed().unwrap() + NO_TIME);
    // And an attempt's own duration has none of the pauses in it.
    assert!(second.history().iter().all(|attempt| attempt.duration().unwrap() < NO_TIME));
}

#[test]
fn the_longest_delays_neither_overflow_nor_hang() {
    #[retry(stop = attempts(50), wait = fixed(Duration::MAX), on = any_error())]
    fn call() -> Result<(), ()> {
        Err(())
    }
    let report = report(|| retry_with().virtual_time().sync_scope(call));
    assert_eq!((report.attempts(), report.waited()), (50, Duration::MAX));
}

#[test]
fn a_lifetime_is_skipped_as_a_minute_is() {
    const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);
    #[retry(stop = attempts(100), wait = fixed(YEAR), on = any_error())]
    fn yearly() -> Result<(), ()> {
        Err(())
    }
    let report = report(|| retry_with().virtual_time().sync_scope(yearly));
    let elapsed = report.elapsed().unwrap();
    assert!(elapsed >= 99 * YEAR && elapsed < 99 * YEAR + NO_TIME, "{elapsed:?}");
}
