//! The call of a request that is sent again, as a future.

use core::fmt;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll, ready};

use pin_project_lite::pin_project;
use retry_core::calling::{Calling, OnTokio};
use retry_core::{AsPolicy, Policy};

use super::attempts::{Judge, Outcome, Sends};
use super::error::RequestError;

/// The policy as it is, with answers judged by their status, too.
type Judging<'p, P> = Policy<
    &'p <P as AsPolicy>::Stop,
    &'p <P as AsPolicy>::Wait,
    Judge<'p, <P as AsPolicy>::On>,
    <P as retry_core::sealed::SealedPolicy>::Limits,
>;

pub(super) type Call<'p, P> = Calling<Judging<'p, P>, Sends, OnTokio>;

/// How it is polled. It is known where the policy is given, so that a policy that does not judge requests
/// is a mistake there, and not a future that is none where it is awaited.
pub(super) type Poller<'p, P> = fn(Pin<&mut Call<'p, P>>, &mut Context<'_>) -> Poll<Outcome>;

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
        call: Option<Call<'p, P>>,
        failed: Option<RequestError>,
        poll: Poller<'p, P>,
    }
}

impl<'p, P: AsPolicy> Sending<'p, P> {
    pub(super) fn new(policy: &'p P, sends: Sends, poll: Poller<'p, P>) -> Self {
        let judge = sends.judging(policy.on());
        let policy = Policy::like(policy, policy.stop(), policy.wait(), judge);
        Self { call: Some(Calling::new(policy, sends, OnTokio)), failed: None, poll }
    }

    pub(super) fn not_built(error: ::reqwest::Error, poll: Poller<'p, P>) -> Self {
        Self { call: None, failed: Some(error.into()), poll }
    }
}

impl<P: AsPolicy> Future for Sending<'_, P> {
    type Output = Outcome;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Outcome> {
        let mut this = self.project();
        let Some(mut call) = this.call.as_mut().as_pin_mut() else {
            return this.failed.take().map_or(Poll::Pending, |error| Poll::Ready(Err(error)));
        };
        let outcome = ready!((this.poll)(call.as_mut(), cx));
        let answered = call.attempts().get_mut().take_cut();
        Poll::Ready(answered.map_or(outcome, Ok))
    }
}

impl<P: AsPolicy> fmt::Debug for Sending<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sending").field("call", &self.call).finish_non_exhaustive()
    }
}
