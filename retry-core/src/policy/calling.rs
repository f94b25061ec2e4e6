//! An async call by a policy, as a future that can be named.
//!
//! It is polled by hand: who keeps it in a type of his own, such as a service, can say which type that
//! is, and needs no box.

use core::fmt;
use core::future::{Future, IntoFuture};
use core::pin::Pin;
use core::task::{Context, Poll};
use core::time::Duration;

use pin_project_lite::pin_project;

use crate::engine::clock::{self, Runtime};
use crate::engine::gates::Entry;
use crate::engine::handle::Handle;
use crate::engine::timer::{self, Pause};
use crate::policy::call::{Call, Repeat, next};
use crate::policy::limiting::{Fits, Limiting};
use crate::policy::policy::{AsPolicy, SealedPolicy};
use crate::strategy::on::On;
use crate::verdict::outcome::Outcome;

/// The attempts of one call, one after the other: a future that begins anew when it is polled after its `end`.
pub trait Attempts: Future {
    /// It is over, or was cut: nothing of it is held any longer.
    fn end(self: Pin<&mut Self>);

    /// Whether another one could be made.
    fn may_go_on(&self) -> bool;

    /// Whether another one is harmless even if one has taken effect, where that is not up to the
    /// policy.
    fn is_idempotent(&self) -> Option<bool>;

    /// What is kept of a failed attempt, for a call that is cut or refused later: `None` lets go of it.
    fn kept(outcome: Self::Output) -> Option<Self::Output>;
}

/// How an async call pauses.
pub trait Pausing {
    /// The pause.
    type Pause: Future;

    /// Makes one.
    fn pausing(&self, pause: Duration) -> Self::Pause;
}

/// Pauses on tokio's timer.
#[derive(Clone, Copy, Debug, Default)]
pub struct OnTokio;

#[cfg(feature = "tokio")]
impl Pausing for OnTokio {
    type Pause = Pause<tokio::time::Sleep>;

    fn pausing(&self, pause: Duration) -> Self::Pause {
        timer::pausing(pause)
    }
}

/// Pauses by a function, which is not called for a pause of zero.
#[derive(Clone, Copy)]
pub struct BySleep<F>(pub F);

impl<F> fmt::Debug for BySleep<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BySleep(..)")
    }
}

impl<F: Fn(Duration) -> Z, Z: IntoFuture> Pausing for BySleep<F> {
    type Pause = Pause<Z::IntoFuture>;

    fn pausing(&self, pause: Duration) -> Self::Pause {
        timer::pausing_by(pause, &self.0)
    }
}

/// Where a call stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Starting,
    Attempting,
    Pausing,
    Over,
}

type Guards<P> = <<P as SealedPolicy>::Limits as Limiting>::Guards;
type Last<P, R> = <<P as SealedPolicy>::Limits as Limiting>::Last<R>;

pin_project! {
    /// One call by a policy, which starts when it is first polled. Polled after it has ended, it never
    /// ends again.
    #[must_use = "futures do nothing unless polled"]
    pub struct Calling<P, A, Z>
    where
        P: AsPolicy,
        A: Attempts,
        Z: Pausing,
    {
        #[pin]
        attempts: A,
        // Of the pause, or what cuts the attempt.
        #[pin]
        timer: Option<Z::Pause>,
        last: Last<P, A::Output>,
        call: Option<Call<Runtime, Guards<P>>>,
        stage: Stage,
        pausing: Z,
        policy: P,
    }
}

impl<P: AsPolicy, A: Attempts, Z: Pausing> Calling<P, A, Z> {
    /// A call that has not started.
    pub fn new(policy: P, attempts: A, pausing: Z) -> Self {
        let last = P::Limits::last(None);
        Self { attempts, timer: None, last, call: None, stage: Stage::Starting, pausing, policy }
    }

    /// Its attempts.
    pub fn attempts(self: Pin<&mut Self>) -> Pin<&mut A> {
        self.project().attempts
    }
}

impl<P: AsPolicy, A: Attempts, Z: Pausing> fmt::Debug for Calling<P, A, Z> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Calling")
            .field("name", &self.policy.site().name())
            .field("stage", &self.stage)
            .finish_non_exhaustive()
    }
}

impl<P, A, Z, R> Future for Calling<P, A, Z>
where
    P: AsPolicy<On: On<R>, Limits: Fits<R>>,
    A: Attempts<Output = R>,
    Z: Pausing,
    R: Outcome<Error: fmt::Debug>,
{
    type Output = R;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<R> {
        let mut this = self.project();
        let policy = &*this.policy;
        if *this.stage == Stage::Over {
            return Poll::Pending;
        }
        // Held here while this runs, so that a panic ends the call, as one.
        let mut call = this.call.take().unwrap_or_else(|| {
            let entry = Entry::of::<P::Stop>();
            Handle::begin(policy.site(), clock::runtime(), entry, policy.limits().guards())
        });
        let mut stage = core::mem::replace(this.stage, Stage::Over);
        loop {
            let made = match stage {
                Stage::Starting => match P::Limits::admit(&mut call) {
                    Ok(()) => {
                        stage = Stage::Attempting;
                        continue;
                    }
                    Err(refused) => {
                        this.attempts.as_mut().end();
                        Err(refused)
                    }
                },
                Stage::Attempting => {
                    let attempt = call.attempt(this.attempts.as_mut());
                    let sleep = |pause| this.pausing.pausing(pause);
                    let made = P::Limits::poll(attempt, sleep, this.timer.as_mut(), cx);
                    let Poll::Ready(made) = made else { break };
                    this.timer.set(None);
                    this.attempts.as_mut().end();
                    made
                }
                Stage::Pausing | Stage::Over => {
                    let pause = this.timer.as_mut().as_pin_mut();
                    if pause.is_some_and(|pause| pause.poll(cx).is_pending()) {
                        break;
                    }
                    this.timer.set(None);
                    P::Limits::woken(&mut call);
                    stage = Stage::Starting;
                    continue;
                }
            };
            let (outcome, ended) = P::Limits::settle(made, this.last);
            let idempotent = this.attempts.is_idempotent().unwrap_or(policy.is_idempotent());
            let repeat = Repeat { idempotent, may_go_on: this.attempts.may_go_on() };
            let Some(pause) = next(policy, &mut call, &outcome, ended, repeat) else {
                return Poll::Ready(outcome);
            };
            // The outcome is gone before the pause, so that it need not be `Send`, unless it may have
            // to be returned after all.
            *this.last = P::Limits::last(A::kept(outcome));
            this.timer.set(Some(this.pausing.pausing(call.pause(pause))));
            stage = Stage::Pausing;
        }
        (*this.call, *this.stage) = (Some(call), stage);
        Poll::Pending
    }
}
