//! Requests that are cloned or not, idempotent or not; overrides, reports and what can be sent.

use std::sync::LazyLock;

use retry::{BoxedPolicy, retry_with};

use super::*;

fn busy(times: usize) -> Scripted {
    Scripted::new(std::iter::repeat_n(Step::Fails(Fault::Busy), times))
}

#[tokio::test(start_paused = true)]
async fn a_request_that_cannot_be_cloned_is_sent_once_which_the_report_says() {
    let policy = policy! { name = "unclonable", stop = attempts(9), wait = fixed(1s) };
    let scripted = busy(1);
    let layer = RetryLayer::new(policy).clone_request(|_: &String| None);
    let call = layer.layer(scripted.watch()).oneshot("a".to_owned());
    let (outcome, reports) = retry::record(call).await;
    assert_eq!(outcome.unwrap_err(), Fault::Busy);
    let report = &reports[0];
    assert_eq!((report.name(), report.attempts()), ("unclonable", 1));
    assert_eq!(report.reason(), StopReason::Attempts);
    assert_eq!(report.history()[0].error(), Some("Busy"));
    assert_eq!(scripted.requests(), ["a"]);
    assert_eq!(site("unclonable").given_up_for(StopReason::Attempts), 1);
}

/// Neither does what a test says of `stop` make a request out of nothing.
#[tokio::test(start_paused = true)]
async fn overrides_do_not_repeat_what_cannot_be() {
    let policy = policy! { stop = attempts(9), wait = fixed(1s) };
    let scripted = busy(1);
    let layer = RetryLayer::new(policy).clone_request(|_: &String| None);
    let call = layer.layer(scripted.watch()).oneshot("a".to_owned());
    let outcome = retry_with().stop(retry::stop::attempts(5)).scope(call).await;
    assert_eq!((outcome.unwrap_err(), scripted.requests().len()), (Fault::Busy, 1));
}

#[tokio::test(start_paused = true)]
async fn a_function_may_change_the_request_and_end_the_call_later() {
    let policy = policy! { stop = attempts(9), wait = fixed(1s) };
    let scripted = busy(3);
    let longer = |it: &String| (it.len() < 3).then(|| format!("{it}!"));
    let layer = RetryLayer::new(policy).clone_request(longer);
    let call = layer.layer(scripted.watch()).oneshot("a".to_owned());
    assert_eq!(call.await.unwrap_err(), Fault::Busy);
    assert_eq!(scripted.requests(), ["a", "a!", "a!!"]);
}

#[tokio::test(start_paused = true)]
async fn only_idempotent_requests_are_repeated_after_an_ambiguous_failure() {
    let sent = async |request: &str| {
        let policy = policy! { stop = attempts(3), wait = fixed(1s) };
        let scripted = Scripted::new([Step::Fails(Fault::Lost), Step::Answer(200)]);
        let layer =
            RetryLayer::new(policy).idempotent_if(|request: &String| request.starts_with("GET"));
        let call = layer.layer(scripted.watch()).oneshot(request.to_owned());
        let (outcome, reports) = retry::record(call).await;
        (outcome.is_ok(), scripted.requests().len(), reports[0].reason())
    };
    assert_eq!(sent("GET /").await, (true, 2, StopReason::Success));
    assert_eq!(sent("POST /").await, (false, 1, StopReason::Ambiguous));
}

/// It has the last word both ways, and beside a function that clones.
#[tokio::test(start_paused = true)]
async fn idempotent_if_stands_in_place_of_what_the_policy_says() {
    let policy = policy! { stop = attempts(3), wait = fixed(1s), idempotent };
    let scripted = Scripted::new([Step::Fails(Fault::Lost)]);
    let layer = RetryLayer::new(policy)
        .clone_request(|request: &String| Some(request.clone()))
        .idempotent_if(|_: &String| false);
    let call = layer.layer(scripted.watch()).oneshot("a".to_owned());
    assert_eq!(call.await.unwrap_err(), Fault::Lost);
    assert_eq!(scripted.requests().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn virtual_time_and_the_switch_reach_a_service() {
    let policy = policy! { name = "overridden", stop = attempts(5), wait = exponential(1h) };
    let layer = RetryLayer::new(policy);
    let scripted = busy(5);
    let start = tokio::time::Instant::now();
    let call = layer.layer(scripted.watch()).oneshot("a".to_owned());
    let call = retry_with().virtual_time().only("overridden").scope(call);
    let (outcome, reports) = retry::record(call).await;
    assert_eq!((outcome.unwrap_err(), start.elapsed()), (Fault::Busy, ms(0)));
    assert!(reports[0].delays().eq([1, 2, 4, 8].map(|hours| secs(3600 * hours))));

    let scripted = busy(1);
    let call = layer.layer(scripted.watch()).oneshot("a".to_owned());
    assert!(retry_with().enabled(false).scope(call).await.is_err());
    assert_eq!(scripted.requests().len(), 1);
    assert_eq!(site("overridden").disabled(), 1);
}

static SHARED: LazyLock<BoxedPolicy<Fault>> =
    LazyLock::new(|| policy! { stop = attempts(2), wait = fixed(1s) }.boxed());

#[tokio::test(start_paused = true)]
async fn a_static_policy_serves_and_the_call_can_be_spawned() {
    let scripted = Scripted::new([Step::Fails(Fault::Busy), Step::Answer(200)]);
    let service = send::sendable(RetryLayer::new(&*SHARED).layer(scripted.watch()));
    let mut named = NamedFuture(service);
    let answer = tokio::spawn(named.0.ready().await.unwrap().call("a".to_owned())).await;
    assert_eq!(answer.unwrap().unwrap().0, 200);
}

/// All types have names.
struct NamedFuture(retry::tower::Retry<&'static BoxedPolicy<Fault>, Scripted>);

#[tokio::test(start_paused = true)]
async fn it_waits_by_the_users_own_sleep() {
    static SLEPT: std::sync::Mutex<Vec<std::time::Duration>> = std::sync::Mutex::new(Vec::new());
    let policy = policy! { stop = attempts(3), wait = sequence([0s, 3s]) };
    let sleep = async |pause| SLEPT.lock().unwrap().push(pause);
    let scripted = busy(3);
    let layer = RetryLayer::with_sleep(policy, sleep);
    assert!(layer.layer(scripted.watch()).oneshot("a".to_owned()).await.is_err());
    assert_eq!(*SLEPT.lock().unwrap(), [secs(3)]);
}

#[tokio::test(start_paused = true)]
async fn what_is_shown_of_it_names_the_policy_and_shows_no_request() {
    let policy = policy! { name = "shown", stop = attempts(3), wait = fixed(1s) };
    let layer = RetryLayer::new(policy);
    let mut service = layer.layer(Scripted::new([Step::Answer(200)]));
    let call = service.ready().await.unwrap().call("secret".to_owned());
    let shown = format!("{call:?} {layer:?}");
    assert!(shown.contains("shown") && !shown.contains("secret"), "{shown}");
}
