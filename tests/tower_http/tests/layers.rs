//! The layer among tower's own, where time passes only by sleeping.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on should say where

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::time::Duration;

use retry::tower::RetryLayer;
use retry::{StopReason, policy};
use tower::util::BoxCloneSyncService;
use tower::{BoxError, Layer, Service, ServiceBuilder, ServiceExt, service_fn};

const fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

/// Fails most calls, and knows how many there were at once.
#[derive(Clone, Default)]
struct Flaky {
    calls: Arc<AtomicU32>,
    at_once: Arc<AtomicU32>,
    most: Arc<AtomicU32>,
}

impl Flaky {
    /// Every third call goes well. Takes a second.
    async fn call(self, request: u32) -> Result<u32, BoxError> {
        self.most.fetch_max(self.at_once.fetch_add(1, SeqCst) + 1, SeqCst);
        tokio::time::sleep(secs(1)).await;
        self.at_once.fetch_sub(1, SeqCst);
        match (self.calls.fetch_add(1, SeqCst) + 1) % 3 {
            0 => Ok(request),
            _ => Err("busy".into()),
        }
    }

    fn service(
        &self,
    ) -> impl Service<u32, Response = u32, Error = BoxError, Future: Send> + Clone + Send + Sync + use<>
    {
        let flaky = self.clone();
        service_fn(move |request| flaky.clone().call(request))
    }
}

/// As many calls at once, all of which must end.
async fn all(
    service: impl Service<u32, Response = u32, Error = BoxError, Future: Send> + Clone + Send + 'static,
    calls: u32,
) -> Vec<bool> {
    let calls: Vec<_> =
        (0..calls).map(|request| tokio::spawn(service.clone().oneshot(request))).collect();
    let mut went_well = Vec::new();
    for call in calls {
        let ended = tokio::time::timeout(secs(3600), call).await.expect("a deadlock");
        went_well.push(ended.unwrap().is_ok());
    }
    went_well
}

#[tokio::test(start_paused = true)]
async fn behind_a_buffer_of_one_nobody_waits_for_himself() {
    let policy = policy! { stop = attempts(50), wait = fixed(1s), on = any_error() };
    let flaky = Flaky::default();
    let service =
        ServiceBuilder::new().layer(RetryLayer::new(policy)).buffer(1).service(flaky.service());
    assert_eq!(all(service, 5).await, [true; 5]);
}

#[tokio::test(start_paused = true)]
async fn behind_a_concurrency_limit_of_one_nobody_waits_for_himself() {
    let policy = policy! { stop = attempts(50), wait = fixed(1s), on = any_error() };
    let flaky = Flaky::default();
    let service = ServiceBuilder::new()
        .layer(RetryLayer::new(policy))
        .concurrency_limit(1)
        .service(flaky.service());
    assert_eq!(all(service, 5).await, [true; 5]);
    assert_eq!(flaky.most.load(SeqCst), 1);
}

#[tokio::test(start_paused = true)]
async fn behind_both_and_under_both_nobody_waits_for_himself() {
    let policy = policy! { stop = attempts(50), wait = fixed(1s), on = any_error() };
    let flaky = Flaky::default();
    let service = ServiceBuilder::new()
        .buffer(1)
        .concurrency_limit(2)
        .layer(RetryLayer::new(policy))
        .buffer(1)
        .concurrency_limit(1)
        .service(flaky.service());
    assert_eq!(all(service, 5).await, [true; 5]);
    assert_eq!(flaky.most.load(SeqCst), 1);
}

/// A call keeps no place in its pauses, so another one runs in them.
#[tokio::test(start_paused = true)]
async fn a_place_is_free_in_the_pause() {
    let policy = policy! { stop = attempts(3), wait = fixed(1h), on = any_error() };
    let flaky = Flaky::default();
    let limited = ServiceBuilder::new().concurrency_limit(1).service(flaky.service());
    let mut retried = RetryLayer::new(policy).layer(limited.clone());
    let call = tokio::spawn(retried.ready().await.unwrap().call(1));
    tokio::time::sleep(secs(5)).await;
    let other = tokio::time::timeout(secs(5), limited.clone().oneshot(2)).await;
    assert!(other.is_ok(), "the place was held in the pause");
    assert_eq!(call.await.unwrap().unwrap(), 1);
}

/// Waiting in the queue of a limit is cut with the attempt, and the place in the queue is given up:
/// whoever is next in it would wait for a call that sleeps.
#[tokio::test(start_paused = true)]
async fn a_place_in_a_queue_is_given_up_with_the_attempt() {
    let policy = policy! {
        stop = attempts(9), wait = fixed(1m), on = any_error(),
        idempotent, attempt_timeout = 5s,
    };
    let flaky = Flaky::default();
    let limited = ServiceBuilder::new().concurrency_limit(1).service(flaky.service());
    let mut retried = RetryLayer::new(policy).layer(limited.clone());
    let call = retried.ready().await.unwrap().call(1);
    let call = tokio::spawn(call);
    // Its first attempt is over, and in its pause somebody else takes the place and keeps it.
    tokio::time::sleep(secs(30)).await;
    let mut holds = limited.clone();
    holds.ready().await.unwrap();
    // Its second attempt has waited in vain, and the place is free again in the pause after it.
    tokio::time::sleep(secs(40)).await;
    drop(holds);
    let other = tokio::time::timeout(secs(5), limited.clone().oneshot(2)).await;
    assert!(other.is_ok(), "the queue was kept in the pause");
    assert_eq!(call.await.unwrap().unwrap(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_timeout_below_limits_each_attempt_and_one_above_the_call() {
    let hangs = || service_fn(|_: u32| std::future::pending::<Result<u32, BoxError>>());
    let policy = policy! {
        stop = attempts(3), wait = fixed(1s), on = is::<tower::timeout::error::Elapsed>(),
    };
    let start = tokio::time::Instant::now();
    let below =
        ServiceBuilder::new().layer(RetryLayer::new(policy)).timeout(secs(2)).service(hangs());
    let error = below.oneshot(1).await.unwrap_err();
    assert!(error.is::<tower::timeout::error::Elapsed>());
    assert_eq!(start.elapsed(), secs(2 + 1 + 2 + 1 + 2));

    let start = tokio::time::Instant::now();
    let above =
        ServiceBuilder::new().timeout(secs(2)).layer(RetryLayer::new(policy)).service(hangs());
    let (outcome, reports) = retry::record(above.oneshot(1)).await;
    assert!(outcome.is_err());
    assert_eq!(start.elapsed(), secs(2));
    assert_eq!(reports[0].reason(), StopReason::Cancelled);
}

/// A `Buffer` whose worker has ended says so by its readiness, for good.
#[tokio::test(start_paused = true)]
async fn a_buffer_that_is_closed_ends_the_call() {
    let policy = policy! { stop = attempts(3), wait = fixed(1s), on = any_error() };
    let ended = service_fn(|_: u32| async { Err::<u32, BoxError>("down".into()) });
    let (buffer, worker) = tower::buffer::Buffer::pair(ended, 1);
    let worker = tokio::spawn(worker);
    let mut service = RetryLayer::new(policy).layer(buffer);
    let call = tokio::spawn(service.ready().await.unwrap().call(1));
    tokio::time::sleep(Duration::from_millis(500)).await;
    worker.abort();
    assert!(call.await.unwrap().unwrap_err().is::<tower::buffer::error::Closed>());
}

#[tokio::test(start_paused = true)]
async fn a_service_with_it_can_be_boxed_and_shared() {
    let policy = policy! { stop = attempts(3), wait = fixed(1s), on = any_error() };
    let service =
        ServiceBuilder::new().layer(RetryLayer::new(policy)).service(Flaky::default().service());
    let boxed = BoxCloneSyncService::new(service);
    assert_eq!(boxed.oneshot(7).await.unwrap(), 7);
}
