//! An async attempt as a future that can be cut, and the context of an attempt while it runs.

#![allow(clippy::inline_always)] // on the way of every first success

use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};
use core::time::Duration;

use super::Handle;
use crate::attempt::context::{self, Outer, Started};
use crate::engine::clock::{Source, Start};
use crate::engine::gates::Guards;
use crate::engine::timer::Cuttable;
use crate::report::interrupted::Interrupted;

/// Takes the context of an attempt away again, should it not come to its end.
#[allow(missing_debug_implementations)] // lives in expansions only
#[must_use]
pub struct Inside {
    pub(super) outer: Outer,
    pub(super) started: Option<Started>,
}

impl Drop for Inside {
    #[inline(always)]
    fn drop(&mut self) {
        context::abandon(self.outer, self.started);
    }
}

/// An async attempt, with its context in place whenever it is polled.
#[allow(missing_debug_implementations)] // lives in expansions only
#[must_use = "futures do nothing unless polled"]
pub struct Attempting<'a, C: Source, S: Start, P: Guards, const REPORTED: bool, F> {
    pub(super) handle: &'a mut Handle<C, S, P, REPORTED>,
    pub(super) future: Pin<&'a mut F>,
}

impl<C: Source, S: Start, P: Guards, const REPORTED: bool, F: Future> Future
    for Attempting<'_, C, S, P, REPORTED, F>
{
    type Output = F::Output;

    #[inline(always)]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let this = &mut *self;
        let inside = this.handle.enter();
        let poll = this.future.as_mut().poll(cx);
        this.handle.leave(inside);
        poll
    }
}

impl<C: Source, S: Start, P: Guards, const REPORTED: bool, F: Future> Cuttable
    for Attempting<'_, C, S, P, REPORTED, F>
{
    type Cut = Interrupted;

    fn cut_in(&mut self) -> Option<Duration> {
        self.handle.failing.as_deref()?.cut_in(self.handle.guards.timeout())
    }

    fn cut(&mut self) -> Option<Interrupted> {
        let (by, after) = self.handle.failing.as_deref_mut()?.cut();
        Some(Interrupted::new(self.handle.site, by, after))
    }
}
