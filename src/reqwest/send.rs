//! Sending a request until it is answered.

use core::fmt;
use core::future::{Future, IntoFuture};

use ::reqwest::RequestBuilder;
use retry_core::calling::Fits;
use retry_core::{AsPolicy, On};

use super::attempts::{Outcome, Sends};
use super::future::{Call, Poller, Sending};
use crate::http::{IDEMPOTENCY_KEY, IdempotencyKey, Statuses, is_idempotent, statuses};

/// Sends requests of reqwest again.
pub trait RequestBuilderExt: sealed::Sealed + Sized {
    /// Sends the request until it is answered well or the policy gives up, and returns the last answer
    /// or the last error.
    ///
    /// An answer is judged by its status, [`transient`](statuses::transient) unless
    /// [other statuses](SendRetrying::statuses) are set, with what the server asked to wait; an error
    /// by the condition of the policy, which may judge answers, too. Where a status was the failure,
    /// the last answer is returned as it is, with its body.
    ///
    /// | request | sent again |
    /// |---|---|
    /// | an idempotent method, a key, or `idempotent`, said of it ([here](SendRetrying::idempotent)) or by the policy | after all that is worth another attempt |
    /// | another method, such as `POST` | after what is sure to have had no effect: no connection, or a status that says so, such as 429 |
    /// | with a stream as its body | never: it cannot be read twice; the call ends for the reason [`Ambiguous`](retry_core::StopReason::Ambiguous) |
    /// | that could not be built | not even once; its error is returned at once |
    ///
    /// The policy judges [`RequestError`](super::RequestError)s. It is the same for all requests, and is
    /// best a static. Its calls are told in events and counted by its name.
    ///
    /// ```no_run
    /// use retry::reqwest::{RequestBuilderExt, RequestError};
    /// use retry::{BoxedPolicy, policy};
    /// use std::sync::LazyLock;
    ///
    /// static POLICY: LazyLock<BoxedPolicy<RequestError>> = LazyLock::new(|| {
    ///     policy! {
    ///         stop = attempts(5) | within(20s),
    ///         wait = exponential(500ms).cap(8s).full_jitter(),
    ///     }
    ///     .boxed()
    /// });
    ///
    /// async fn pay(client: &reqwest::Client, order: u64) -> Result<bool, RequestError> {
    ///     let request = client.post("https://bank.example/payments").body(order.to_string());
    ///     let response = request.send_retrying(&*POLICY).keyed().await?;
    ///     Ok(response.status().is_success())
    /// }
    /// ```
    ///
    /// The body of an answer that is not wanted is read first, if it is short, so that the connection can
    /// be used again: up to 64 KiB, for up to 100 ms. A longer one is dropped, and its connection may be.
    ///
    /// A policy may have limits and guards. A `deadline` cuts the attempt that is running at it, and
    /// the call ends with the last answer or error before it. A call that has none, as one refused by a
    /// `breaker`, ends with a [`RequestError`](super::RequestError) that is
    /// [`interrupted`](super::RequestError::interrupted). An `attempt_timeout` covers an attempt until its
    /// answer has its headers; the body that is read later is limited by the client's own timeout. A
    /// policy with one that serves all methods says `idempotent = false`, so that the request decides:
    ///
    /// ```
    /// use retry::reqwest::RequestError;
    /// use retry::{BoxedPolicy, Breaker, Limited, policy, stop};
    /// use std::sync::LazyLock;
    ///
    /// static BREAKER: Breaker = Breaker::consecutive(5);
    ///
    /// static BANK: LazyLock<BoxedPolicy<RequestError, stop::Bounded, Limited>> = LazyLock::new(|| {
    ///     policy! {
    ///         stop = attempts(5),
    ///         wait = exponential(500ms).cap(8s).full_jitter(),
    ///         deadline = 20s,
    ///         attempt_timeout = 6s,
    ///         idempotent = false,
    ///         breaker = &BREAKER,
    ///     }
    ///     .boxed()
    /// });
    /// # let _ = &*BANK;
    /// ```
    ///
    /// # Panics
    ///
    /// When it is awaited outside a tokio runtime with a timer, as reqwest does.
    fn send_retrying<P>(self, policy: &P) -> SendRetrying<'_, P>
    where
        P: AsPolicy<On: On<Outcome>, Limits: Fits<Outcome>>;
}

impl RequestBuilderExt for RequestBuilder {
    fn send_retrying<P>(self, policy: &P) -> SendRetrying<'_, P>
    where
        P: AsPolicy<On: On<Outcome>, Limits: Fits<Outcome>>,
    {
        let statuses = statuses::transient();
        let poll: Poller<'_, P> = <Call<'_, P> as Future>::poll;
        SendRetrying { request: self, policy, statuses, idempotent: false, key: None, poll }
    }
}

/// A request to be sent; made by [`send_retrying`](RequestBuilderExt::send_retrying), sent by `.await`.
#[must_use = "a request is sent when it is awaited"]
pub struct SendRetrying<'p, P: AsPolicy> {
    request: RequestBuilder,
    policy: &'p P,
    statuses: Statuses,
    idempotent: bool,
    key: Option<Key>,
    poll: Poller<'p, P>,
}

impl<P: AsPolicy> fmt::Debug for SendRetrying<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the request, whose URL may hold a secret.
        f.debug_struct("SendRetrying")
            .field("policy", &self.policy.site().name())
            .field("statuses", &self.statuses)
            .field("idempotent", &self.idempotent)
            .field("key", &self.key)
            .finish_non_exhaustive()
    }
}

#[derive(Debug)]
enum Key {
    OfCall,
    Own(IdempotencyKey),
}

impl<P: AsPolicy> SendRetrying<'_, P> {
    /// Which statuses are worth another attempt, in place of [`statuses::transient`].
    pub fn statuses(mut self, statuses: Statuses) -> Self {
        self.statuses = statuses;
        self
    }

    /// The request is harmless to repeat, whatever its method: the server takes it for the same one
    /// by what is in it, or it only reads.
    pub fn idempotent(mut self) -> Self {
        self.idempotent = true;
        self
    }

    /// Sends a key, the same with every attempt of this call and another one with every call, by which
    /// the server knows the request again: [`IdempotencyKey::of_call`], of this call and not of one
    /// around it. One that is among the headers of the request already, put there by its builder, is
    /// taken in its place, with or without this.
    ///
    /// With a key, 409 is retried, and 400 and 422 are not ([`keyed`](Statuses::keyed)).
    pub fn keyed(mut self) -> Self {
        self.key = Some(Key::OfCall);
        self
    }

    /// The same with a key of your own, such as the number of the order, in place of any that is among
    /// the headers.
    pub fn idempotency_key(mut self, key: IdempotencyKey) -> Self {
        self.key = Some(Key::Own(key));
        self
    }
}

impl<'p, P: AsPolicy> IntoFuture for SendRetrying<'p, P> {
    type Output = Outcome;
    type IntoFuture = Sending<'p, P>;

    fn into_future(self) -> Sending<'p, P> {
        let (client, request) = self.request.build_split();
        let mut request = match request {
            Ok(request) => request,
            Err(error) => return Sending::not_built(error, self.poll),
        };
        if let Some(Key::Own(key)) = &self.key {
            request.headers_mut().insert(IDEMPOTENCY_KEY, key.into());
        }
        let own = request.headers().get(IDEMPOTENCY_KEY).is_some_and(|key| !key.is_empty());
        let of_call = !own && matches!(self.key, Some(Key::OfCall));
        let keyed = own || of_call;
        let repeatable = self.idempotent
            || keyed
            || self.policy.is_idempotent()
            || is_idempotent(request.method());
        let statuses = if keyed { self.statuses.keyed() } else { self.statuses };
        let sends = Sends::new(client, request, of_call, repeatable, statuses);
        Sending::new(self.policy, sends, self.poll)
    }
}

mod sealed {
    #[allow(unreachable_pub)] // public, but in no public module
    pub trait Sealed {}
    impl Sealed for ::reqwest::RequestBuilder {}
}
