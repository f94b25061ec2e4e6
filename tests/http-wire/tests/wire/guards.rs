//! `send_retrying` by policies with limits and guards.

use retry::reqwest::{RequestBuilderExt, RequestError};
use retry::{
    BoxedPolicy, Breaker, Budget, Interruption, Limited, Report, StopReason, policy, record,
    retry_with, stop,
};
use std::time::Duration;

use crate::pass::pass;
use crate::server::{After, Server, Step, answer, client};

type Guarded = BoxedPolicy<RequestError, stop::Bounded, Limited>;

/// Twenty seconds in all, and no waits.
fn twenty() -> Guarded {
    policy! { stop = attempts(5), wait = none(), deadline = 20s }.boxed()
}

/// Six seconds for an attempt; the requests themselves say what may be repeated.
fn six() -> Guarded {
    policy! { stop = attempts(3), wait = none(), attempt_timeout = 6s, idempotent = false }.boxed()
}

type Outcome = Result<reqwest::Response, RequestError>;

async fn sent(request: impl IntoFuture<Output = Outcome>) -> (Outcome, Report) {
    let (outcome, mut reports) = record(request.into_future()).await;
    (outcome, reports.pop().expect("a report"))
}

const fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

#[tokio::test]
async fn a_deadline_in_an_attempt_gives_the_answer_before_it() {
    let server = Server::of([answer(503, "X-Last: yes\r\n"), Step::Hang(secs(20))]).await;
    let (outcome, report) = sent(client().get(&server.url).send_retrying(&twenty())).await;
    let response = outcome.expect("an answer");
    assert_eq!(
        (response.status().as_u16(), &response.headers()["x-last"]),
        (503, &"yes".parse().unwrap())
    );
    assert_eq!(response.url().as_str(), server.url);
    assert_eq!(response.text().await.expect("a body"), "body of 503");
    assert_eq!((report.reason(), report.attempts(), server.seen().len()), (StopReason::Time, 2, 2));
}

#[tokio::test]
async fn a_deadline_in_an_attempt_gives_the_error_before_it() {
    let server = Server::of([Step::Reset, Step::Hang(secs(20))]).await;
    let (outcome, report) = sent(client().get(&server.url).send_retrying(&twenty())).await;
    let error = outcome.expect_err("a reset");
    assert!(error.failed().is_some_and(reqwest::Error::is_request), "{error:?}");
    assert_eq!((report.reason(), server.seen().len()), (StopReason::Time, 2));
}

#[tokio::test]
async fn a_deadline_in_the_first_attempt_says_so() {
    let server = Server::of([Step::Hang(secs(20))]).await;
    let (outcome, report) = sent(client().get(&server.url).send_retrying(&twenty())).await;
    let interrupted = outcome.expect_err("no answer").interrupted().expect("an interruption");
    assert_eq!(interrupted.by(), Interruption::Deadline);
    assert_eq!((report.reason(), server.seen().len()), (StopReason::Time, 1));
}

/// Its headers have come: it is a real answer, whether or not its body comes.
#[tokio::test]
async fn a_deadline_while_an_answer_is_read_gives_that_answer() {
    let slow = "HTTP/1.1 503 X\r\nContent-Length: 100\r\n\r\nten bytes.";
    let (before, rest) = (Duration::from_millis(19_950), Duration::from_millis(50));
    let steps = [Step::Late(before), Step::HeadThen(slow, After::Hang(rest))];
    let server = Server::of(steps).await;
    let (outcome, report) = sent(client().get(&server.url).send_retrying(&twenty())).await;
    let mut response = outcome.expect("an answer");
    assert_eq!((response.status().as_u16(), report.reason()), (503, StopReason::Time));
    assert_eq!(response.chunk().await.expect("no error").expect("a part"), "ten bytes.");
}

/// The answer that comes after it is the last one, or else it is that one, and not what cut it.
#[tokio::test]
async fn an_answer_that_was_cut_while_it_was_read_is_the_last_until_the_next_one() {
    let slow = "HTTP/1.1 503 X\r\nContent-Length: 100\r\n\r\nten bytes.";
    let (before, rest) = (Duration::from_millis(5_950), Duration::from_millis(50));
    let cut = || [Step::Late(before), Step::HeadThen(slow, After::Hang(rest))];
    let with = |step| cut().into_iter().chain([step]);
    let server = Server::of(with(answer(404, ""))).await;
    let (outcome, report) = sent(client().get(&server.url).send_retrying(&six())).await;
    assert_eq!(outcome.expect("an answer").status(), 404);
    assert_eq!((report.attempts(), report.reason()), (2, StopReason::Success));

    let policy = policy! {
        stop = attempts(2), wait = none(), deadline = 20s, attempt_timeout = 6s, idempotent = false,
    };
    let policy = policy.boxed::<RequestError>();
    let server = Server::of(with(Step::Hang(secs(20)))).await;
    let (outcome, report) = sent(client().get(&server.url).send_retrying(&policy)).await;
    assert_eq!(outcome.expect("an answer").status(), 503);
    assert_eq!((report.attempts(), server.seen().len()), (2, 2));
}

#[tokio::test]
async fn a_hint_past_the_deadline_returns_the_answer_at_once() {
    let hour = "Retry-After: 3600\r\n";
    for status in [429, 503] {
        let server = Server::of([answer(status, hour)]).await;
        let (outcome, report) = sent(client().get(&server.url).send_retrying(&twenty())).await;
        let response = outcome.expect("an answer");
        assert_eq!(response.status().as_u16(), status);
        assert_eq!((report.reason(), server.seen().len()), (StopReason::HintTooLong, 1));
        assert_eq!(response.text().await.expect("a body"), format!("body of {status}"));
    }
}

#[tokio::test]
async fn an_attempt_that_takes_too_long_is_cut_and_made_again() {
    let server = Server::of([Step::Hang(secs(6)), answer(200, "")]).await;
    let (outcome, report) = sent(client().get(&server.url).send_retrying(&six())).await;
    assert_eq!(outcome.expect("an answer").status(), 200);
    assert_eq!((report.attempts(), server.seen().len()), (2, 2));
    assert_eq!(server.seen()[0].connection + 1, server.seen()[1].connection, "it was closed");
}

#[tokio::test]
async fn a_post_that_was_cut_is_repeated_with_a_key_only() {
    let server = Server::of([Step::Hang(secs(6)), answer(200, "")]).await;
    let (outcome, report) = sent(client().post(&server.url).send_retrying(&six())).await;
    let interrupted = outcome.expect_err("cut").interrupted().expect("an interruption");
    assert_eq!(interrupted.by(), Interruption::AttemptTimeout);
    assert_eq!((report.reason(), server.seen().len()), (StopReason::Ambiguous, 1));

    let server = Server::of([Step::Hang(secs(6)), answer(200, "")]).await;
    let outcome = client().post(&server.url).send_retrying(&six()).keyed().await;
    assert_eq!(outcome.expect("an answer").status(), 200);
    let seen = server.seen();
    assert_eq!((seen.len(), seen[0].key.is_some(), &seen[0].key), (2, true, &seen[1].key));
}

#[tokio::test]
async fn a_stream_that_was_cut_is_not_sent_again() {
    let server = Server::of([Step::Hang(secs(6)), answer(200, "")]).await;
    let stream = reqwest::Body::wrap(reqwest::Body::from("stream"));
    let put = client().put(&server.url).body(stream);
    let (outcome, report) = sent(put.send_retrying(&six()).idempotent()).await;
    assert!(outcome.is_err_and(|error| error.interrupted().is_some()));
    assert_eq!((report.reason(), server.seen().len()), (StopReason::Ambiguous, 1));
}

#[tokio::test]
async fn an_open_breaker_sends_nothing() {
    static BREAKER: Breaker = Breaker::consecutive(2);
    let policy: Guarded = policy! { stop = attempts(5), wait = none(), breaker = &BREAKER }.boxed();
    let server = Server::of([answer(503, ""), answer(503, "")]).await;
    let (outcome, report) = sent(client().get(&server.url).send_retrying(&policy)).await;
    assert_eq!(outcome.expect("the last answer").status(), 503);
    assert_eq!((report.reason(), report.attempts()), (StopReason::BreakerOpen, 2));

    let (outcome, report) = sent(client().get(&server.url).send_retrying(&policy)).await;
    let interrupted = outcome.expect_err("refused").interrupted().expect("an interruption");
    assert_eq!(interrupted.by(), Interruption::BreakerOpen);
    assert_eq!((report.reason(), report.attempts()), (StopReason::BreakerOpen, 0));
    assert_eq!(server.seen().len(), 2);
}

#[tokio::test]
async fn answers_that_stay_close_a_breaker() {
    static BREAKER: Breaker = Breaker::consecutive(2);
    let policy: Guarded = policy! { stop = attempts(2), wait = none(), breaker = &BREAKER }.boxed();
    let steps = [answer(503, ""), answer(404, ""), answer(503, ""), answer(404, "")];
    let server = Server::of(steps).await;
    for _ in 0..2 {
        let outcome = client().get(&server.url).send_retrying(&policy).await;
        assert_eq!(outcome.expect("an answer").status(), 404);
    }
}

#[tokio::test]
async fn an_empty_budget_returns_the_last_answer_at_once() {
    static BUDGET: Budget = Budget::new(14);
    let policy = policy! { stop = attempts(5), wait = fixed(1h), budget = &BUDGET };
    let policy = policy.boxed::<RequestError>();
    let server = Server::of([answer(502, ""), answer(502, ""), answer(502, "")]).await;
    let request = client().get(&server.url);
    let (outcome, report) =
        retry_with().virtual_time().scope(sent(request.send_retrying(&policy))).await;
    assert_eq!(outcome.expect("the last answer").status(), 502);
    assert_eq!((report.reason(), report.attempts()), (StopReason::Budget, 2));
    // And now it is empty: the clock stands where it is.
    let (outcome, report) = sent(client().get(&server.url).send_retrying(&policy)).await;
    let response = outcome.expect("the last answer");
    assert_eq!((response.status().as_u16(), report.reason()), (502, StopReason::Budget));
    assert_eq!(response.text().await.expect("a body"), "body of 502");
    assert_eq!((report.attempts(), server.seen().len()), (1, 3));
}

#[tokio::test]
async fn a_call_that_is_dropped_gives_its_permit_back_and_counts_as_cancelled() {
    static BREAKER: Breaker = Breaker::consecutive(1).open_for(secs(1)).probes(1);
    let policy: Guarded = policy! {
        name = "dropped", stop = attempts(5), wait = none(), deadline = 1h, breaker = &BREAKER,
    }
    .boxed();
    let steps = [answer(503, ""), Step::Hang(Duration::ZERO), answer(200, "")];
    let server = Server::of(steps).await;
    let opened = client().get(&server.url).send_retrying(&policy).await;
    assert_eq!(opened.expect("an answer").status(), 503);
    pass(secs(60)).await;
    let (request, probing) = (client().get(&server.url), policy.clone());
    let probe = tokio::spawn(async move { request.send_retrying(&probing).await.is_ok() });
    while server.seen().len() < 2 {
        assert!(!probe.is_finished(), "it is let through");
        tokio::task::yield_now().await;
    }
    let refused = client().get(&server.url).send_retrying(&policy).await;
    assert!(refused.is_err(), "there is one probe");
    probe.abort();
    assert!(probe.await.expect_err("aborted").is_cancelled());

    let outcome = client().get(&server.url).send_retrying(&policy).await;
    assert_eq!(outcome.expect("an answer").status(), 200);
    let sites = retry::sites();
    let site = sites.get("dropped").expect("counted");
    assert_eq!((site.calls(), site.cancelled(), site.attempts()), (4, 1, 3));
}

#[tokio::test]
async fn a_deadline_around_the_call_limits_its_waits() {
    let server = Server::of([answer(503, "Retry-After: 30\r\n")]).await;
    let policy = policy! { stop = attempts(5), wait = none() }.boxed::<RequestError>();
    let call = sent(client().get(&server.url).send_retrying(&policy));
    let (outcome, report) = retry::deadline(secs(20)).scope(call).await;
    assert_eq!(outcome.expect("the answer").status(), 503);
    assert_eq!((report.reason(), server.seen().len()), (StopReason::HintTooLong, 1));
}
