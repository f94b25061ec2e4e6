//! For expansions: a policy's guards, of a type that the macro cannot see.

// The value says by its type what to do, and is asked by method calls, which find the right ones.
#![allow(clippy::unused_self, clippy::unnecessary_wraps)]

use core::convert::Infallible;
use core::future::Future;
use core::marker::PhantomData;
use core::time::Duration;

use crate::engine::clock::{Source, Start};
use crate::engine::gates::Guards;
use crate::engine::handle::Handle;
use crate::engine::timer::{Cuttable, Cutting};
use crate::guard::guarded::Guarded;
use crate::policy::limiting::{Fits, Limited, Limiting, Manner, Wary, Whole};
use crate::report::interrupted::{Interrupted, Interruptible, interrupted, settle};
use crate::report::reason::StopReason;

/// Stands for the guards of a policy in an expansion, which cannot see their type. Where that says
/// that there are none, the policy is not even asked.
#[derive(Debug)]
#[must_use]
pub struct Asking<L>(PhantomData<fn() -> L>);

impl<L> Clone for Asking<L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L> Copy for Asking<L> {}

impl<L: Limiting> Asking<L> {
    /// Of guards that are yet to be found out.
    #[allow(clippy::new_without_default)] // for expansions only
    pub const fn new() -> Self {
        Self(PhantomData)
    }

    /// Whether there may be any.
    pub const fn any(self) -> bool {
        L::ANY
    }

    /// Those of the policy.
    pub fn guards(self, limits: L) -> L::Guards {
        limits.guards()
    }

    /// The same where there are none.
    pub fn unguarded(self) -> L::Guards {
        L::unguarded()
    }

    /// Those of the policy, for keys that stand beside it.
    pub fn guarded(self, limits: L) -> Guarded<'static> {
        limits.settings().guarded()
    }

    /// How to go about the call.
    pub const fn manner(self) -> L::Manner {
        L::Manner::NEW
    }
}

impl Wary {
    /// No outcome yet.
    pub const fn none<R>(self) -> Option<R> {
        None
    }

    /// Keeps an outcome, which may have to be returned.
    pub const fn kept<R>(self, outcome: R) -> Option<R> {
        Some(outcome)
    }

    /// Starts an attempt, unless something keeps it from that.
    #[allow(clippy::missing_errors_doc)]
    pub fn admit<C: Source, S: Start, G: Guards, const REPORTED: bool>(
        self,
        call: &mut Handle<C, S, G, REPORTED>,
    ) -> Result<(), Interrupted> {
        Limited::admit(call)
    }

    /// Makes an attempt, which may be cut.
    pub fn attempt<A: Cuttable<Cut = Interrupted>, Z: FnMut(Duration) -> T, T: Future>(
        self,
        attempt: A,
        sleep: Z,
    ) -> Cutting<A, Z, T> {
        Limited::attempt(attempt, sleep)
    }

    /// The pause is over.
    pub fn woken<C: Source, S: Start, G: Guards, const REPORTED: bool>(
        self,
        call: &mut Handle<C, S, G, REPORTED>,
    ) {
        Limited::woken(call);
    }

    /// The outcome of an attempt that was made or not, and why the call ends with it, if it does.
    pub fn settle<R: Interruptible>(
        self,
        made: Result<R, Interrupted>,
        last: &mut Option<R>,
    ) -> (R, Option<StopReason>) {
        settle(made, last, interrupted)
    }
}

/// The same where nothing can interrupt the call, or nobody can see what does: a function may say no
/// more of what it returns than that it is a policy.
#[allow(clippy::missing_errors_doc)]
pub trait Settles: Manner + Sized {
    /// No outcome is kept.
    #[inline]
    fn none(self) {}

    /// Neither is this.
    #[inline]
    fn kept<R>(self, _: R) {}

    /// Nothing keeps an attempt from starting.
    #[inline]
    fn admit<C: Source, S: Start, G: Guards, const REPORTED: bool>(
        self,
        call: &mut Handle<C, S, G, REPORTED>,
    ) -> Result<(), Infallible> {
        <() as Limiting>::admit(call)
    }

    /// Nothing cuts it.
    #[inline]
    fn attempt<A: Cuttable<Cut = Interrupted>, Z: FnMut(Duration) -> T, T: Future>(
        self,
        attempt: A,
        sleep: Z,
    ) -> Whole<A> {
        <() as Limiting>::attempt(attempt, sleep)
    }

    /// The pause is over.
    #[inline]
    fn woken<C: Source, S: Start, G: Guards, const REPORTED: bool>(
        self,
        call: &mut Handle<C, S, G, REPORTED>,
    ) {
        <() as Limiting>::woken(call);
    }

    /// The outcome of an attempt that was made.
    fn settle<R>(self, made: Result<R, Infallible>, last: &mut ()) -> (R, Option<StopReason>);
}

impl<M: Manner> Settles for M {
    #[inline]
    fn settle<R>(self, made: Result<R, Infallible>, last: &mut ()) -> (R, Option<StopReason>) {
        const {
            assert!(
                !M::INTERRUPTS,
                "this policy may cut or refuse calls, which its type does not say here; let the \
                 function that gives it return a `Policy<…, retry::Limited>`, or an \
                 `impl AsPolicy<…, Limits = retry::Limited>`"
            );
        }
        <() as Fits<R>>::settle(made, last)
    }
}
