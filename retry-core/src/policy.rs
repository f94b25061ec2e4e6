//! The three kinds of strategy together, as a value.

use std::rc::Rc;
use std::sync::{Arc, LazyLock};

use crate::call::MaxHint;
use crate::condition::ByTransient;
use crate::drive::Ends;
use crate::site::Site;
use crate::stop::Stop;
use crate::wait::Wait;

/// What can serve as a policy: a [`Policy`], and whatever points to one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a policy",
    label = "neither a policy nor a pointer to one",
    note = "make one with `retry::policy! {{ stop = …, wait = …, on = … }}`"
)]
pub trait AsPolicy {
    /// When to give up.
    type Stop: Stop;
    /// How long to wait.
    type Wait: Wait;
    /// What is worth another attempt.
    type On;

    /// When to give up.
    fn stop(&self) -> &Self::Stop;

    /// How long to wait.
    fn wait(&self) -> &Self::Wait;

    /// What is worth another attempt.
    fn on(&self) -> &Self::On;

    /// The longest wait that the other side may ask for.
    fn max_hint(&self) -> MaxHint {
        MaxHint::Remaining
    }

    /// Whether repeating is harmless even if an attempt has taken effect.
    fn is_idempotent(&self) -> bool {
        false
    }

    /// What its calls are named after.
    #[doc(hidden)]
    fn site(&self) -> &'static Site {
        &UNNAMED
    }
}

/// What the calls of a policy without a name go by.
static UNNAMED: Site = Site::named("retry::Policy");

/// When to give up, how long to wait and what is worth another attempt, as one value.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Policy<S, W, O = ByTransient> {
    stop: S,
    wait: W,
    on: O,
    max_hint: MaxHint,
    idempotent: bool,
    site: &'static Site,
}

impl<S: Stop<Ends: Ends>, W: Wait, O> Policy<S, W, O> {
    /// A policy of three parts, the first of which must be sure to end.
    pub const fn new(stop: S, wait: W, on: O) -> Self {
        Self { stop, wait, on, max_hint: MaxHint::Remaining, idempotent: false, site: &UNNAMED }
    }
}

impl<S: Stop, W: Wait, O> AsPolicy for Policy<S, W, O> {
    type Stop = S;
    type Wait = W;
    type On = O;

    fn stop(&self) -> &S {
        &self.stop
    }

    fn wait(&self) -> &W {
        &self.wait
    }

    fn on(&self) -> &O {
        &self.on
    }

    fn max_hint(&self) -> MaxHint {
        self.max_hint
    }

    fn is_idempotent(&self) -> bool {
        self.idempotent
    }

    fn site(&self) -> &'static Site {
        self.site
    }
}

macro_rules! policy_through {
    ($([$($param:tt)*] $pointer:ty),* $(,)?) => {$(
        impl<P: AsPolicy $($param)*> AsPolicy for $pointer {
            type Stop = P::Stop;
            type Wait = P::Wait;
            type On = P::On;

            fn stop(&self) -> &P::Stop {
                (**self).stop()
            }

            fn wait(&self) -> &P::Wait {
                (**self).wait()
            }

            fn on(&self) -> &P::On {
                (**self).on()
            }

            fn max_hint(&self) -> MaxHint {
                (**self).max_hint()
            }

            fn is_idempotent(&self) -> bool {
                (**self).is_idempotent()
            }

            fn site(&self) -> &'static Site {
                (**self).site()
            }
        }
    )*};
}

policy_through!(
    [+ ?Sized] &P,
    [+ ?Sized] Box<P>,
    [+ ?Sized] Rc<P>,
    [+ ?Sized] Arc<P>,
    [, F: FnOnce() -> P] LazyLock<P, F>,
);
