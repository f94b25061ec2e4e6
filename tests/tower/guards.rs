//! The guards of the policy around a service.

use retry::{Breaker, Budget, Interruption};

use super::*;

#[tokio::test(start_paused = true)]
async fn an_attempt_that_hangs_is_cut_and_made_again() {
    let policy = policy! {
        stop = attempts(3), wait = fixed(1s), idempotent, attempt_timeout = 2s,
    };
    let scripted = Scripted::new([Step::Hangs, Step::Answer(200)]);
    let mut service = RetryLayer::new(policy).layer(scripted.watch());
    let start = tokio::time::Instant::now();
    let answer = service.ready().await.unwrap().call("a".to_owned()).await.unwrap();
    assert_eq!((answer.0, start.elapsed()), (200, secs(3)));
}

/// It holds a place while it waits, which is given back with the attempt.
#[tokio::test(start_paused = true)]
async fn the_wait_for_readiness_is_cut_with_its_attempt() {
    let policy = policy! {
        stop = attempts(3), wait = fixed(1s), idempotent, attempt_timeout = 2s,
    };
    let scripted = Scripted::new([Step::Fails(Fault::Busy), Step::Stuck, Step::Answer(200)]);
    let mut service = RetryLayer::new(policy).layer(scripted.watch());
    let call = service.ready().await.unwrap().call("a".to_owned());
    let answer = tokio::spawn(call);
    tokio::time::sleep(ms(2500)).await;
    assert_eq!(scripted.free(), 0);
    tokio::time::sleep(secs(1)).await;
    assert_eq!(scripted.free(), 1, "in the pause");
    scripted.skip();
    assert_eq!(answer.await.unwrap().unwrap().0, 200);
    assert_eq!(scripted.requests().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_deadline_gives_the_last_error_or_says_that_it_came() {
    let policy = policy! { stop = attempts(9), wait = fixed(1s), deadline = 10s };
    let scripted = Scripted::new([Step::Fails(Fault::Busy), Step::Hangs]);
    let mut service = RetryLayer::new(policy).layer(scripted.watch());
    let start = tokio::time::Instant::now();
    let outcome = service.ready().await.unwrap().call("a".to_owned()).await;
    assert_eq!((outcome.unwrap_err(), start.elapsed()), (Fault::Busy, secs(10)));

    let scripted = Scripted::new([Step::Hangs]);
    let mut service = RetryLayer::new(policy).layer(scripted.watch());
    let outcome = service.ready().await.unwrap().call("a".to_owned()).await;
    let Err(Fault::Interrupted(interrupted)) = outcome else { panic!("{outcome:?}") };
    assert_eq!(interrupted.by(), Interruption::Deadline);
}

/// An answer is gone when the next attempt is asked for, so there is none to end with.
#[tokio::test(start_paused = true)]
async fn a_deadline_after_answers_says_how_long_the_call_has_been_running() {
    let policy = policy! {
        stop = attempts(9), wait = fixed(1s), deadline = 10s,
        on = ok(|answer: &service::Answer| answer.0 == 503),
    };
    let scripted = Scripted::new([Step::Answer(503), Step::Answer(503)]);
    let sleep = |pause| tokio::time::sleep(12 * pause);
    let mut service = RetryLayer::with_sleep(policy, sleep).layer(scripted.watch());
    let outcome = service.ready().await.unwrap().call("a".to_owned()).await;
    let Err(Fault::Interrupted(interrupted)) = outcome else { panic!("{outcome:?}") };
    assert_eq!((interrupted.by(), interrupted.after()), (Interruption::Deadline, Some(secs(12))));
}

static BREAKER: Breaker = Breaker::consecutive(2);

#[tokio::test(start_paused = true)]
async fn a_call_refused_by_the_breaker_sends_nothing_and_keeps_no_place() {
    let policy = policy! { stop = attempts(9), wait = fixed(1s), breaker = &BREAKER };
    let scripted = Scripted::new([Step::Fails(Fault::Busy), Step::Fails(Fault::Busy)]);
    let mut service = RetryLayer::new(policy).layer(scripted.watch());
    let outcome = service.ready().await.unwrap().call("a".to_owned()).await;
    assert_eq!(outcome.unwrap_err(), Fault::Busy);
    let mut refused = Box::pin(service.ready().await.unwrap().call("b".to_owned()));
    let outcome = (&mut refused).await;
    assert_eq!(scripted.free(), 1, "before its future is dropped");
    let Err(Fault::Interrupted(interrupted)) = outcome else { panic!("{outcome:?}") };
    assert_eq!(interrupted.by(), Interruption::BreakerOpen);
    assert_eq!(scripted.requests(), ["a", "a"]);
}

static BUDGET: Budget = Budget::new(14);

#[tokio::test(start_paused = true)]
async fn a_budget_that_is_used_up_ends_a_call_with_its_outcome() {
    let policy = policy! { stop = attempts(9), wait = fixed(1s), budget = &BUDGET };
    let scripted = Scripted::new([Step::Fails(Fault::Busy), Step::Fails(Fault::Busy)]);
    let mut service = RetryLayer::new(policy).layer(scripted.watch());
    let call = service.ready().await.unwrap().call("a".to_owned());
    let (outcome, reports) = retry::record(call).await;
    assert_eq!(outcome.unwrap_err(), Fault::Busy);
    assert_eq!((reports[0].reason(), reports[0].attempts()), (StopReason::Budget, 2));
}
