//! A layer for tower's services (feature `tower`): every request is retried by a [`Policy`].
//!
//! It goes wherever tower's own layers go, and is told and counted like any other retried call: by the
//! policy's `name`, in events, [`sites`](crate::sites) and reports, under overrides and virtual time.
//! A service and all middleware below it can ask [`current`](crate::current) which attempt they are in.
//! The chapter [`http`](crate::guide::http) of the guide shows it with a client.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
//! use retry::policy;
//! use retry::tower::RetryLayer;
//! use std::io;
//! use tower::{Service, ServiceBuilder, ServiceExt, service_fn};
//!
//! # let calls = std::cell::Cell::new(0);
//! # let send = async |name: &str| {
//! #     calls.set(calls.get() + 1);
//! #     if calls.get() < 3 { Err(io::ErrorKind::ConnectionRefused.into()) } else { Ok(name.len()) }
//! # };
//! let policy = policy! {
//!     name = "directory",
//!     stop = attempts(5) | within(20s),
//!     wait = exponential(100ms).cap(5s).full_jitter(),
//! };
//! let mut service = ServiceBuilder::new()
//!     .layer(RetryLayer::new(policy))
//!     .service(service_fn(|name: &'static str| send(name)));
//!
//! let answer: io::Result<usize> = service.ready().await.unwrap().call("seven").await;
//! assert_eq!(answer.unwrap(), 5);
//! assert_eq!(retry::sites().get("directory").unwrap().retries(), 2);
//! # }
//! ```
//!
//! - **What is retried** says the policy's `on`, which judges the service's
//!   `Result<Response, Error>`: `ok(…)` looks at answers, `error(…)` and its like at errors, `is::<T>()`
//!   also into a `BoxError`. An error of the service's readiness is judged as well.
//! - **Requests** are cloned before each attempt; see [`clone_request`](RetryLayer::clone_request) for
//!   those that cannot be, or only at a price. Which of them may be repeated after a failure that
//!   leaves open whether they have taken effect, say
//!   [`idempotent_if`](RetryLayer::idempotent_if) or the policy's `idempotent`.
//! - **Readiness** is asked before each attempt. Nothing is held in a pause: the answer, its future and
//!   the place in a queue are gone before it, so that the service may be behind a `Buffer` or a
//!   `ConcurrencyLimit` of any size. What is waited for counts to the attempt, and is cut with it.
//! - **A `timeout`** above the layer limits the call, which is dropped then; one below it limits each
//!   attempt. The policy's `deadline` and `attempt_timeout` do the same and tell of it. With these, and
//!   with a `breaker`, the error must be `From<Interrupted>`, which tower's `BoxError` is. Of a failed
//!   attempt only an error is kept for the case that a later one is cut or refused, never an answer,
//!   which may hold a connection.
//! - **The order of layers** is that of the builder, the outermost first: above a `concurrency_limit`
//!   each attempt takes a place of its own, below it a call keeps one through all its pauses.
//!
//! Where the compiler finds no method `ready` or `call`, the request is not `Clone`, the error not `Debug`,
//! or `on` judges another answer or error than the service gives. It says which where a service is asked
//! for: `fn check<R>(_: &impl Service<R>) {}`, called as `check::<Request>(&service)`.
//!
//! The call starts when its future is polled, and is cancelled by dropping it.
//!
//! [`Policy`]: crate::Policy

use core::task::{Context, Poll};
use core::time::Duration;
use core::{fmt, mem};
use std::sync::Arc;

use retry_core::calling::{Fits, Pausing};
use retry_core::{AsPolicy, On};
use tower_layer::Layer;
use tower_service::Service;

mod future;
mod request;

pub use self::future::RetryFuture;
pub use self::request::{Cloned, IdempotentIf, RepeatRequest};
pub use retry_core::calling::{BySleep, OnTokio};

/// Retries the requests of a service by a policy: [`Retry`] as a layer.
///
/// Not to be taken for `tower::retry::RetryLayer`, whose policies say in code of their own what a
/// [`Policy`](crate::Policy) here is made of. The policy is shared by all services that the layer makes
/// and all their clones. It may also be a reference to a static one, or what points to one.
pub struct RetryLayer<P, C = Cloned, Z = OnTokio> {
    policy: Arc<P>,
    requests: C,
    sleep: Z,
}

#[cfg(feature = "tokio")]
impl<P: AsPolicy> RetryLayer<P> {
    /// Retries by this policy, with clones of the request, and waits on tokio's timer.
    pub fn new(policy: P) -> Self {
        Self { policy: Arc::new(policy), requests: Cloned, sleep: OnTokio }
    }
}

impl<P: AsPolicy, F, R> RetryLayer<P, Cloned, BySleep<F>>
where
    F: Fn(Duration) -> R,
    R: IntoFuture,
{
    /// Like [`new`](RetryLayer::new), on any runtime: `sleep` says how to wait. It is not called for a
    /// wait of zero.
    ///
    /// ```
    /// # mod async_io {
    /// #     #[derive(Debug)] pub struct Timer;
    /// #     impl Timer { pub async fn after(_: std::time::Duration) {} }
    /// # }
    /// use async_io::Timer;
    /// use retry::policy;
    /// use retry::tower::RetryLayer;
    ///
    /// let policy = policy! { stop = attempts(5), wait = fixed(100ms), on = any_error() };
    /// let layer = RetryLayer::with_sleep(policy, Timer::after);
    /// # let _ = layer;
    /// ```
    pub fn with_sleep(policy: P, sleep: F) -> Self {
        Self { policy: Arc::new(policy), requests: Cloned, sleep: BySleep(sleep) }
    }
}

impl<P, Z> RetryLayer<P, Cloned, Z> {
    /// Repeats requests by a function in place of `Clone`: it gives the request for another attempt,
    /// or `None` for one that cannot be sent again, whose attempt is then the last. It is asked before
    /// each attempt, the first included.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// use retry::policy;
    /// use retry::tower::RetryLayer;
    /// use tower::{Service, ServiceBuilder, ServiceExt, service_fn};
    ///
    /// enum Body {
    ///     Text(String),
    ///     Stream(/* … */),
    /// }
    ///
    /// let policy = policy! { stop = attempts(3), wait = fixed(1s), on = any_error() };
    /// let layer = RetryLayer::new(policy).clone_request(|body: &Body| match body {
    ///     Body::Text(text) => Some(Body::Text(text.clone())),
    ///     Body::Stream() => None,
    /// });
    /// # let calls = std::cell::Cell::new(0);
    /// let mut service = ServiceBuilder::new().layer(layer).service(service_fn(async |_: Body| {
    /// #   calls.set(calls.get() + 1);
    ///     Err::<(), _>("lost")
    /// }));
    /// assert!(service.ready().await.unwrap().call(Body::Text("…".into())).await.is_err());
    /// assert_eq!(calls.replace(0), 3);
    /// assert!(service.ready().await.unwrap().call(Body::Stream()).await.is_err());
    /// assert_eq!(calls.get(), 1);
    /// # }
    /// ```
    pub fn clone_request<Req, F>(self, clone: F) -> RetryLayer<P, F, Z>
    where
        F: Fn(&Req) -> Option<Req>,
    {
        RetryLayer { policy: self.policy, requests: clone, sleep: self.sleep }
    }
}

impl<P, C, Z> RetryLayer<P, C, Z> {
    /// Says of each request whether repeating it is harmless even if it may have taken effect, in place
    /// of the policy's `idempotent`. What has certainly had no effect is repeated in any case.
    ///
    /// ```
    /// # #[cfg(feature = "http")] fn example() {
    /// use http::Request;
    /// use retry::http::{IDEMPOTENCY_KEY, is_idempotent};
    /// # let policy = retry::policy! { stop = attempts(3), wait = none(), on = any_error() };
    /// # use retry::tower::RetryLayer;
    ///
    /// let layer = RetryLayer::new(policy).idempotent_if(|request: &Request<String>| {
    ///     is_idempotent(request.method()) || request.headers().contains_key(IDEMPOTENCY_KEY)
    /// });
    /// # let _ = layer;
    /// # }
    /// ```
    pub fn idempotent_if<Req, F>(self, idempotent: F) -> RetryLayer<P, IdempotentIf<C, F>, Z>
    where
        F: Fn(&Req) -> bool,
    {
        let requests = IdempotentIf::new(self.requests, idempotent);
        RetryLayer { policy: self.policy, requests, sleep: self.sleep }
    }
}

impl<P, C: Clone, Z: Clone> Clone for RetryLayer<P, C, Z> {
    fn clone(&self) -> Self {
        Self {
            policy: Arc::clone(&self.policy),
            requests: self.requests.clone(),
            sleep: self.sleep.clone(),
        }
    }
}

impl<P: fmt::Debug, C, Z: fmt::Debug> fmt::Debug for RetryLayer<P, C, Z> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RetryLayer")
            .field("policy", &self.policy)
            .field("sleep", &self.sleep)
            .finish_non_exhaustive()
    }
}

impl<P, S, C: Clone, Z: Clone> Layer<S> for RetryLayer<P, C, Z> {
    type Service = Retry<P, S, C, Z>;

    fn layer(&self, service: S) -> Self::Service {
        Retry { layer: self.clone(), service }
    }
}

/// A service whose requests are retried by a policy; made by [`RetryLayer`].
///
/// It is ready when the service below it is. That must be `Clone`, as for tower's own: a call keeps the
/// one that was ready, and leaves a clone in its place.
pub struct Retry<P, S, C = Cloned, Z = OnTokio> {
    layer: RetryLayer<P, C, Z>,
    service: S,
}

impl<P, S, C, Z> Retry<P, S, C, Z> {
    /// The service below.
    pub const fn get_ref(&self) -> &S {
        &self.service
    }

    /// The service below.
    pub const fn get_mut(&mut self) -> &mut S {
        &mut self.service
    }

    /// The service below.
    pub fn into_inner(self) -> S {
        self.service
    }
}

impl<P, S: Clone, C: Clone, Z: Clone> Clone for Retry<P, S, C, Z> {
    fn clone(&self) -> Self {
        Self { layer: self.layer.clone(), service: self.service.clone() }
    }
}

impl<P: fmt::Debug, S: fmt::Debug, C, Z: fmt::Debug> fmt::Debug for Retry<P, S, C, Z> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Retry").field("layer", &self.layer).field("service", &self.service).finish()
    }
}

impl<P, S, C, Z, Req> Service<Req> for Retry<P, S, C, Z>
where
    P: AsPolicy,
    P::On: On<Result<S::Response, S::Error>>,
    P::Limits: Fits<Result<S::Response, S::Error>>,
    S: Service<Req, Error: fmt::Debug> + Clone,
    C: RepeatRequest<Req> + Clone,
    Z: Pausing + Clone,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = RetryFuture<P, S, Req, C, Z>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.service.poll_ready(cx)
    }

    fn call(&mut self, request: Req) -> Self::Future {
        // The one that is ready, and not its clone, which is not.
        let clone = self.service.clone();
        let ready = mem::replace(&mut self.service, clone);
        RetryFuture::new(self.layer.clone(), ready, request)
    }
}
