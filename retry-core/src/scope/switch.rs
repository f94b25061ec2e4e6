//! The switch for the whole process.

use core::sync::atomic::{AtomicBool, Ordering};

use crate::scope::scope::activate;

static OFF: AtomicBool = AtomicBool::new(false);

/// Switches retrying off, or on again, for the whole process.
///
/// While it is off every annotated function is its plain body: one attempt, no hooks, its outcome
/// returned as it is, counted as disabled; a [`Schedule`](crate::Schedule) stops at the first
/// failure. Calls that have started are not changed, and neither are calls that go on `forever`, by
/// that key or by a policy made with it: a link would still be dead when the switch is on again. For a
/// switch that
/// reaches production code in an incident; tests should use
/// [`retry_with().enabled(false)`](crate::Overrides::enabled), which holds for nobody else.
///
/// ```
/// retry::set_enabled(false);
/// assert!(!retry::is_enabled());
/// retry::set_enabled(true);
/// ```
pub fn set_enabled(enabled: bool) {
    OFF.store(!enabled, Ordering::Relaxed);
    activate();
}

/// Whether retrying is switched on in this process: it is unless
/// [`set_enabled(false)`](set_enabled) was called.
pub fn is_enabled() -> bool {
    !OFF.load(Ordering::Relaxed)
}
