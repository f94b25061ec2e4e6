//! How a request is sent again.

use core::fmt;

/// How a request is sent again: [`Cloned`], a function that gives another one, or either with a word
/// on which requests are idempotent. Made by the methods of [`RetryLayer`](super::RetryLayer).
#[diagnostic::on_unimplemented(
    message = "the layer does not know how to send a `{Req}` again",
    label = "a `{Req}` cannot be repeated",
    note = "a request that is not `Clone` needs a function: `RetryLayer::new(policy).clone_request(|request: &{Req}| …)`, where `None` makes one attempt"
)]
pub trait RepeatRequest<Req> {
    /// The request for another attempt, if it can be sent again.
    fn repeat(&self, request: &Req) -> Option<Req>;

    /// Whether sending it again is harmless even if it has taken effect; `None` where that is up to the
    /// policy.
    fn is_idempotent(&self, _: &Req) -> Option<bool> {
        None
    }
}

/// Every request is cloned.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cloned;

impl<Req: Clone> RepeatRequest<Req> for Cloned {
    fn repeat(&self, request: &Req) -> Option<Req> {
        Some(request.clone())
    }
}

#[diagnostic::do_not_recommend]
impl<Req, F: Fn(&Req) -> Option<Req>> RepeatRequest<Req> for F {
    fn repeat(&self, request: &Req) -> Option<Req> {
        self(request)
    }
}

/// A function says which requests are idempotent.
#[derive(Clone, Copy)]
pub struct IdempotentIf<C, F> {
    requests: C,
    idempotent: F,
}

impl<C, F> IdempotentIf<C, F> {
    pub(super) const fn new(requests: C, idempotent: F) -> Self {
        Self { requests, idempotent }
    }
}

impl<C, F> fmt::Debug for IdempotentIf<C, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("IdempotentIf(..)")
    }
}

impl<Req, C: RepeatRequest<Req>, F: Fn(&Req) -> bool> RepeatRequest<Req> for IdempotentIf<C, F> {
    fn repeat(&self, request: &Req) -> Option<Req> {
        self.requests.repeat(request)
    }

    fn is_idempotent(&self, request: &Req) -> Option<bool> {
        Some((self.idempotent)(request))
    }
}
