//! The list of all sites that have run.

use std::sync::{Mutex, PoisonError};

#[cfg(feature = "metrics")]
use crate::stats::metrics;
use crate::stats::site::Site;

/// The site listed last, from which the list leads to all others. It links the sites themselves,
/// which are static, so that listing one allocates nothing and a program need not start with it.
pub(crate) static LAST: Mutex<Option<&'static Site>> = Mutex::new(None);

/// Puts a site into the list, unless it is there.
#[inline]
pub(crate) fn list(site: &'static Site) {
    if site.listed_after().get().is_none() {
        list_now(site);
    }
}

#[cold]
fn list_now(site: &'static Site) {
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if site.listed_after().set(*last).is_err() {
        return;
    }
    *last = Some(site);
    drop(last);
    #[cfg(feature = "metrics")]
    metrics::list(site.meters(), || site.name());
}

/// All sites, the one listed last first.
pub(crate) fn all() -> impl Iterator<Item = &'static Site> {
    let last = *LAST.lock().unwrap_or_else(PoisonError::into_inner);
    core::iter::successors(last, |site| site.listed_after().get().copied().flatten())
}
