//! What guards the calls of a policy, as a type: who sets no limits pays for none, and owes no error
//! for calls that are cut or refused.

use core::convert::Infallible;
use core::fmt;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll, ready};
use core::time::Duration;

use crate::engine::clock::{Source, Start};
use crate::engine::gates::{Guards, Timeout};
use crate::engine::handle::Handle;
use crate::engine::timer::{Cuttable, Cutting, poll_cutting};
use crate::guard::breaker::Breaker;
use crate::guard::budget::Budget;
use crate::guard::guarded::Guarded;
use crate::report::interrupted::{Interrupted, Interruptible, interrupted, settle};
use crate::report::reason::StopReason;
use crate::scope::deadline::Limit;

/// What guards the calls of a policy, whatever its type asks for.
#[derive(Clone, Copy, Default)]
pub struct Settings {
    pub(crate) deadline: Option<Limit>,
    pub(crate) timeout: Option<Timeout>,
    /// And whether a retry waits for its next probe.
    pub(crate) breaker: Option<(&'static Breaker, bool)>,
    pub(crate) budget: Option<&'static Budget>,
    pub(crate) once: bool,
}

impl Settings {
    /// No guards.
    pub(crate) const NONE: Self =
        Self { deadline: None, timeout: None, breaker: None, budget: None, once: false };

    pub(crate) fn guarded(self) -> Guarded<'static> {
        Guarded::by(self.deadline, self.timeout, self.breaker, self.budget, self.once)
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("deadline", &self.deadline)
            .field("attempt_timeout", &self.timeout)
            .field("budget", &self.budget.is_some())
            .field("breaker", &self.breaker.is_some())
            .field("nested_once", &self.once)
            .finish()
    }
}

/// The guards of a policy that never end a call without an outcome of its own: `budget` and
/// `nested = once`. Its calls may have errors of any type.
///
/// It is the type that [`Policy::with_budget`](crate::Policy::with_budget) gives:
/// `BoxedPolicy<MyError, stop::Bounded, Uncut>`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uncut(pub(crate) Settings);

/// The guards of a policy that may cut an attempt or refuse a call: `deadline`, `attempt_timeout` and
/// `breaker`. A call that ends so before it has an outcome needs one, so its error must be
/// `From<Interrupted>` (see [`Interrupted`]).
///
/// It is the type that [`Policy::with_deadline`](crate::Policy::with_deadline) and its like give:
/// `BoxedPolicy<MyError, stop::Bounded, Limited>`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limited(pub(crate) Settings);

/// What guards the calls of a policy: nothing, `()`, or [`Uncut`] or [`Limited`].
pub trait Limiting: sealed::Sealed + Copy {
    /// Whether there may be anything.
    #[doc(hidden)]
    const ANY: bool;
    /// Beside a budget.
    #[doc(hidden)]
    type Uncut: Limiting;
    /// What knows, in an expansion, how to go about it.
    #[doc(hidden)]
    type Manner: Manner + Copy + Send + Sync;
    /// The guards of one call.
    #[doc(hidden)]
    type Guards: Guards + Send + Sync;
    /// What can interrupt it.
    #[doc(hidden)]
    type Cut;
    /// The last outcome, where it may have to be returned after another attempt has begun.
    #[doc(hidden)]
    type Last<R>;
    /// An attempt that may be cut.
    #[doc(hidden)]
    type Attempt<A: Cuttable<Cut = Interrupted>, Z: FnMut(Duration) -> T, T: Future>: Future<
        Output = Result<A::Output, Self::Cut>,
    >;

    #[doc(hidden)]
    fn settings(self) -> Settings;

    #[doc(hidden)]
    fn uncut(self, settings: Settings) -> Self::Uncut;

    /// The guards of a call.
    #[doc(hidden)]
    fn guards(self) -> Self::Guards;

    /// Where nothing was said, as there is nothing to say.
    #[doc(hidden)]
    fn unguarded() -> Self::Guards;

    /// Starts an attempt, unless something keeps it from that.
    #[doc(hidden)]
    fn admit<C: Source, S: Start, G: Guards, const REPORTED: bool>(
        call: &mut Handle<C, S, G, REPORTED>,
    ) -> Result<(), Self::Cut>;

    #[doc(hidden)]
    fn attempt<A: Cuttable<Cut = Interrupted>, Z: FnMut(Duration) -> T, T: Future>(
        attempt: A,
        sleep: Z,
    ) -> Self::Attempt<A, Z, T>;

    /// Polls such an attempt, whose timer is kept by the caller.
    #[doc(hidden)]
    fn poll<A: Cuttable<Cut = Interrupted>, T: Future>(
        attempt: A,
        sleep: impl FnMut(Duration) -> T,
        timer: Pin<&mut Option<T>>,
        cx: &mut Context<'_>,
    ) -> Poll<Result<A::Output, Self::Cut>>;

    #[doc(hidden)]
    fn last<R>(outcome: Option<R>) -> Self::Last<R>;

    /// The pause is over.
    #[doc(hidden)]
    fn woken<C: Source, S: Start, G: Guards, const REPORTED: bool>(
        call: &mut Handle<C, S, G, REPORTED>,
    );
}

/// How an expansion goes about a call whose guards it cannot see.
pub trait Manner {
    /// The one of these guards.
    const NEW: Self;
    /// Whether they may interrupt it.
    const INTERRUPTS: bool;
}

/// As a call that nothing interrupts.
#[derive(Clone, Copy, Debug)]
pub struct Steady;

/// As one that may be interrupted.
#[derive(Clone, Copy, Debug)]
pub struct Wary;

impl Manner for Steady {
    const NEW: Self = Self;
    const INTERRUPTS: bool = false;
}

impl Manner for Wary {
    const NEW: Self = Self;
    const INTERRUPTS: bool = true;
}

mod sealed {
    #[allow(unreachable_pub)] // public, but in no public module
    pub trait Sealed {}
    impl Sealed for () {}
    impl Sealed for super::Uncut {}
    impl Sealed for super::Limited {}
}

/// The outcomes of calls that these guards can guard: for [`Limited`] those whose error is
/// `From<Interrupted>`, else any.
#[diagnostic::on_unimplemented(
    message = "the calls of this policy may be cut or refused, and have no `{R}` to end with then",
    label = "`{R}` cannot be made of a `retry::Interrupted`"
)]
pub trait Fits<R>: Limiting {
    /// The outcome of an attempt that was made or not, and why the call ends with it, if it does.
    #[doc(hidden)]
    fn settle(made: Result<R, Self::Cut>, last: &mut Self::Last<R>) -> (R, Option<StopReason>);
}

/// What never interrupts a call.
macro_rules! uncut {
    ($($limits:ty: $any:literal, $guards:ty, $made:expr, $none:expr, $settings:expr;)*) => {$(
        impl Limiting for $limits {
            const ANY: bool = $any;
            type Uncut = Uncut;
            type Manner = Steady;
            type Guards = $guards;
            type Cut = Infallible;
            type Last<R> = ();
            type Attempt<A: Cuttable<Cut = Interrupted>, Z: FnMut(Duration) -> T, T: Future> =
                Whole<A>;

            #[inline]
            fn settings(self) -> Settings {
                $settings(self)
            }

            fn uncut(self, settings: Settings) -> Uncut {
                Uncut(settings)
            }

            #[inline]
            fn guards(self) -> Self::Guards {
                $made(self)
            }

            #[inline]
            fn unguarded() -> Self::Guards {
                $none
            }

            #[inline]
            fn admit<C: Source, S: Start, G: Guards, const REPORTED: bool>(
                _: &mut Handle<C, S, G, REPORTED>,
            ) -> Result<(), Infallible> {
                Ok(())
            }

            #[inline]
            fn attempt<A: Cuttable<Cut = Interrupted>, Z: FnMut(Duration) -> T, T: Future>(
                attempt: A,
                _: Z,
            ) -> Whole<A> {
                Whole(attempt)
            }

            #[inline]
            fn poll<A: Cuttable<Cut = Interrupted>, T: Future>(
                attempt: A,
                _: impl FnMut(Duration) -> T,
                _: Pin<&mut Option<T>>,
                cx: &mut Context<'_>,
            ) -> Poll<Result<A::Output, Infallible>> {
                Pin::new(&mut Whole(attempt)).poll(cx)
            }

            #[inline]
            fn last<R>(_: Option<R>) {}

            #[inline]
            fn woken<C: Source, S: Start, G: Guards, const REPORTED: bool>(
                call: &mut Handle<C, S, G, REPORTED>,
            ) {
                call.resume();
            }
        }

        impl<R> Fits<R> for $limits {
            #[inline]
            fn settle(made: Result<R, Infallible>, (): &mut ()) -> (R, Option<StopReason>) {
                match made {
                    Ok(outcome) => (outcome, None),
                    Err(cut) => match cut {},
                }
            }
        }
    )*};
}

uncut! {
    (): false, (), |()| (), (), |()| Settings::NONE;
    Uncut: true, Guarded<'static>, |it: Self| it.0.guarded(), Guarded::new(), |it: Self| it.0;
}

impl Limiting for Limited {
    const ANY: bool = true;
    type Uncut = Self;
    type Manner = Wary;
    type Guards = Guarded<'static>;
    type Cut = Interrupted;
    type Last<R> = Option<R>;
    type Attempt<A: Cuttable<Cut = Interrupted>, Z: FnMut(Duration) -> T, T: Future> =
        Cutting<A, Z, T>;

    #[inline]
    fn settings(self) -> Settings {
        self.0
    }

    fn uncut(self, settings: Settings) -> Self {
        Self(settings)
    }

    #[inline]
    fn guards(self) -> Self::Guards {
        self.0.guarded()
    }

    #[inline]
    fn unguarded() -> Self::Guards {
        Guarded::new()
    }

    #[inline]
    fn admit<C: Source, S: Start, G: Guards, const REPORTED: bool>(
        call: &mut Handle<C, S, G, REPORTED>,
    ) -> Result<(), Interrupted> {
        call.admit().map_or(Ok(()), Err)
    }

    #[inline]
    fn attempt<A: Cuttable<Cut = Interrupted>, Z: FnMut(Duration) -> T, T: Future>(
        attempt: A,
        sleep: Z,
    ) -> Cutting<A, Z, T> {
        Cutting::new(attempt, sleep)
    }

    #[inline]
    fn poll<A: Cuttable<Cut = Interrupted>, T: Future>(
        mut attempt: A,
        mut sleep: impl FnMut(Duration) -> T,
        timer: Pin<&mut Option<T>>,
        cx: &mut Context<'_>,
    ) -> Poll<Result<A::Output, Interrupted>> {
        poll_cutting(&mut attempt, &mut sleep, timer, cx)
    }

    #[inline]
    fn last<R>(outcome: Option<R>) -> Option<R> {
        outcome
    }

    #[inline]
    fn woken<C: Source, S: Start, G: Guards, const REPORTED: bool>(
        call: &mut Handle<C, S, G, REPORTED>,
    ) {
        // It goes on once the next attempt is let through.
        call.woken(false);
    }
}

impl<R: Interruptible> Fits<R> for Limited {
    fn settle(made: Result<R, Interrupted>, last: &mut Option<R>) -> (R, Option<StopReason>) {
        settle(made, last, interrupted)
    }
}

/// An attempt that is not cut.
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Whole<A>(A);

impl<A: Cuttable> Future for Whole<A> {
    type Output = Result<A::Output, Infallible>;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        Poll::Ready(Ok(ready!(Pin::new(&mut self.0).poll(cx))))
    }
}
