//! The call of a service, and its attempts.

use core::fmt;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll, ready};
use std::sync::Arc;

use pin_project_lite::pin_project;
use retry_core::calling::{Attempts, Calling, Fits, Pausing};
use retry_core::{AsPolicy, On};
use tower_service::Service;

use super::RetryLayer;
use super::request::RepeatRequest;

pin_project! {
    /// The call of a [`Retry`](super::Retry).
    #[must_use = "futures do nothing unless polled"]
    pub struct RetryFuture<P, S, Req, C, Z>
    where
        P: AsPolicy,
        S: Service<Req>,
        S: Clone,
        C: RepeatRequest<Req>,
        Z: Pausing,
    {
        #[pin]
        call: Calling<Arc<P>, Requests<S, Req, C>, Z>,
    }
}

impl<P, S, Req, C, Z> RetryFuture<P, S, Req, C, Z>
where
    P: AsPolicy,
    S: Service<Req> + Clone,
    C: RepeatRequest<Req>,
    Z: Pausing,
{
    pub(super) fn new(layer: RetryLayer<P, C, Z>, ready: S, request: Req) -> Self {
        let RetryLayer { policy, requests: repeat, sleep } = layer;
        let idempotent = repeat.is_idempotent(&request);
        let (place, request) = (Place::Reserved, Some(request));
        let attempts =
            Requests { answer: None, service: ready, place, request, idempotent, repeat };
        Self { call: Calling::new(policy, attempts, sleep) }
    }
}

impl<P, S, Req, C, Z> Future for RetryFuture<P, S, Req, C, Z>
where
    P: AsPolicy,
    P::On: On<Result<S::Response, S::Error>>,
    P::Limits: Fits<Result<S::Response, S::Error>>,
    S: Service<Req, Error: fmt::Debug> + Clone,
    C: RepeatRequest<Req>,
    Z: Pausing,
{
    type Output = Result<S::Response, S::Error>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.project().call.poll(cx)
    }
}

impl<P, S, Req, C, Z> fmt::Debug for RetryFuture<P, S, Req, C, Z>
where
    P: AsPolicy,
    S: Service<Req> + Clone,
    C: RepeatRequest<Req>,
    Z: Pausing,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RetryFuture").field(&self.call).finish()
    }
}

/// What the service has promised to the next request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Nothing.
    None,
    /// It was asked for its readiness, and may have kept a place in some queue.
    Asked,
    /// It is ready.
    Reserved,
}

pin_project! {
    /// The attempts of a call: each waits until the service is ready, and sends the request.
    pub(super) struct Requests<S, Req, C>
    where
        S: Service<Req>,
    {
        #[pin]
        answer: Option<S::Future>,
        service: S,
        place: Place,
        // For the next attempt.
        request: Option<Req>,
        idempotent: Option<bool>,
        repeat: C,
    }
}

impl<S: Service<Req>, Req, C: RepeatRequest<Req>> Future for Requests<S, Req, C> {
    type Output = Result<S::Response, S::Error>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let mut this = self.project();
        if this.answer.is_none() {
            if *this.place != Place::Reserved {
                *this.place = Place::Asked;
                ready!(this.service.poll_ready(cx))?;
                *this.place = Place::Reserved;
            }
            if let Some(request) = this.request.take() {
                *this.request = this.repeat.repeat(&request);
                *this.place = Place::None;
                this.answer.set(Some(this.service.call(request)));
            }
        }
        this.answer.as_pin_mut().map_or(Poll::Pending, |answer| answer.poll(cx))
    }
}

impl<S: Service<Req> + Clone, Req, C: RepeatRequest<Req>> Attempts for Requests<S, Req, C> {
    fn end(self: Pin<&mut Self>) {
        let mut this = self.project();
        this.answer.set(None);
        // A place that nobody takes would be kept from others in the pause; and a service that has
        // failed to get ready must not be asked again.
        if core::mem::replace(this.place, Place::None) != Place::None {
            let clone = this.service.clone();
            *this.service = clone;
        }
    }

    fn may_go_on(&self) -> bool {
        self.request.is_some()
    }

    fn is_idempotent(&self) -> Option<bool> {
        self.idempotent
    }

    /// An answer may hold what the next attempt waits for, a connection or a permit.
    fn kept(outcome: Self::Output) -> Option<Self::Output> {
        outcome.err().map(Err)
    }
}
