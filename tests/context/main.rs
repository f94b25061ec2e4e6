//! What the running attempt can know and say: `current()`, the marks, and what is left behind.

#![allow(clippy::unwrap_used, clippy::panic)] // a test reports by panicking
#![allow(clippy::ignored_unit_patterns)] // most calls here fail with `()`, and `_` is its usual name
#![allow(clippy::items_after_statements)] // a function stands beside what it is asked
#![allow(missing_docs, unreachable_pub)]

mod branches;
mod knows;
mod last;
mod marks;
mod nested;
mod panics;
mod reentrant;
mod says;
mod send;
#[path = "../support/mod.rs"]
mod support;
mod threads;

/// Number and depth of the attempt that this code runs in.
fn place() -> Option<(u32, u32)> {
    retry::current().map(|attempt| (attempt.number(), attempt.depth()))
}

/// This thread is in no attempt and under no overrides, and reports nothing but its own.
fn assert_clean() {
    use retry::{StopReason, record_sync, retry, stop};
    #[retry(stop = attempts(3), wait = none(), on = any_error())]
    fn probe(seen: &mut Vec<Option<(u32, u32)>>) -> Result<(), ()> {
        seen.push(place());
        Err(())
    }
    assert!(retry::current().is_none());
    let mut seen = Vec::new();
    let (result, reports) = record_sync(|| probe(&mut seen));
    assert!(result.is_err());
    assert_eq!(seen, [Some((1, 0)), Some((2, 0)), Some((3, 0))]);
    assert_eq!(reports.len(), 1);
    assert_eq!((reports[0].attempts(), reports[0].reason()), (3, StopReason::Attempts));
    assert_eq!(reports[0].history().len(), 3);
    // A scope that starts here has none around it.
    let overrides = retry::retry_with().stop(stop::attempts(2));
    let (_, reports) = record_sync(|| overrides.sync_scope(|| probe(&mut Vec::new())));
    assert_eq!(reports.iter().map(retry::Report::attempts).collect::<Vec<_>>(), [2]);
}
