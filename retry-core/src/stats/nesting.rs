//! Retries inside retries, which multiply.

use std::sync::{Mutex, PoisonError};

use crate::stats::event::{Event, Multiplied};
use crate::stats::site::Site;
use crate::stats::tell::tell;

/// The pairs that have been told of, by their places in memory.
static TOLD: Mutex<Vec<[usize; 2]>> = Mutex::new(Vec::new());

/// A call of `inner`, which may make `most` attempts, is about to retry in an attempt of `outer`:
/// tells it once for the two of them, if it is known how many attempts that makes.
#[cold]
pub(crate) fn multiplies(outer: &'static Site, inner: &'static Site, most: u32) {
    let Some(around) = outer.bound().filter(|around| *around > 1 && most > 1) else { return };
    let pair = [outer, inner].map(|site| core::ptr::from_ref(site).addr());
    {
        let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
        if told.contains(&pair) {
            return;
        }
        told.push(pair);
    }
    let product = around.saturating_mul(most);
    tell(inner, &Event::Multiplied(Multiplied { outer, around, most, product }));
}
