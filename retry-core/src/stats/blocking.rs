//! Sync calls that sleep where async tasks should run.

use core::future::Future;
use core::pin::pin;
use core::task::{Context, Waker};

use crate::attempt::call_id::CallId;
use crate::stats::event::Event;
use crate::stats::once::Once;
use crate::stats::site::Site;
use crate::stats::tell::{is_heard, tell};

/// The functions that have been told of.
static TOLD: Once<1> = Once::new();

/// More than tokio lets a task do before it has to give others a turn, which is 128.
const MUCH: usize = 256;

/// A sync call is about to put its thread to sleep: tells it, once a function, if a task of tokio is
/// polled there, so that all others of the thread would sleep with it.
pub(crate) fn sleeps(site: &'static Site, call: impl FnOnce() -> Option<CallId>) {
    let place = [core::ptr::from_ref(site).addr()];
    if is_heard(true) && !TOLD.knows(place) && is_polled() && TOLD.is_news(place) {
        tell(site, &Event::Blocks(call()));
    }
}

/// Whether this thread is polling a task of tokio.
///
/// Such a task has a budget, which can be used up. There is none where blocking is fine: in
/// `spawn_blocking` and `block_in_place`, in a thread of one's own, with a runtime entered or not. A
/// task that has used up its budget gets another with its next turn, which it needs anyway after the
/// sleep.
fn is_polled() -> bool {
    let mut cx = Context::from_waker(Waker::noop());
    (0..MUCH).any(|_| pin!(tokio::task::consume_budget()).poll(&mut cx).is_pending())
}
