//! The ways to send a request, each by the same policy.

use std::time::Duration;

use http::{Method, Request, Response};
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper_util::client::legacy::{Client, Error};
use hyper_util::rt::TokioExecutor;
use retry::http::{IDEMPOTENCY_KEY, IdempotencyKey, Statuses, is_idempotent, statuses};
use retry::reqwest::{RequestBuilderExt, RequestError, ResponseExt};
use retry::tower::RetryLayer;
use retry::{Report, Verdict, policy, record, retry, retry_with};
use tower::{BoxError, ServiceBuilder, ServiceExt};

/// How the caller sees it end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum End {
    /// With an answer of this status, or an error that tells of it.
    Status(u16),
    /// With an answer of this status, whose body is not whole.
    Cut(u16),
    Error,
}

/// What is sent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Sent {
    Get,
    Post,
    PostWithKey,
}

impl Sent {
    pub(crate) const fn method(self) -> Method {
        match self {
            Self::Get => Method::GET,
            Self::Post | Self::PostWithKey => Method::POST,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Way {
    /// `send_retrying` of reqwest.
    Sending,
    /// The layer over the client of hyper-util.
    Layer,
    /// A function with the attribute, which reads the body of what it gets with reqwest.
    Attribute,
}

/// Sends it, and what was reported of that. Waits between attempts are not waited for.
pub(crate) async fn send(way: Way, sent: Sent, url: &str) -> (End, Report) {
    let time = retry_with().virtual_time();
    let (end, mut reports) = match way {
        Way::Sending => record(time.scope(sending(sent, url))).await,
        Way::Layer => record(time.scope(layer(sent, url))).await,
        Way::Attribute => record(time.scope(attribute(sent, url))).await,
    };
    assert_eq!(reports.len(), 1);
    (end, reports.pop().unwrap())
}

fn reqwest_client() -> reqwest::Client {
    reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(30)).build().unwrap()
}

async fn sending(sent: Sent, url: &str) -> End {
    let policy = policy! {
        stop = attempts(3) | within(20s),
        wait = fixed(1s),
        attempt_timeout = 10s,
        idempotent = false,
        on = transient(),
    };
    let request = reqwest_client().request(sent.method(), url).body("body");
    let request = request.send_retrying(&policy);
    let answer = match sent {
        Sent::PostWithKey => request.keyed().await,
        _ => request.await,
    };
    match answer {
        Err(_) => End::Error,
        Ok(response) => {
            let status = response.status().as_u16();
            whole(status, response.text().await.is_ok())
        }
    }
}

const fn whole(status: u16, whole: bool) -> End {
    if whole { End::Status(status) } else { End::Cut(status) }
}

const RETRIED: Statuses = statuses::transient();

fn answered(response: &Response<Incoming>) -> Verdict {
    RETRIED.verdict(response)
}

/// Without a connection nothing was sent.
fn failed(error: &BoxError) -> Verdict {
    let connecting = error.downcast_ref().is_some_and(Error::is_connect);
    if connecting { Verdict::Retry } else { Verdict::Ambiguous }
}

fn may_repeat(request: &Request<Full<Bytes>>) -> bool {
    is_idempotent(request.method()) || request.headers().contains_key(IDEMPOTENCY_KEY)
}

async fn layer(sent: Sent, url: &str) -> End {
    let policy = policy! {
        stop = attempts(3) | within(20s),
        wait = fixed(1s),
        attempt_timeout = 10s,
        idempotent = false,
        on = ok(answered) | error(failed),
    };
    let client = ServiceBuilder::new()
        .layer(RetryLayer::new(policy).idempotent_if(may_repeat))
        .map_err(BoxError::from)
        .service(Client::builder(TokioExecutor::new()).build_http());
    let mut request = Request::builder().method(sent.method()).uri(url);
    if sent == Sent::PostWithKey {
        request = request.header(IDEMPOTENCY_KEY, "order-7");
    }
    match client.oneshot(request.body(Full::from("body")).unwrap()).await {
        Err(_) => End::Error,
        Ok(response) => {
            let status = response.status().as_u16();
            whole(status, response.into_body().collect().await.is_ok())
        }
    }
}

#[retry(
    stop = attempts(3) | within(20s),
    wait = fixed(1s),
    attempt_timeout = 10s,
    idempotent = is_idempotent(&sent.method()) || sent == Sent::PostWithKey,
)]
async fn fetch(client: &reqwest::Client, sent: Sent, url: &str) -> Result<u16, RequestError> {
    let mut request = client.request(sent.method(), url).body("body");
    let key = IdempotencyKey::of_call().filter(|_| sent == Sent::PostWithKey);
    if let Some(key) = &key {
        request = request.header(IDEMPOTENCY_KEY, key);
    }
    let statuses = RETRIED.for_request(&sent.method(), key.is_some());
    let response = request.send().await?.check_status(&statuses)?;
    let status = response.status().as_u16();
    response.bytes().await?;
    Ok(status)
}

async fn attribute(sent: Sent, url: &str) -> End {
    match fetch(&reqwest_client(), sent, url).await {
        Ok(status) => End::Status(status),
        Err(error) => error.status().map_or(End::Error, |it| End::Status(it.as_u16())),
    }
}
