//! What a call does after a failure that does not depend on the types of its function: compiled once, and
//! out of the way of a success.

#![allow(clippy::inline_always)] // in what is itself compiled once

use core::time::Duration;

use crate::attempt::context;
use crate::engine::failing::Failing;
use crate::engine::timer;
use crate::report::exhausted::Exhausted;
use crate::report::reason::StopReason;
#[cfg(feature = "tokio")]
use crate::stats::blocking;
use crate::stats::event::{Ended, ErrorText, Event};
use crate::stats::site::Site;
use crate::stats::tell::tell;
use crate::stats::told::Failure;

/// Runs what follows a failure out of the way of a success.
#[cold]
#[inline(never)]
pub fn outlined<F: Failure, R>(error: F, f: impl FnOnce(F) -> R) -> R {
    f(error)
}

#[cold]
#[inline(never)]
pub(super) fn end(
    site: &'static Site,
    failing: Option<Box<Failing>>,
    reason: StopReason,
    error: ErrorText<'_>,
    reported: bool,
) -> (Option<Box<Failing>>, StopReason) {
    let Some(mut failing) = failing else {
        tell(site, &Event::Ended(Ended::first(reason, error)));
        return (None, reason);
    };
    let reason = failing.end(reason, error);
    (reported.then_some(failing), reason)
}

#[cold]
#[inline(never)]
pub(super) fn rest(site: &'static Site, mut failing: Option<&mut Failing>, delay: Duration) {
    timer::blocking(blocked(site, failing.as_deref_mut(), delay));
    if let Some(failing) = failing {
        failing.resume();
    }
}

#[cold]
#[inline(never)]
pub(super) fn pause(failing: Option<&mut Failing>, delay: Duration) -> Duration {
    failing.map_or(delay, |failing| failing.pause(delay))
}

#[cold]
#[inline(never)]
pub(super) fn block(
    site: &'static Site,
    failing: Option<&mut Failing>,
    delay: Duration,
) -> Duration {
    blocked(site, failing, delay)
}

#[inline(always)]
fn blocked(site: &'static Site, mut failing: Option<&mut Failing>, delay: Duration) -> Duration {
    let pause = failing.as_mut().map_or(delay, |failing| failing.pause(delay));
    #[cfg(feature = "tokio")]
    if !pause.is_zero() {
        blocking::sleeps(site, || failing?.id());
    }
    #[cfg(not(feature = "tokio"))]
    let _ = site;
    pause
}

#[cold]
#[inline(never)]
pub(super) fn resume(failing: Option<&mut Failing>) {
    if let Some(failing) = failing {
        failing.resume();
    }
}

/// A call was dropped before it had ended.
#[cold]
#[inline(never)]
pub(super) fn abandoned(site: &'static Site, failing: Option<Box<Failing>>) {
    if std::thread::panicking() {
        drop(failing);
        return tell(site, &Event::Panicked);
    }
    end(site, failing, StopReason::Cancelled, None, false);
}

/// A call has ended for this reason; should it be inside an attempt of another, that will want to know.
#[cold]
#[inline(never)]
pub(super) fn exhausted(site: &'static Site, reason: StopReason, attempts: u32) {
    if reason.is_exhaustion() && context::around().is_some() {
        context::ask(|outer| outer.exhausted(Exhausted { site, reason, attempts }));
    }
}

/// Nobody has asked for the report.
#[cold]
#[inline(never)]
pub(super) fn forget(failing: Option<Box<Failing>>) {
    drop(failing);
}
