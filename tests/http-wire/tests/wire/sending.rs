//! `send_retrying`.

use retry::http::{IdempotencyKey, statuses};
use retry::reqwest::{RequestBuilderExt, RequestError, ResponseExt, Sending};
use retry::{BoxedPolicy, Report, StopReason, policy, record};
use std::sync::LazyLock;
use std::time::Duration;

use crate::server::{After, PATIENCE, Server, Step, answer, client, dates};

fn five() -> BoxedPolicy<RequestError> {
    policy! { stop = attempts(5), wait = none() }.boxed()
}

static FIVE: LazyLock<BoxedPolicy<RequestError>> = LazyLock::new(five);

type Sent = (Result<reqwest::Response, RequestError>, Report);

async fn sent<F>(request: F) -> Sent
where
    F: IntoFuture<Output = Result<reqwest::Response, RequestError>>,
{
    let (outcome, mut reports) = record(request.into_future()).await;
    (outcome, reports.pop().expect("a report"))
}

#[tokio::test]
async fn a_get_is_repeated_after_whatever_passes() {
    let cut = "HTTP/1.1 503 X\r\nContent-Length: 100\r\n\r\nten bytes.";
    let steps = [
        answer(408, ""),
        answer(425, ""),
        Step::Reset,
        Step::HeadThen(cut, After::Close),
        answer(200, ""),
    ];
    let server = Server::of(steps).await;
    let (outcome, report) = sent(client().get(&server.url).send_retrying(&five())).await;
    assert_eq!(outcome.expect("answered").text().await.expect("a body"), "body of 200");
    assert_eq!((report.attempts(), server.seen().len()), (5, 5));
}

#[tokio::test]
async fn the_last_answer_is_returned_as_it_is() {
    let server = Server::of((0..5).map(|_| answer(503, "X-Last: yes\r\n"))).await;
    let response = client().get(&server.url).send_retrying(&five()).await.expect("an answer");
    assert_eq!(response.status(), 503);
    assert_eq!(response.headers()["x-last"], "yes");
    assert_eq!(response.url().as_str(), server.url);
    assert_eq!(response.content_length(), Some(11));
    assert!(response.remote_addr().is_some_and(|it| server.url.contains(&it.to_string())));
    assert_eq!(response.text().await.expect("a body"), "body of 503");
    let connections: Vec<_> = server.seen().iter().map(|it| it.connection).collect();
    assert_eq!(connections, [1; 5], "the connection is used again");
}

#[tokio::test]
async fn a_body_cut_short_is_not_taken_for_a_whole_one() {
    let cut = "HTTP/1.1 503 X\r\nContent-Length: 100\r\n\r\nten bytes.";
    let server = Server::of((0..5).map(|_| Step::HeadThen(cut, After::Close))).await;
    let response = client().get(&server.url).send_retrying(&five()).await.expect("an answer");
    assert!(response.bytes().await.is_err());
}

#[tokio::test]
async fn a_slow_body_does_not_hold_up_the_next_attempt_and_long_ones_are_whole() {
    let slow = "HTTP/1.1 503 X\r\nContent-Length: 100\r\n\r\nten bytes.";
    let server = Server::of([
        Step::HeadThen(slow, After::Hang(Duration::from_millis(100))),
        answer(200, ""),
    ])
    .await;
    let response = client().get(&server.url).send_retrying(&five()).await.expect("an answer");
    assert_eq!(response.status(), 200);

    let long = "x".repeat(200_000);
    let steps = (0..5).map(|_| Step::Answer("503 X\r\n".to_owned(), long.clone()));
    let server = Server::of(steps).await;
    let response = client().get(&server.url).send_retrying(&five()).await.expect("an answer");
    assert_eq!(response.text().await.expect("a body").len(), long.len());
}

#[tokio::test]
async fn what_stays_is_asked_for_once() {
    for status in [200, 404, 422, 500] {
        let server = Server::of([answer(status, "")]).await;
        let response = client().get(&server.url).send_retrying(&five()).await.expect("an answer");
        assert_eq!((response.status().as_u16(), server.seen().len()), (status, 1));
    }
}

#[tokio::test]
async fn a_post_without_a_key_reaches_the_server_once_if_it_may_have_arrived() {
    for step in [Step::Hang(PATIENCE), Step::Reset, answer(502, "")] {
        let server = Server::of([step, answer(200, "")]).await;
        let post = client().post(&server.url).body("pay");
        let (outcome, report) = sent(post.send_retrying(&five())).await;
        assert!(outcome.is_err() || outcome.is_ok_and(|it| it.status() == 502));
        assert_eq!(report.reason(), StopReason::Ambiguous);
        assert_eq!(server.seen().len(), 1);
    }
}

#[tokio::test]
async fn a_post_that_was_not_sent_or_was_refused_is_repeated() {
    let post = client().post("http://127.0.0.1:1/").body("pay");
    let (outcome, report) = sent(post.send_retrying(&five())).await;
    assert!(outcome.is_err());
    assert_eq!((report.attempts(), report.reason()), (5, StopReason::Attempts));
    let server = Server::of([answer(429, ""), answer(200, "")]).await;
    let response = client().post(&server.url).send_retrying(&five()).await.expect("an answer");
    assert_eq!((response.status().as_u16(), server.seen().len()), (200, 2));
}

#[tokio::test]
async fn a_post_with_a_key_carries_the_same_one_on_each_attempt() {
    let steps =
        || [Step::Reset, answer(409, ""), Step::Hang(PATIENCE), answer(502, ""), answer(200, "")];
    let (policy, client) = (five(), client());
    let mut keys = Vec::new();
    for call in 0..4 {
        let server = Server::of(steps()).await;
        let post = client.post(&server.url).body("pay");
        let response = match call {
            0 | 1 => post.send_retrying(&policy).keyed().await,
            2 => {
                let key = IdempotencyKey::new("order-7").expect("a key");
                post.send_retrying(&policy).idempotency_key(key).await
            }
            _ => post.header("Idempotency-Key", "order-8").send_retrying(&policy).await,
        };
        assert_eq!(response.expect("an answer").status(), 200);
        let seen = server.seen();
        assert_eq!(seen.len(), 5);
        assert!(seen.iter().all(|it| it.key == seen[0].key && it.body == "pay"), "{seen:?}");
        keys.extend(seen[0].key.clone());
    }
    assert_ne!(keys[0], keys[1], "another call, another key");
    assert_eq!(keys[2..], ["order-7", "order-8"]);
}

#[tokio::test]
async fn a_post_that_is_said_to_be_idempotent_is_repeated() {
    let server = Server::of([Step::Reset, answer(200, "")]).await;
    let post = client().post(&server.url).body("search");
    assert!(post.send_retrying(&five()).idempotent().await.is_ok());
    assert_eq!(server.seen().len(), 2);
    let server = Server::of([Step::Reset, answer(200, "")]).await;
    let policy = policy! { stop = attempts(5), wait = none(), idempotent };
    assert!(client().post(&server.url).send_retrying(&policy).await.is_ok());
    assert_eq!(server.seen().len(), 2);
}

#[tokio::test]
async fn a_stream_gets_one_attempt_which_the_report_tells() {
    for step in [Step::Reset, answer(503, "")] {
        let server = Server::of([step, answer(200, "")]).await;
        let stream = reqwest::Body::wrap(reqwest::Body::from("stream"));
        let put = client().put(&server.url).body(stream);
        let (_, report) = sent(put.send_retrying(&five()).idempotent()).await;
        assert_eq!((report.attempts(), report.reason()), (1, StopReason::Ambiguous));
        assert_eq!(server.seen().len(), 1);
    }
}

#[tokio::test]
async fn a_builder_that_failed_sends_nothing() {
    let server = Server::of([]).await;
    let wrong = client().get(&server.url).header("a header", "with a space in its name");
    let policy = policy! { stop = attempts(5), wait = none(), on = any_error() };
    let (outcome, reports) = record(async { wrong.send_retrying(&policy).await }).await;
    assert!(outcome.is_err_and(|error| error.failed().is_some_and(reqwest::Error::is_builder)));
    assert!(reports.is_empty() && server.seen().is_empty());
}

/// A server that is sent two orders by the same name carries out one: the caller's is not lost.
#[tokio::test]
async fn a_key_among_the_headers_is_kept_unless_another_one_is_named() {
    let sent = async |headers: &[&str], keyed: bool, named: Option<&str>| {
        let server = Server::of([answer(502, ""), answer(200, "")]).await;
        let mut post = client().post(&server.url);
        for key in headers {
            post = post.header("Idempotency-Key", *key);
        }
        let mut request = post.send_retrying(&*FIVE);
        if keyed {
            request = request.keyed();
        }
        if let Some(key) = named {
            request = request.idempotency_key(IdempotencyKey::new(key).expect("a key"));
        }
        let status = request.await.expect("an answer").status().as_u16();
        (status, server.seen().into_iter().filter_map(|it| it.key).collect::<Vec<_>>())
    };
    let twice = |key: &str| (200, vec![key.to_owned(); 2]);
    assert_eq!(sent(&["order-7"], false, None).await, twice("order-7"));
    assert_eq!(sent(&["order-7"], true, None).await, twice("order-7"));
    assert_eq!(sent(&["order-7"], true, Some("order-8")).await, twice("order-8"));
    let (status, keys) = sent(&[], true, None).await;
    assert_eq!((status, keys.len(), &keys[0]), (200, 2, &keys[1]));
    // None at all: the server cannot know it again.
    let (status, keys) = sent(&[""], false, None).await;
    assert_eq!((status, keys), (502, vec![String::new()]));
    let (status, keys) = sent(&[""], true, None).await;
    assert!(status == 200 && keys.len() == 2 && !keys[0].is_empty() && keys[0] == keys[1]);
}

#[tokio::test]
async fn a_key_that_no_header_can_carry_sends_nothing() {
    for key in ["order\n7", "order-7\r\nX-Admin: yes", "\0", "order\u{7f}"] {
        assert!(IdempotencyKey::new(key).is_err(), "{key:?}");
        let server = Server::of([]).await;
        let post = client().post(&server.url).header("Idempotency-Key", key);
        let error = post.send_retrying(&*FIVE).keyed().await.expect_err("no such header");
        assert!(error.failed().is_some_and(reqwest::Error::is_builder), "{error}");
        assert_eq!(error.to_string(), "builder error: failed to parse header value");
        assert!(server.seen().is_empty());
    }
}

#[tokio::test]
async fn an_hour_under_twenty_seconds_returns_at_once_with_the_answer() {
    for headers in ["Retry-After: 3600\r\n".to_owned(), dates(3600)] {
        for status in [429, 503] {
            let server = Server::of([answer(status, &headers)]).await;
            let policy = policy! { stop = attempts(5) | within(20s), wait = fixed(1ms) };
            let (outcome, report) = sent(client().get(&server.url).send_retrying(&policy)).await;
            let response = outcome.expect("an answer");
            assert_eq!(response.status().as_u16(), status);
            assert_eq!(report.reason(), StopReason::HintTooLong);
            assert_eq!(response.text().await.expect("a body"), format!("body of {status}"));
        }
    }
}

#[tokio::test]
async fn other_statuses_and_answers_can_be_worth_another_attempt() {
    let server = Server::of([answer(500, ""), answer(202, ""), answer(200, "")]).await;
    let policy = policy! {
        stop = attempts(5),
        wait = none(),
        on = ok(|it: &reqwest::Response| it.status() == 202) | transient(),
    };
    let statuses = retry::http::statuses::transient().with_500();
    let request = client().get(&server.url).send_retrying(&policy).statuses(statuses);
    assert_eq!(request.await.expect("an answer").status(), 200);
    assert_eq!(server.seen().len(), 3);
}

#[tokio::test]
async fn the_call_can_be_spawned_and_its_policy_be_a_static() {
    let server = Server::of([answer(200, "")]).await;
    let request = client().get(&server.url);
    let task = tokio::spawn(async move { request.send_retrying(&*FIVE).await.map(|_| ()) });
    assert!(task.await.expect("no panic").is_ok());
}

/// Threads of several cores poll it, and its type has a name.
#[test]
fn the_call_goes_from_thread_to_thread() {
    fn sending(url: &str) -> Sending<'static, BoxedPolicy<RequestError>> {
        client().post(url).body("pay").send_retrying(&*FIVE).keyed().into_future()
    }
    let threads =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    threads.expect("a runtime").block_on(async {
        let server = Server::of((0..24).map(|call| answer([503, 502, 200][call % 3], ""))).await;
        let mut calls = tokio::task::JoinSet::new();
        for _ in 0..8 {
            calls.spawn(sending(&server.url));
        }
        for outcome in calls.join_all().await {
            assert!(outcome.is_ok(), "{outcome:?}");
        }
        assert!(server.seen().iter().all(|it| it.body == "pay"));
    });
}

#[tokio::test]
async fn in_an_attempt_of_another_call_it_has_a_key_of_its_own_and_that_deadline() {
    #[retry::retry(stop = attempts(2), wait = none(), deadline = 20s)]
    async fn outer(url: &str, inner: &BoxedPolicy<RequestError>) -> Result<u16, RequestError> {
        let around = IdempotencyKey::of_call().expect("a call");
        let first = client().post(url).send_retrying(inner).keyed().await?;
        assert_eq!(first.status(), 200);
        let second = client().post(url).send_retrying(inner).idempotency_key(around).await?;
        Err(second.check_status(&statuses::transient()).expect_err("a bad status").into())
    }
    let hour = "Retry-After: 3600\r\n";
    let server = Server::of([answer(503, ""), answer(200, ""), answer(503, hour)]).await;
    let (outcome, reports) = record(outer(&server.url, &five())).await;
    assert_eq!(outcome.expect_err("down").status().map(|it| it.as_u16()), Some(503));
    let seen = server.seen();
    assert_eq!(seen.len(), 3);
    assert_eq!(seen[0].key, seen[1].key);
    assert_ne!(seen[0].key, seen[2].key);
    let reasons: Vec<_> = reports.iter().map(Report::reason).collect();
    assert_eq!(reasons, [StopReason::Success, StopReason::HintTooLong, StopReason::HintTooLong]);
}

/// What the builder was told goes with every attempt.
#[tokio::test]
async fn the_timeout_and_the_headers_of_the_request_are_those_of_each_attempt() {
    let steps = (0..5).map(|_| Step::Hang(Duration::from_secs(2)));
    let server = Server::of(steps).await;
    let request = client().get(&server.url).timeout(Duration::from_secs(2));
    let request = request.header("Idempotency-Key", "order-9");
    let (outcome, report) = sent(request.send_retrying(&five())).await;
    assert!(outcome.is_err_and(|error| error.failed().is_some_and(reqwest::Error::is_timeout)));
    assert_eq!(report.attempts(), 5);
    assert!(server.seen().iter().all(|it| it.key.as_deref() == Some("order-9")));
}

#[tokio::test]
async fn a_body_that_is_empty_is_no_stream() {
    for empty in ["", "x"] {
        let server = Server::of([answer(503, ""), answer(200, "")]).await;
        let put = client().put(&server.url).body(empty.to_owned());
        assert_eq!(put.send_retrying(&five()).await.expect("an answer").status(), 200);
        assert_eq!(server.seen().len(), 2);
    }
}
