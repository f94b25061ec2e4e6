//! The layer over hyper's client, against a server of axum on the loopback.

#![allow(clippy::unwrap_used)] // a test that cannot go on should say where

use std::collections::{HashSet, VecDeque};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{ConnectInfo, State};
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::{Client, Error};
use hyper_util::rt::TokioExecutor;
use retry::http::{IDEMPOTENCY_KEY, IdempotencyKey, Statuses, is_idempotent, statuses};
use retry::tower::RetryLayer;
use retry::{StopReason, Verdict, policy};
use tower::timeout::error::Elapsed;
use tower::{BoxError, Service, ServiceBuilder, ServiceExt};

const RETRIED: Statuses = statuses::transient();

/// What one request is answered with.
#[derive(Clone)]
enum Step {
    Status(u16),
    RetryAfter(u16, &'static str),
    /// Not at all, and this time passes.
    Hangs(Duration),
}

/// A request, as it arrived.
struct Seen {
    from: SocketAddr,
    key: Option<HeaderValue>,
    body: Bytes,
}

#[derive(Clone, Default)]
struct Server {
    steps: Arc<Mutex<VecDeque<Step>>>,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Server {
    async fn start(steps: impl IntoIterator<Item = Step>) -> (Self, String) {
        let server = Self::default();
        server.steps.lock().unwrap().extend(steps);
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/orders", listener.local_addr().unwrap());
        let router = Router::new().fallback(Self::answer).with_state(server.clone());
        let service = router.into_make_service_with_connect_info::<SocketAddr>();
        tokio::spawn(async move { axum::serve(listener, service).await });
        (server, url)
    }

    async fn answer(
        State(server): State<Self>,
        ConnectInfo(from): ConnectInfo<SocketAddr>,
        headers: HeaderMap,
        body: Bytes,
    ) -> Response<String> {
        let key = headers.get(IDEMPOTENCY_KEY).cloned();
        server.seen.lock().unwrap().push(Seen { from, key, body });
        let step = server.steps.lock().unwrap().pop_front();
        let response = Response::builder();
        let response = match step {
            Some(Step::Status(status)) => response.status(status),
            Some(Step::RetryAfter(status, after)) => {
                response.status(status).header("retry-after", after)
            }
            Some(Step::Hangs(time)) => {
                // Nothing is on its way now, and whoever waits for an answer is woken when it is time.
                tokio::time::pause();
                tokio::time::advance(time).await;
                tokio::time::resume();
                std::future::pending().await
            }
            None => response,
        };
        response.body("seven".to_owned()).unwrap()
    }

    fn requests(&self) -> usize {
        self.seen.lock().unwrap().len()
    }

    fn connections(&self) -> usize {
        self.seen.lock().unwrap().iter().map(|seen| seen.from).collect::<HashSet<_>>().len()
    }

    fn keys(&self) -> Vec<String> {
        let seen = self.seen.lock().unwrap();
        let keys = seen.iter().filter_map(|seen| seen.key.as_ref());
        keys.map(|key| key.to_str().unwrap().to_owned()).collect()
    }
}

type Body = Full<Bytes>;

/// What an answer means.
fn answered(response: &Response<Incoming>) -> Verdict {
    RETRIED.verdict(response)
}

/// What a failed request means: without a connection nothing was sent.
fn meaning(error: &Error) -> Verdict {
    if error.is_connect() { Verdict::Retry } else { Verdict::Ambiguous }
}

fn may_repeat(request: &Request<Body>) -> bool {
    is_idempotent(request.method()) || request.headers().contains_key(IDEMPOTENCY_KEY)
}

fn request(method: Method, url: &str) -> Request<Body> {
    Request::builder().method(method).uri(url).body(Body::from("{}")).unwrap()
}

fn client() -> Client<HttpConnector, Body> {
    Client::builder(TokioExecutor::new()).build_http()
}

#[tokio::test]
async fn statuses_are_retried_on_one_connection_and_the_last_answer_is_returned() {
    let policy = policy! {
        name = "statuses",
        stop = attempts(3),
        wait = fixed(1ms),
        on = ok(answered) | error(meaning),
    };
    let steps = [Step::Status(503), Step::Status(504), Step::Status(429)];
    let (server, url) = Server::start(steps).await;
    let layer = RetryLayer::new(policy).idempotent_if(may_repeat);
    let mut service = ServiceBuilder::new().layer(layer).service(client());

    let response = service.ready().await.unwrap().call(request(Method::GET, &url)).await.unwrap();
    assert_eq!((response.status(), server.requests()), (StatusCode::TOO_MANY_REQUESTS, 3));
    let body = response.into_body().collect().await.unwrap().to_bytes();
    assert_eq!(body, "seven");
    let response = service.ready().await.unwrap().call(request(Method::GET, &url)).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(retry::sites().get("statuses").unwrap().retries(), 2);
    // An answer that is dropped with its body unread may cost its connection; four would be one each.
    assert!(server.connections() < 4, "{}", server.connections());
}

#[tokio::test]
async fn a_post_is_repeated_only_if_it_was_refused_or_has_a_key() {
    let policy = policy! {
        stop = attempts(3),
        wait = fixed(1ms),
        on = ok(answered) | error(meaning),
    };
    let (server, url) =
        Server::start([Step::Status(503), Step::Status(504), Step::Status(200)]).await;
    let layer = RetryLayer::new(policy).idempotent_if(may_repeat);
    let mut service = ServiceBuilder::new().layer(layer).service(client());
    let call = service.ready().await.unwrap().call(request(Method::POST, &url));
    let (outcome, reports) = retry::record(call).await;
    assert_eq!((outcome.unwrap().status(), server.requests()), (StatusCode::GATEWAY_TIMEOUT, 2));
    assert_eq!(reports[0].reason(), StopReason::Ambiguous);

    let (server, url) = Server::start([Step::Status(504), Step::Status(502)]).await;
    let mut keyed = request(Method::POST, &url);
    let key = IdempotencyKey::new("order-7").unwrap();
    keyed.headers_mut().insert(IDEMPOTENCY_KEY, key.into());
    let response = service.ready().await.unwrap().call(keyed).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(server.keys(), ["order-7"; 3]);
    assert!(server.seen.lock().unwrap().iter().all(|seen| seen.body == "{}"), "the body as well");
}

/// A service below the layer knows the call that it serves.
#[tokio::test]
async fn what_is_below_the_layer_gives_each_attempt_of_a_call_the_same_key() {
    let policy = policy! {
        stop = attempts(3),
        wait = fixed(1ms),
        idempotent,
        on = ok(answered) | error(meaning),
    };
    let (server, url) = Server::start([Step::Status(504)]).await;
    let mut service = ServiceBuilder::new()
        .layer(RetryLayer::new(policy))
        .map_request(|mut request: Request<Body>| {
            let key = IdempotencyKey::of_call().unwrap();
            request.headers_mut().insert(IDEMPOTENCY_KEY, key.into());
            request
        })
        .service(client());
    for _ in 0..2 {
        let call = service.ready().await.unwrap().call(request(Method::POST, &url));
        assert_eq!(call.await.unwrap().status(), StatusCode::OK);
    }
    let keys = server.keys();
    assert!(keys.len() == 3 && keys[0] == keys[1] && keys[1] != keys[2], "{keys:?}");
}

#[tokio::test]
async fn a_connection_that_is_refused_is_tried_again_with_any_method() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    drop(listener);
    let policy = policy! { stop = attempts(3), wait = fixed(1ms), on = error(meaning) };
    let layer = RetryLayer::new(policy).idempotent_if(may_repeat);
    let mut service = ServiceBuilder::new().layer(layer).service(client());
    let call = service.ready().await.unwrap().call(request(Method::POST, &url));
    let (outcome, reports) = retry::record(call).await;
    assert!(outcome.unwrap_err().is_connect());
    assert_eq!((reports[0].attempts(), reports[0].reason()), (3, StopReason::Attempts));
}

/// Behind a queue and a limit of one place, and cut by tower's time-out.
#[tokio::test]
async fn an_attempt_that_hangs_is_cut_and_repeated_behind_a_buffer_and_a_limit() {
    let policy = policy! {
        stop = attempts(3),
        wait = fixed(1ms),
        idempotent,
        on = ok(answered) | is::<Elapsed>(|_| Verdict::Ambiguous),
    };
    let (server, url) =
        Server::start([Step::Hangs(Duration::from_secs(30)), Step::Status(503)]).await;
    let mut service = ServiceBuilder::new()
        .layer(RetryLayer::new(policy))
        .timeout(Duration::from_secs(30))
        .buffer(1)
        .concurrency_limit(1)
        .service(client());
    let response = service.ready().await.unwrap().call(request(Method::GET, &url)).await.unwrap();
    assert_eq!((response.status(), server.requests()), (StatusCode::OK, 3));
}

#[tokio::test]
async fn an_hour_long_hint_under_a_deadline_returns_the_answer_at_once() {
    let policy = policy! {
        stop = attempts(5),
        wait = fixed(1ms),
        deadline = 20s,
        on = ok(answered),
    };
    let (server, url) = Server::start([Step::RetryAfter(503, "3600")]).await;
    let mut service = ServiceBuilder::new()
        .layer(RetryLayer::new(policy))
        .map_err(BoxError::from)
        .service(client());
    let call = service.ready().await.unwrap().call(request(Method::GET, &url));
    let (outcome, reports) = retry::record(call).await;
    assert_eq!((outcome.unwrap().status().as_u16(), server.requests()), (503, 1));
    assert_eq!(reports[0].reason(), StopReason::HintTooLong);
}

/// A hint is waited for, which here takes no time.
#[tokio::test]
async fn a_hint_is_a_floor_under_the_backoff() {
    let policy = policy! {
        stop = attempts(5),
        wait = fixed(1ms),
        on = ok(answered),
    };
    let (_server, url) = Server::start([Step::RetryAfter(429, "30")]).await;
    let mut service = ServiceBuilder::new().layer(RetryLayer::new(policy)).service(client());
    let call = service.ready().await.unwrap().call(request(Method::GET, &url));
    let call = retry::retry_with().virtual_time().scope(call);
    let (outcome, reports) = retry::record(call).await;
    assert_eq!(outcome.unwrap().status(), StatusCode::OK);
    assert!(reports[0].delays().eq([Duration::from_secs(30)]));
}

/// In a server: a handler behind the layer, whose requests have bodies that are read once.
#[tokio::test]
async fn a_route_of_axum_is_retried_unless_its_body_is_a_stream() {
    let policy = policy! {
        stop = attempts(3),
        wait = fixed(1ms),
        on = ok(|response: &Response<axum::body::Body>| RETRIED.verdict(response)),
    };
    let without_body = |request: &Request<axum::body::Body>| {
        let mut again = Request::new(axum::body::Body::empty());
        *again.method_mut() = request.method().clone();
        *again.uri_mut() = request.uri().clone();
        axum::body::HttpBody::is_end_stream(request.body()).then_some(again)
    };
    let calls = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&calls);
    let handler = move || {
        let calls = counted.fetch_add(1, SeqCst) + 1;
        async move { if calls % 3 == 0 { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE } }
    };
    let layer = RetryLayer::new(policy).clone_request(without_body);
    let mut router = Router::new().fallback(handler).layer(layer);
    let get = Request::new(axum::body::Body::empty());
    let response = Service::<Request<axum::body::Body>>::call(&mut router, get).await.unwrap();
    assert_eq!((response.status(), calls.load(SeqCst)), (StatusCode::OK, 3));
    let post = Request::new(axum::body::Body::from("{}"));
    let response = Service::<Request<axum::body::Body>>::call(&mut router, post).await.unwrap();
    assert_eq!((response.status().as_u16(), calls.load(SeqCst)), (503, 4));
}
