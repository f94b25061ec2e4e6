//! The attempts to send a request, one after the other.

use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll, ready};

use ::reqwest::{Client, Request, Response};
use retry_core::calling::Attempts;
use retry_core::{On, Verdict};

use super::body::Reading;
use super::error::RequestError;
use crate::http::{IDEMPOTENCY_KEY, IdempotencyKey, Statuses};

pub(super) type Outcome = Result<Response, RequestError>;

type InFlight = Pin<Box<dyn Future<Output = ::reqwest::Result<Response>> + Send>>;

/// The attempts of a call: each sends the request, and reads the answer if another one may follow.
pub(super) struct Sends {
    client: Client,
    source: Source,
    /// The key of the call goes with it.
    of_call: bool,
    /// Sending it again is harmless even if it has taken effect.
    repeatable: bool,
    statuses: Statuses,
    in_flight: Option<InFlight>,
    reading: Option<Reading>,
    /// The last answer, if its attempt was cut while it was read.
    cut: Option<Response>,
}

impl Sends {
    pub(super) fn new(
        client: Client,
        request: Request,
        of_call: bool,
        repeatable: bool,
        statuses: Statuses,
    ) -> Self {
        let source = Source::of(request);
        let (in_flight, reading, cut) = (None, None, None);
        Self { client, source, of_call, repeatable, statuses, in_flight, reading, cut }
    }

    /// What judges their outcomes.
    pub(super) fn judging<'p, O>(&self, on: &'p O) -> Judge<'p, O> {
        Judge { statuses: self.statuses, on, replayable: self.source.is_replayable() }
    }

    /// The answer of an attempt that was cut while it was read. It is a real one, which no other has
    /// followed.
    pub(super) fn take_cut(&mut self) -> Option<Response> {
        self.cut.take()
    }

    fn send(&mut self) -> Result<InFlight, RequestError> {
        let mut request = self.source.next().ok_or_else(RequestError::spent)?;
        if self.of_call {
            if let Some(key) = IdempotencyKey::of_call() {
                request.headers_mut().insert(IDEMPOTENCY_KEY, key.into());
            }
        }
        Ok(Box::pin(self.client.execute(request)))
    }

    /// Whether another attempt may follow this answer.
    fn is_unwanted(&self, response: &Response) -> bool {
        let verdict = self.statuses.verdict_of(response.status(), response.headers());
        let again = verdict.is_retry() || verdict.is_ambiguous() && self.repeatable;
        again && self.source.is_replayable()
    }

    fn poll_outcome(&mut self, cx: &mut Context<'_>) -> Poll<Outcome> {
        if self.reading.is_none() {
            let mut in_flight = match self.in_flight.take() {
                Some(in_flight) => in_flight,
                None => self.send()?,
            };
            let Poll::Ready(answer) = in_flight.as_mut().poll(cx) else {
                self.in_flight = Some(in_flight);
                return Poll::Pending;
            };
            let response = answer?;
            if !self.is_unwanted(&response) {
                return Poll::Ready(Ok(response));
            }
            self.reading = Some(Reading::of(response));
        }
        if let Some(reading) = &mut self.reading {
            ready!(reading.poll_quick(cx));
        }
        let read = self.reading.take().ok_or_else(RequestError::spent)?;
        Poll::Ready(Ok(read.into_response()))
    }
}

impl Future for Sends {
    type Output = Outcome;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Outcome> {
        let this = self.get_mut();
        let outcome = ready!(this.poll_outcome(cx));
        this.cut = None;
        Poll::Ready(outcome)
    }
}

impl Attempts for Sends {
    fn end(self: Pin<&mut Self>) {
        let this = self.get_mut();
        this.in_flight = None;
        if let Some(reading) = this.reading.take() {
            this.cut = Some(reading.into_response());
        }
    }

    fn may_go_on(&self) -> bool {
        !matches!(self.source, Source::Stream(None))
    }

    fn is_idempotent(&self) -> Option<bool> {
        Some(self.repeatable && self.source.is_replayable())
    }

    fn kept(outcome: Outcome) -> Option<Outcome> {
        Some(outcome)
    }
}

/// Where the request of an attempt comes from.
enum Source {
    Replayed(Request),
    Stream(Option<Request>),
}

impl Source {
    fn of(request: Request) -> Self {
        let replayable = request.body().is_none_or(|body| body.as_bytes().is_some());
        if replayable { Self::Replayed(request) } else { Self::Stream(Some(request)) }
    }

    const fn is_replayable(&self) -> bool {
        matches!(self, Self::Replayed(_))
    }

    fn next(&mut self) -> Option<Request> {
        match self {
            Self::Replayed(request) => request.try_clone(),
            Self::Stream(request) => request.take(),
        }
    }
}

/// Answers by their status, the rest by the policy.
pub(super) struct Judge<'p, O> {
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
