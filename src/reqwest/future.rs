//! The call of a request that is sent again, as a future.

use core::fmt;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll, ready};

use pin_project_lite::pin_project;
use retry_core::calling::{Calling, Fits, OnTokio};
use retry_core::{AsPolicy, On, Policy};

use super::attempts::{Judge, Outcome, Sends};
use super::error::RequestError;

/// The policy as it is, with answers judged by their status, too.
type Judging<'p, P> = Policy<
    &'p <P as AsPolicy>::Stop,
    &'p <P as AsPolicy>::Wait,
    Judge<'p, <P as AsPolicy>::On>,
    <P as retry_core::sealed::SealedPolicy>::Limits,
>;

pin_project! {
    /// The future of [`SendRetrying`](super::SendRetrying). The call starts when it is first polled, and
    /// is cancelled by dropping it.
    #[must_use = "futures do nothing unless polled"]
    pub struct Sending<'p, P>
    where
        P: AsPolicy,
    {
        // `None` where there is nothing to send.
        #[pin]
        call: Option<Calling<Judging<'p, P>, Sends, OnTokio>>,
        failed: Option<RequestError>,
    }
}

impl<'p, P: AsPolicy> Sending<'p, P> {
    pub(super) fn new(policy: &'p P, sends: Sends) -> Self {
        let judge = sends.judging(policy.on());
        let policy = Policy::like(policy, policy.stop(), policy.wait(), judge);
        Self { call: Some(Calling::new(policy, sends, OnTokio)), failed: None }
    }

    pub(super) fn not_built(error: ::reqwest::Error) -> Self {
        Self { call: None, failed: Some(error.into()) }
    }
}

impl<P> Future for Sending<'_, P>
where
    P: AsPolicy<On: On<Outcome>, Limits: Fits<Outcome>>,
{
    type Output = Outcome;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Outcome> {
        let mut this = self.project();
        let Some(mut call) = this.call.as_mut().as_pin_mut() else {
            return this.failed.take().map_or(Poll::Pending, |error| Poll::Ready(Err(error)));
        };
        let outcome = ready!(call.as_mut().poll(cx));
        let answered = call.attempts().get_mut().take_cut();
        Poll::Ready(answered.map_or(outcome, Ok))
    }
}

impl<P: AsPolicy> fmt::Debug for Sending<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sending").field("call", &self.call).finish_non_exhaustive()
    }
}
