//! A certificate that does not hold today will not hold in a second: one connection is made, and nothing
//! is sent.
#![allow(clippy::unwrap_used)] // a test that cannot go on should say where

mod certificates;
mod server;

use http::{Method, Request, Response};
use http_body_util::Empty;
use hyper::body::{Bytes, Incoming};
use hyper_rustls::HttpsConnectorBuilder;
use hyper_util::client::legacy::{Client, Error};
use hyper_util::rt::TokioExecutor;
use retry::http::{is_idempotent, statuses};
use retry::reqwest::{RequestBuilderExt, RequestError, ResponseExt};
use retry::tower::RetryLayer;
use retry::{StopReason, Verdict, policy, record, retry, retry_with};
use tower::{ServiceBuilder, ServiceExt};

use certificates::Fault;
use server::{Server, start, trust};

fn client() -> reqwest::Client {
    reqwest::Client::builder().no_proxy().tls_backend_preconfigured(trust()).build().unwrap()
}

type Outcome = Result<u16, RequestError>;

async fn sending(method: Method, url: &str) -> Outcome {
    let policy = policy! { stop = attempts(3), wait = fixed(1s), on = transient() };
    let response = client().request(method, url).send_retrying(&policy).await?;
    Ok(response.status().as_u16())
}

#[retry(stop = attempts(3), wait = fixed(1s), idempotent = is_idempotent(&method))]
async fn attribute(method: Method, url: &str) -> Outcome {
    let response = client().request(method.clone(), url).send().await?;
    Ok(response.check_status(&statuses::transient())?.status().as_u16())
}

/// hyper's client says no more than that it has not connected.
fn failed(error: &Error) -> Verdict {
    if error.is_connect() { Verdict::Retry } else { Verdict::Ambiguous }
}

fn answered(response: &Response<Incoming>) -> Verdict {
    statuses::transient().verdict(response)
}

async fn layer(method: Method, url: &str) -> Result<u16, Error> {
    let policy = policy! {
        stop = attempts(3),
        wait = fixed(1s),
        on = ok(answered) | error(failed) & !source_is::<rustls::Error>(),
    };
    let secure = HttpsConnectorBuilder::new().with_tls_config(trust()).https_only().enable_http1();
    let client = Client::builder(TokioExecutor::new()).build(secure.build());
    let client = ServiceBuilder::new().layer(RetryLayer::new(policy)).service(client);
    let request = Request::builder().method(method).uri(url).body(Empty::<Bytes>::new()).unwrap();
    Ok(client.oneshot(request).await?.status().as_u16())
}

#[derive(Clone, Copy, Debug)]
enum Way {
    Sending,
    Layer,
    Attribute,
}

const WAYS: [Way; 3] = [Way::Sending, Way::Layer, Way::Attribute];

/// The status that it ends with, if any, and why.
async fn sent(way: Way, method: Method, url: &str) -> (Option<u16>, StopReason) {
    let shown = |outcome: Outcome| match outcome {
        Ok(status) => Some(status),
        Err(error) => {
            assert!(error.failed().is_some_and(reqwest::Error::is_connect), "{error:?}");
            None
        }
    };
    let call = async {
        match way {
            Way::Sending => shown(sending(method, url).await),
            Way::Layer => layer(method, url).await.ok(),
            Way::Attribute => shown(attribute(method, url).await),
        }
    };
    let (outcome, reports) = record(retry_with().virtual_time().scope(call)).await;
    assert_eq!(reports.len(), 1);
    (outcome, reports[0].reason())
}

#[tokio::test]
async fn what_holds_is_retried_as_ever() {
    for way in WAYS {
        let (url, counted) = start(Server::Tls(Fault::None)).await;
        let ended = sent(way, Method::GET, &url).await;
        assert_eq!(ended, (Some(200), StopReason::Success), "{way:?}");
        assert_eq!(counted.counts(), (2, 2), "{way:?}");
    }
}

#[tokio::test]
async fn what_does_not_hold_is_asked_once() {
    let faults = [Fault::Expired, Fault::NotYetValid, Fault::OtherName, Fault::OtherIssuer];
    let servers = faults.map(Server::Tls).into_iter().chain([Server::Plain]);
    for server in servers {
        for way in WAYS {
            for method in [Method::GET, Method::POST] {
                let (url, counted) = start(server).await;
                let ended = sent(way, method.clone(), &url).await;
                let situation = format!("{server:?}, {way:?}, {method}");
                assert_eq!(ended, (None, StopReason::Permanent), "{situation}");
                assert_eq!(counted.counts(), (1, 0), "{situation}");
            }
        }
    }
}

/// It may have been the network, and nothing was sent.
#[tokio::test]
async fn a_reset_amid_the_greeting_is_retried() {
    for way in WAYS {
        for method in [Method::GET, Method::POST] {
            let (url, counted) = start(Server::Resets).await;
            let ended = sent(way, method.clone(), &url).await;
            assert_eq!(ended, (None, StopReason::Attempts), "{way:?}, {method}");
            assert_eq!(counted.counts(), (3, 0), "{way:?}, {method}");
        }
    }
}
