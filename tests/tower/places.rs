//! Readiness, and that no place is kept while nobody uses it.

use super::*;

fn fails_twice() -> [Step; 3] {
    [Step::Fails(Fault::Busy), Step::Fails(Fault::Busy), Step::Answer(200)]
}

#[tokio::test(start_paused = true)]
async fn a_service_with_one_place_is_retried_in_it() {
    let policy = policy! { name = "one_place", stop = attempts(3), wait = fixed(1s) };
    let scripted = Scripted::new(fails_twice());
    let mut service = RetryLayer::new(policy).layer(scripted.watch());
    let start = tokio::time::Instant::now();
    let answer = service.ready().await.unwrap().call("a".to_owned()).await.unwrap();
    assert_eq!((answer.0, start.elapsed()), (200, secs(2)));
    assert_eq!(scripted.requests(), ["a", "a", "a"]);
    assert_eq!(scripted.attempts(), [Some(1), Some(2), Some(3)]);
    let counted = site("one_place");
    assert_eq!((counted.calls(), counted.recovered(), counted.retries()), (1, 1, 2));
}

#[tokio::test(start_paused = true)]
async fn a_first_success_costs_one_clone_of_the_service() {
    let policy = policy! { stop = attempts(3), wait = fixed(1s) };
    let scripted = Scripted::new([Step::Answer(200)]);
    let mut service = RetryLayer::new(policy).layer(scripted.watch());
    assert!(service.ready().await.unwrap().call("a".to_owned()).await.is_ok());
    assert_eq!(scripted.clones(), 1);
}

/// The answer holds the place, as one that holds a connection does.
#[tokio::test(start_paused = true)]
async fn an_answer_that_is_retried_is_gone_before_the_pause() {
    let policy = policy! {
        stop = attempts(2),
        wait = fixed(1s),
        on = ok(|answer: &service::Answer| answer.0 == 503),
        deadline = 1m,
    };
    let scripted = Scripted::new([Step::Answer(503), Step::Answer(503)]);
    let mut service = RetryLayer::new(policy).layer(scripted.watch());
    let call = service.ready().await.unwrap().call("a".to_owned());
    let pauses = tokio::time::timeout(ms(500), call);
    assert_eq!(scripted.free(), 0);
    let mut pauses = Box::pin(pauses);
    assert!(futures::poll!(&mut pauses).is_pending());
    assert_eq!((scripted.requests().len(), scripted.free()), (1, 1));
    assert!(pauses.await.is_err());

    let scripted = Scripted::new([Step::Answer(503), Step::Answer(503)]);
    let mut service = RetryLayer::new(policy).layer(scripted.watch());
    let answer = service.ready().await.unwrap().call("a".to_owned()).await;
    assert_eq!(answer.unwrap().0, 503, "the last answer itself");
    assert_eq!(scripted.requests().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn two_calls_share_one_place_in_each_others_pauses() {
    let policy = policy! { stop = attempts(4), wait = fixed(1s) };
    let steps = [fails_twice(), fails_twice()].concat();
    let scripted = Scripted::new(steps.into_iter().chain([Step::Answer(200)]));
    let service = RetryLayer::new(policy).layer(scripted.watch());
    let call = |name: &str| service.clone().oneshot(name.to_owned());
    let drop_answer = async |name| call(name).await.map(|answer| answer.0);
    let both = async { tokio::join!(drop_answer("a"), drop_answer("b")) };
    let (a, b) = tokio::time::timeout(secs(60), both).await.expect("a deadlock");
    assert_eq!((a, b, scripted.free()), (Ok(200), Ok(200), 1));
}

#[tokio::test(start_paused = true)]
async fn a_service_whose_readiness_fails_is_replaced_before_it_is_asked_again() {
    let policy = policy! { stop = attempts(4), wait = fixed(1s) };
    let unready = || Step::Unready(Fault::Busy);
    let steps = [Step::Fails(Fault::Busy), unready(), unready(), Step::Answer(200)];
    let scripted = Scripted::new(steps);
    let mut service = RetryLayer::new(policy).layer(scripted.watch());
    let answer = service.ready().await.unwrap().call("a".to_owned()).await;
    assert_eq!(answer.unwrap().0, 200);
    assert_eq!(scripted.requests(), ["a", "a"]);
    assert_eq!(scripted.free(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_final_error_of_the_readiness_ends_the_call() {
    let policy = policy! { stop = attempts(4), wait = fixed(1s) };
    let scripted = Scripted::new([Step::Fails(Fault::Busy), Step::Unready(Fault::Gone)]);
    let mut service = RetryLayer::new(policy).layer(scripted.watch());
    let answer = service.ready().await.unwrap().call("a".to_owned()).await;
    assert_eq!(answer.unwrap_err(), Fault::Gone);
    assert_eq!(scripted.requests(), ["a"]);
}

#[tokio::test(start_paused = true)]
async fn the_readiness_of_the_layer_is_that_of_the_service() {
    let policy = policy! { stop = attempts(4), wait = fixed(1s) };
    let scripted = Scripted::new([Step::Unready(Fault::Busy)]);
    let mut service = RetryLayer::new(policy).layer(scripted.watch());
    assert_eq!(service.ready().await.err(), Some(Fault::Busy));
}

#[tokio::test(start_paused = true)]
async fn a_call_dropped_anywhere_gives_back_its_place_and_counts_as_cancelled() {
    let policy = policy! { name = "dropped", stop = attempts(4), wait = fixed(1s) };
    let scripted = Scripted::new([Step::Hangs, Step::Fails(Fault::Busy)]);
    let service = RetryLayer::new(policy).layer(scripted.watch());
    let unpolled = service.clone().ready().await.unwrap().call("a".to_owned());
    drop(unpolled);
    assert_eq!(scripted.free(), 1);
    for calls in 1..=2 {
        let call = service.clone().oneshot("a".to_owned());
        assert!(tokio::time::timeout(ms(500), call).await.is_err());
        assert_eq!((scripted.free(), scripted.requests().len()), (1, calls));
    }
    let counted = site("dropped");
    assert_eq!((counted.calls(), counted.cancelled(), counted.retries()), (2, 2, 0));
}

#[tokio::test(start_paused = true)]
async fn a_panic_is_one_even_if_the_future_is_dropped_later() {
    let policy = policy! { name = "panics", stop = attempts(4), wait = fixed(1s) };
    let scripted = Scripted::new([Step::Panics]);
    let mut service = RetryLayer::new(policy).layer(scripted.watch());
    let mut call = Box::pin(service.ready().await.unwrap().call("a".to_owned()));
    let poll = std::panic::AssertUnwindSafe(async { (&mut call).await.map(|answer| answer.0) });
    assert!(futures::FutureExt::catch_unwind(poll).await.is_err());
    assert!(retry::current().is_none());
    drop(call);
    let counted = site("panics");
    assert_eq!((counted.calls(), counted.cancelled(), counted.panicked()), (1, 0, 1));
    assert_eq!(scripted.free(), 1);
}
