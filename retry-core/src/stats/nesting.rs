//! Retries inside retries, which multiply.

use crate::attempt::call_id::CallId;
use crate::stats::event::{Event, Multiplied};
use crate::stats::once::Once;
use crate::stats::site::Site;
use crate::stats::tell::tell;

/// The pairs that have been told of, by their sites.
static TOLD: Once<2> = Once::new();

/// A call of `inner`, whose id `call` gives and which may make `most` attempts, is about to retry in an attempt of `outer`:
/// tells it once for the two of them, if it is known how many attempts that makes.
#[cold]
pub(crate) fn multiplies(
    outer: &'static Site,
    inner: &'static Site,
    most: u32,
    call: impl FnOnce() -> Option<CallId>,
) {
    let Some(around) = outer.bound().filter(|around| *around > 1 && most > 1) else { return };
    let pair = [outer, inner].map(|site| core::ptr::from_ref(site).addr());
    if !TOLD.is_news(pair) {
        return;
    }
    let product = around.saturating_mul(most);
    tell(inner, &Event::Multiplied(Multiplied { call: call(), outer, around, most, product }));
}
