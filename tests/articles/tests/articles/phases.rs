//! Failures by how far the request had come: before it was sent, after it, or answered. A limit that an
//! attempt cannot run over, cancellation that passes through, and the report as data.

use std::time::Duration;

use http::{Method, Response as HttpResponse};
use reqwest::{Body, Client, Response};
use retry::http::{Statuses, is_idempotent, statuses};
use retry::reqwest::{RequestBuilderExt, RequestError};
use retry::{BoxedPolicy, Report, StopReason, Verdict, policy, record, retry, retry_with};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep, timeout};

use crate::server::{Reply, Server, answer};
use crate::{ms, secs};

const RETRIED: Statuses = statuses::transient()
    .without(http::StatusCode::REQUEST_TIMEOUT)
    .without(http::StatusCode::TOO_EARLY)
    .idempotent();

#[retry(
    name = "orders.create",
    stop = attempts(3),
    wait = exponential(250ms).cap(3s).full_jitter(),
    // Where a replay is not safe, an answer is an answer.
    on = ok(|it: &Response| if safe { RETRIED.verdict_of(it.status(), it.headers()) } else { Verdict::Final })
        | transient(),
    idempotent = safe,
    deadline = 15s,
)]
async fn send(
    client: &Client,
    method: Method,
    url: &str,
    safe: bool,
) -> Result<Response, RequestError> {
    Ok(client.request(method.clone(), url).send().await?)
}

fn client(timeout: Duration) -> Client {
    Client::builder().no_proxy().timeout(timeout).build().unwrap()
}

/// Without sleeping, with every jitter at its highest.
async fn reported(
    method: Method,
    url: &str,
    safe: bool,
) -> (Result<Response, RequestError>, Report) {
    let client = client(ms(500));
    let call = send(&client, method, url, safe);
    let (outcome, mut reports) = record(retry_with().virtual_time().draw(1.0).scope(call)).await;
    (outcome, reports.pop().unwrap())
}

fn delays(report: &Report) -> Vec<f64> {
    report.delays().map(|delay| delay.as_secs_f64()).collect()
}

#[tokio::test]
async fn a_failure_to_connect_is_retried_for_any_method() {
    for method in [Method::GET, Method::POST, Method::PATCH] {
        // Nobody listens there.
        let safe = is_idempotent(&method);
        let (outcome, report) = reported(method, "http://127.0.0.1:1/", safe).await;
        assert!(outcome.unwrap_err().failed().unwrap().is_connect());
        assert_eq!((delays(&report), report.reason()), (vec![0.25, 0.5], StopReason::Attempts));
    }
}

#[tokio::test]
async fn a_failure_to_write_or_read_is_retried_only_if_a_replay_is_safe() {
    for hang in [true, false] {
        for safe in [true, false] {
            let server = Server::of(move |n, _| match n {
                1 if hang => Reply::Hang,
                1 => Reply::Close,
                _ => answer(200, &[]),
            })
            .await;
            let (outcome, report) = reported(Method::POST, &server.url, safe).await;
            assert_eq!((outcome.is_ok(), server.requests()), (safe, if safe { 2 } else { 1 }));
            let reason = if safe { StopReason::Success } else { StopReason::Ambiguous };
            assert_eq!(report.reason(), reason);
        }
    }
}

#[tokio::test]
async fn a_temporary_status_is_retried_if_a_replay_is_safe_and_else_returned() {
    for status in [429, 502, 503, 504, 500, 408, 422] {
        for safe in [true, false] {
            let server =
                Server::of(move |n, _| answer(if n == 1 { status } else { 200 }, &[])).await;
            let (outcome, _) = reported(Method::POST, &server.url, safe).await;
            let retried = safe && [429, 502, 503, 504].contains(&status);
            assert_eq!(outcome.unwrap().status(), if retried { 200 } else { status });
            assert_eq!(server.requests(), if retried { 2 } else { 1 }, "{status}, {safe}");
        }
    }
}

#[tokio::test]
async fn a_stream_is_not_sent_twice() {
    let policy: BoxedPolicy<RequestError> =
        policy! { stop = attempts(3), wait = exponential(250ms).cap(3s).full_jitter() }.boxed();
    let server = Server::of(|_, _| answer(503, &[])).await;
    let stream = Body::wrap(http_body_util::Full::new(hyper::body::Bytes::from_static(b"once")));
    let request = client(secs(30)).put(&server.url).body(stream).send_retrying(&policy);
    let (outcome, reports) = record(async { request.await }).await;
    assert_eq!((outcome.unwrap().status().as_u16(), server.requests()), (503, 1));
    assert_eq!(reports[0].reason(), StopReason::Ambiguous);
}

#[tokio::test]
async fn a_wait_that_does_not_fit_ends_the_call_at_once() {
    let server = Server::of(|_, _| answer(503, &[("retry-after", "15")])).await;
    let (outcome, report) = reported(Method::GET, &server.url, true).await;
    assert_eq!(outcome.unwrap().headers()["retry-after"], "15");
    assert_eq!((report.attempts(), report.reason()), (1, StopReason::HintTooLong));
    assert_eq!(report.waited(), secs(0));
}

/// The article takes 0, and what is past, for no wait at all, and fails on what is neither form.
#[tokio::test]
async fn a_hint_of_nothing_or_of_the_past_or_junk_leaves_the_backoff_as_it_is() {
    let past = ["0", "Fri, 31 Dec 1999 23:59:59 GMT", "Sunday, 06-Nov-94 08:49:37 GMT"];
    let junk = ["soon", "-1", "1.5", "+7", "", "7 seconds", "Fri, 32 Dec 1999 23:59:59 GMT", "٧"];
    for value in past.into_iter().chain(junk) {
        let server = Server::of(move |n, _| {
            let bytes = http::HeaderValue::from_bytes(value.as_bytes()).unwrap();
            let response = HttpResponse::builder().status(if n < 3 { 503 } else { 200 });
            Reply::Answer(response.header("retry-after", bytes).body(String::new()).unwrap())
        })
        .await;
        let (outcome, report) = reported(Method::GET, &server.url, true).await;
        assert_eq!(outcome.unwrap().status(), 200);
        assert_eq!(delays(&report), [0.25, 0.5], "{value:?}");
        let hint = report.history()[0].verdict().hint();
        assert_eq!(hint, past.contains(&value).then_some(secs(0)), "{value:?}");
    }
}

/// The same policy over something slow: time passes only by sleeping here.
#[retry(
    name = "slow",
    stop = attempts(3),
    wait = exponential(250ms).cap(3s),
    on = ok(|it| RETRIED.verdict(it)) | transient(),
    idempotent,
    deadline = 15s,
)]
async fn slow(steps: &mut Vec<(Duration, u16)>) -> std::io::Result<HttpResponse<()>> {
    let (takes, status) = steps.remove(0);
    sleep(takes).await;
    Ok(HttpResponse::builder().status(status).body(()).unwrap())
}

#[tokio::test(start_paused = true)]
async fn an_attempt_is_cut_at_the_time_that_is_left() {
    let start = Instant::now();
    let (outcome, reports) = record(slow(&mut vec![(secs(60), 200)])).await;
    assert_eq!(outcome.unwrap_err().kind(), std::io::ErrorKind::TimedOut);
    assert_eq!((start.elapsed(), reports[0].reason()), (secs(15), StopReason::Time));

    // What is known by then is returned.
    let start = Instant::now();
    let mut steps = vec![(secs(9), 503), (secs(60), 200)];
    let (outcome, reports) = record(slow(&mut steps)).await;
    assert_eq!(outcome.unwrap().status(), 503);
    assert_eq!((start.elapsed(), reports[0].attempts()), (secs(15), 2));
    assert_eq!(reports[0].history()[1].duration(), Some(ms(5750)));
}

#[tokio::test(start_paused = true)]
async fn cancellation_passes_through() {
    let steps = || vec![(secs(1), 503); 3];
    // In the pause after the first attempt, and in the second attempt.
    for (cancelled, left) in [(ms(1100), 2), (ms(1500), 1)] {
        let (start, mut steps) = (Instant::now(), steps());
        let (outcome, reports) = record(timeout(cancelled, slow(&mut steps))).await;
        assert!(outcome.is_err());
        assert_eq!((start.elapsed(), reports[0].reason()), (cancelled, StopReason::Cancelled));
        sleep(secs(60)).await;
        assert_eq!(steps.len(), left, "nothing goes on behind its back");
    }
}

#[test]
fn how_many_requests_there_can_be_is_known_before() {
    let client: BoxedPolicy<RequestError> =
        policy! { stop = attempts(3), wait = exponential(250ms).cap(3s).full_jitter() }.boxed();
    let preview = client.preview();
    assert_eq!(preview.attempts(), Some(3));
    // Below a job that is tried four times.
    let job: BoxedPolicy<RequestError> = policy! { stop = attempts(4), wait = fixed(60s) }.boxed();
    assert_eq!(preview.attempts().zip(job.preview().attempts()), Some((3, 4)));
}

/// Recovered, failed, or uncertain.
fn line(report: &Report, method: &Method) -> Value {
    let outcome = match report.reason() {
        StopReason::Success if report.attempts() == 1 => "succeeded",
        StopReason::Success => "recovered",
        StopReason::Ambiguous => "uncertain",
        _ => "failed",
    };
    json!({"method": method.as_str(), "outcome": outcome, "report": report})
}

#[tokio::test]
async fn the_report_is_data() {
    let server = Server::of(|n, _| match n {
        1 => answer(503, &[("retry-after", "2")]),
        2 => answer(200, &[]),
        _ => Reply::Close,
    })
    .await;
    let (_, report) = reported(Method::GET, &server.url, true).await;
    let recovered = line(&report, &Method::GET);
    assert_eq!(recovered["outcome"], "recovered");
    let report = &recovered["report"];
    assert_eq!((&report["name"], &report["reason"]), (&json!("orders.create"), &json!("success")));
    assert_eq!((&report["attempts"], &report["waited"]), (&json!(2), &json!(2.2)));
    assert!(report["elapsed"].as_f64() >= Some(2.2));
    let first = &report["history"][0];
    assert_eq!((&first["number"], &first["delay"]), (&json!(1), &json!(2.2)));
    let verdict = json!({"meaning": "retry", "retry_after": 2.0, "now": false, "throttled": true});
    assert_eq!(first["verdict"], verdict);
    assert!(first["duration"].as_f64() > Some(0.0));

    let (_, report) = reported(Method::POST, &server.url, false).await;
    let uncertain = line(&report, &Method::POST);
    assert_eq!(
        (&uncertain["outcome"], &uncertain["method"]),
        (&json!("uncertain"), &json!("POST"))
    );
    let error = uncertain["report"]["history"][0]["error"].as_str().unwrap();
    assert!(!error.is_empty() && !error.contains("127.0.0.1"), "{error}");

    let (_, report) = reported(Method::GET, "http://127.0.0.1:1/", true).await;
    assert_eq!(line(&report, &Method::GET)["outcome"], "failed");
}
