//! `nested`.

use retry::{StopReason, record, record_sync, retry};

#[test]
fn a_call_that_is_retried_once_when_nested_makes_one_attempt_there_and_all_of_them_alone() {
    #[retry(stop = attempts(5), wait = none(), on = any_error(), nested = once)]
    fn inner(calls: &mut u32) -> Result<(), ()> {
        *calls += 1;
        Err(())
    }
    #[retry(stop = attempts(3), wait = none(), on = any_error())]
    fn outer(calls: &mut u32) -> Result<(), ()> {
        inner(calls)
    }
    let mut calls = 0;
    let (_, reports) = record_sync(|| outer(&mut calls));
    assert_eq!(calls, 3);
    let reasons: Vec<_> = reports.iter().map(|it| (it.attempts(), it.reason())).collect();
    let nested = (1, StopReason::Nested);
    assert_eq!(reasons, [nested, nested, nested, (3, StopReason::Attempts)]);
    let mut calls = 0;
    inner(&mut calls).unwrap_err();
    assert_eq!(calls, 5);
}

#[tokio::test(start_paused = true)]
async fn an_async_call_knows_that_it_is_nested_when_it_is_polled() {
    #[retry(stop = attempts(5), wait = none(), on = any_error(), nested = once)]
    async fn inner() -> Result<(), ()> {
        Err(())
    }
    #[retry(stop = attempts(3), wait = none(), on = any_error())]
    async fn outer() -> Result<(), ()> {
        tokio::task::yield_now().await;
        inner().await
    }
    let (_, reports) = record(outer()).await;
    let attempts: Vec<_> = reports.iter().map(retry::Report::attempts).collect();
    assert_eq!(attempts, [1, 1, 1, 3]);
    // Side by side with a retried call is not inside of it.
    let (_, reports) = record(async { tokio::join!(outer(), inner()) }).await;
    let alone = reports.iter().filter(|it| it.attempts() == 5).count();
    assert_eq!(alone, 1);
}

#[test]
fn the_permanent_failure_and_the_success_of_a_nested_call_are_what_they_are() {
    #[retry(stop = attempts(5), wait = none(), on = |error| *error > 1, nested = once)]
    fn inner(outcome: Result<(), u32>) -> Result<(), u32> {
        outcome
    }
    #[retry(stop = attempts(3), wait = none(), on = |_| false)]
    fn outer(outcome: Result<(), u32>) -> Result<(), u32> {
        inner(outcome)
    }
    let reason = |outcome| record_sync(|| outer(outcome)).1[0].reason();
    assert_eq!(reason(Ok(())), StopReason::Success);
    assert_eq!(reason(Err(1)), StopReason::Permanent);
    assert_eq!(reason(Err(2)), StopReason::Nested);
}
