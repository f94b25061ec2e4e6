//! Sending a request until it is answered.

use core::future::{Future, IntoFuture};
use core::pin::Pin;

use ::reqwest::{Client, Request, RequestBuilder, Response};
use retry_core::{AsPolicy, On, Policy, Verdict};

use super::body;
use super::error::RequestError;
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
    /// | an idempotent method, a key, or [`idempotent`](SendRetrying::idempotent) | after all that is worth another attempt |
    /// | another method, such as `POST` | after what is sure to have had no effect: no connection, or a 429 |
    /// | with a stream as its body | never: it cannot be read twice; the call ends for the reason [`Ambiguous`](retry_core::StopReason::Ambiguous) |
    /// | that could not be built | not even once; its error is returned at once |
    ///
    /// The policy is the same for all requests, and is best a static. Its calls are told in events and
    /// counted by its name.
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
    /// A policy with limits or guards (`deadline`, `attempt_timeout`, `budget`, `breaker`) is not taken by
    /// it and does not compile; write those keys on a function whose body sends the request.
    ///
    /// # Panics
    ///
    /// When it is awaited outside a tokio runtime with a timer, as reqwest does.
    fn send_retrying<P: AsPolicy>(self, policy: &P) -> SendRetrying<'_, P>;
}

impl RequestBuilderExt for RequestBuilder {
    fn send_retrying<P: AsPolicy>(self, policy: &P) -> SendRetrying<'_, P> {
        let statuses = statuses::transient();
        SendRetrying { request: self, policy, statuses, idempotent: false, key: None }
    }
}

/// A request to be sent; made by [`send_retrying`](RequestBuilderExt::send_retrying), sent by `.await`.
#[derive(Debug)]
#[must_use = "a request is sent when it is awaited"]
pub struct SendRetrying<'p, P> {
    request: RequestBuilder,
    policy: &'p P,
    statuses: Statuses,
    idempotent: bool,
    key: Option<Key>,
}

#[derive(Debug)]
enum Key {
    OfCall,
    Own(IdempotencyKey),
}

impl<P> SendRetrying<'_, P> {
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
    /// around it.
    ///
    /// With a key, 409 is retried, and 400 and 422 are not ([`keyed`](Statuses::keyed)).
    pub fn keyed(mut self) -> Self {
        self.key = Some(Key::OfCall);
        self
    }

    /// The same with a key of your own, such as the number of the order.
    ///
    /// One that is among the headers of the request already, put there by its builder, is taken for a
    /// key, too.
    pub fn idempotency_key(mut self, key: IdempotencyKey) -> Self {
        self.key = Some(Key::Own(key));
        self
    }
}

impl<P> SendRetrying<'_, P>
where
    P: AsPolicy<Stop: Sync, Wait: Sync, On: On<Outcome> + Sync, Limits = ()> + Sync,
{
    async fn send(self) -> Outcome {
        let (client, request) = self.request.build_split();
        let mut request = request?;
        let of_call = match self.key {
            Some(Key::Own(key)) => {
                request.headers_mut().insert(IDEMPOTENCY_KEY, key.into());
                false
            }
            Some(Key::OfCall) => true,
            None => false,
        };
        let keyed = of_call || request.headers().contains_key(IDEMPOTENCY_KEY);
        let replayable = request.body().is_none_or(|body| body.as_bytes().is_some());
        let repeatable = self.idempotent
            || keyed
            || self.policy.is_idempotent()
            || is_idempotent(request.method());
        let statuses = if keyed { self.statuses.keyed() } else { self.statuses };
        let judge = Judge { statuses, on: self.policy.on(), replayable };
        let policy = Policy::like(self.policy, self.policy.stop(), self.policy.wait(), judge)
            .with_idempotent(replayable && repeatable);
        let again = |verdict: Verdict| verdict.is_retry() || verdict.is_ambiguous() && repeatable;
        let mut source = Source::of(request, replayable);
        let client = &client;
        policy
            .call_async(|| {
                let request = source.next();
                async move {
                    let response =
                        send(client, request.ok_or_else(RequestError::spent)?, of_call).await?;
                    let verdict = statuses.verdict_of(response.status(), response.headers());
                    let unwanted = replayable && again(verdict);
                    Ok(if unwanted { body::read(response).await } else { response })
                }
            })
            .await
    }
}

impl<'p, P> IntoFuture for SendRetrying<'p, P>
where
    P: AsPolicy<Stop: Sync, Wait: Sync, On: On<Outcome> + Sync, Limits = ()> + Sync,
{
    type Output = Outcome;
    type IntoFuture = Pin<Box<dyn Future<Output = Outcome> + Send + 'p>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}

type Outcome = Result<Response, RequestError>;

async fn send(client: &Client, mut request: Request, of_call: bool) -> ::reqwest::Result<Response> {
    if of_call {
        if let Some(key) = IdempotencyKey::of_call() {
            request.headers_mut().insert(IDEMPOTENCY_KEY, key.into());
        }
    }
    client.execute(request).await
}

/// Where the request of an attempt comes from.
enum Source {
    Replayed(Request),
    Stream(Option<Request>),
}

impl Source {
    fn of(request: Request, replayable: bool) -> Self {
        if replayable { Self::Replayed(request) } else { Self::Stream(Some(request)) }
    }

    fn next(&mut self) -> Option<Request> {
        match self {
            Self::Replayed(request) => request.try_clone(),
            Self::Stream(request) => request.take(),
        }
    }
}

/// Answers by their status, the rest by the policy.
struct Judge<'p, O> {
    statuses: Statuses,
    on: &'p O,
    replayable: bool,
}

impl<O: On<Outcome>> On<Outcome> for Judge<'_, O> {
    fn verdict(&self, outcome: &Outcome) -> Verdict {
        let by_status = match outcome {
            Ok(response) => self.statuses.verdict_of(response.status(), response.headers()),
            Err(_) => Verdict::Final,
        };
        let verdict = by_status | self.on.verdict(outcome);
        // A stream that may have been read cannot be sent again, even where nothing has arrived.
        if self.replayable || verdict.is_final() { verdict } else { Verdict::Ambiguous }
    }
}

mod sealed {
    #[allow(unreachable_pub)] // public, but in no public module
    pub trait Sealed {}
    impl Sealed for ::reqwest::RequestBuilder {}
}
