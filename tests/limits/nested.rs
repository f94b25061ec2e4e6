//! `nested`.

use retry::{Inherit as _, StopReason, record, record_sync, retry};

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

#[retry(name = "once", stop = attempts(5), wait = none(), on = any_error(), nested = once)]
async fn once() -> Result<(), ()> {
    tokio::task::yield_now().await;
    Err(())
}

/// The attempts of each call of `once` that ended under the future.
async fn attempts_of_once(future: impl Future) -> Vec<u32> {
    let (_, reports) = record(future).await;
    reports.iter().filter(|it| it.name() == "once").map(retry::Report::attempts).collect()
}

#[tokio::test(start_paused = true)]
async fn a_task_started_in_an_attempt_is_on_its_own_unless_it_inherits() {
    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    async fn outer(inherits: bool) -> Result<(), ()> {
        let task = async {
            let (outcome, reports) = record(once()).await;
            assert!(outcome.is_err());
            reports[0].attempts()
        };
        let task = if inherits { tokio::spawn(task.inherit()) } else { tokio::spawn(task) };
        assert_eq!(task.await.unwrap(), if inherits { 1 } else { 5 });
        Err(())
    }
    outer(false).await.unwrap_err();
    outer(true).await.unwrap_err();
    // Handed on from outside of every attempt it is not nested, whatever runs beside it.
    let task = tokio::spawn(record(once()).inherit());
    assert_eq!(task.await.unwrap().1[0].attempts(), 5);
}

#[tokio::test(start_paused = true)]
async fn every_branch_of_a_join_or_select_in_an_attempt_is_nested() {
    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    async fn joins() -> Result<(), ()> {
        let (one, two) = tokio::join!(once(), once());
        one.and(two)
    }
    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    async fn selects() -> Result<(), ()> {
        tokio::select! {
            outcome = once() => outcome,
            () = std::future::pending() => Ok(()),
        }
    }
    assert_eq!(attempts_of_once(joins()).await, [1; 4]);
    assert_eq!(attempts_of_once(selects()).await, [1; 2]);
}

#[tokio::test(start_paused = true)]
async fn a_hook_is_in_no_attempt_of_its_own_call_but_in_the_one_around() {
    #[retry(
        stop = attempts(2),
        wait = none(),
        on = any_error(),
        before_sleep = async |_, _| once().await.unwrap_err(),
    )]
    async fn hooked() -> Result<(), ()> {
        Err(())
    }
    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    async fn outer() -> Result<(), ()> {
        hooked().await
    }
    assert_eq!(attempts_of_once(hooked()).await, [5]);
    assert_eq!(attempts_of_once(outer()).await, [1, 1]);
}

#[tokio::test(start_paused = true)]
async fn a_call_of_a_policy_is_around_what_it_calls() {
    let policy = retry::policy! { stop = attempts(2), wait = none(), on = any_error() };
    let calls = policy.call_async(async || once().await);
    assert_eq!(attempts_of_once(calls).await, [1, 1]);
}

#[tokio::test(start_paused = true)]
async fn after_a_panic_in_an_attempt_nothing_is_nested_in_it() {
    use futures::FutureExt as _;
    use std::panic::AssertUnwindSafe;

    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    async fn panics() -> Result<(), ()> {
        once().await.unwrap_err();
        std::panic::resume_unwind(Box::new(()));
    }
    #[retry(stop = attempts(2), wait = none(), on = any_error(), nested = once)]
    async fn panics_inside() -> Result<(), ()> {
        assert!(AssertUnwindSafe(panics()).catch_unwind().await.is_err());
        once().await
    }
    let all = async {
        assert!(AssertUnwindSafe(panics()).catch_unwind().await.is_err());
        once().await.unwrap_err();
        panics_inside().await.unwrap_err();
    };
    // The last ones are still inside of the call that has caught the panic.
    assert_eq!(attempts_of_once(all).await, [1, 5, 1, 1, 1, 1]);
}
