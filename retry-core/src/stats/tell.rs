//! Tells what happens in a call to all who count or show it.

use crate::report::reason::StopReason;
use crate::stats::counters::Running;
use crate::stats::event::{Ended, Event};
#[cfg(feature = "tracing")]
use crate::stats::events;
#[cfg(feature = "metrics")]
use crate::stats::metrics;
use crate::stats::registry;
use crate::stats::site::Site;
use crate::verdict::verdict::Verdict;

/// Whether anything about a retry may be heard: the cheap question, asked after every failure.
#[inline]
pub(crate) fn may_be_heard() -> bool {
    #[cfg(feature = "tracing")]
    return events::may_be_wanted();
    #[cfg(not(feature = "tracing"))]
    false
}

/// Whether an event about a retry would be heard; one that is not `loud` is told at DEBUG.
#[inline]
pub(crate) fn is_heard(loud: bool) -> bool {
    #[cfg(feature = "tracing")]
    return events::wants(loud);
    #[cfg(not(feature = "tracing"))]
    {
        let _ = loud;
        false
    }
}

/// The first attempt of a call has succeeded: the one thing that is told on the fast path.
#[inline]
pub(crate) fn first_success(site: &'static Site) {
    if site.counters().first_success() {
        registry::list(site);
    }
    #[cfg(feature = "metrics")]
    metrics::first_success(site.meters(), || site.name());
}

/// A call has failed and goes on, until what this gives is dropped.
#[inline]
pub(crate) fn running(site: &'static Site) -> Running {
    registry::list(site);
    Running::new(site.counters())
}

/// An attempt after the first starts. The one before it failed with this verdict.
#[inline]
pub(crate) fn retried(site: &'static Site, verdict: Verdict) {
    site.counters().retried();
    registry::list(site);
    #[cfg(feature = "metrics")]
    metrics::retried(site.meters(), || site.name(), verdict);
    #[cfg(not(feature = "metrics"))]
    let _ = verdict;
}

/// Something has happened after a failure, or otherwise off the fast path.
#[cold]
pub(crate) fn tell(site: &'static Site, event: &Event<'_>) {
    if let Event::Ended(Ended { reason: StopReason::Success, failures: 0, .. }) = event {
        return first_success(site);
    }
    site.counters().note(event);
    registry::list(site);
    #[cfg(feature = "metrics")]
    metrics::tell(site.meters(), || site.name(), event);
    #[cfg(feature = "tracing")]
    if !site.is_silent() {
        events::tell(|| site.name(), event);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test that cannot go on should say where

    use super::*;
    use crate::stats::counters::{Counters, Counts};
    use crate::stats::event::ended;
    use core::time::Duration;
    use std::cell::RefCell;
    use std::thread;

    #[test]
    fn each_event_is_counted_as_itself() {
        static COUNTERS: Counters = Counters::new();
        static SITE: Site = Site::named("each event", &COUNTERS);
        let times = |n, event: fn()| (0..n).for_each(|_| event());
        times(1, || first_success(&SITE));
        times(2, || retried(&SITE, Verdict::Retry));
        times(3, || tell(&SITE, &Event::Waited(Duration::from_millis(5))));
        times(4, || tell(&SITE, &ended(StopReason::Success)));
        times(5, || tell(&SITE, &ended(StopReason::Permanent)));
        times(6, || tell(&SITE, &ended(StopReason::Custom)));
        times(7, || tell(&SITE, &ended(StopReason::Cancelled)));
        times(8, || tell(&SITE, &Event::Panicked));
        times(9, || tell(&SITE, &ended(StopReason::Disabled)));
        let mut given_up = [0; StopReason::COUNT];
        given_up[StopReason::Custom.index()] = 6;
        let expected = Counts {
            first_try: 1,
            retries: 2,
            waited: Duration::from_millis(15),
            recovered: 4,
            permanent: 5,
            given_up,
            cancelled: 7,
            panicked: 8,
            disabled: 9,
            refused: 0,
            running: 0,
        };
        assert_eq!(SITE.counters().read(), expected);
    }

    /// Calls the annotated function once more when its thread ends.
    struct CallAtTheEnd(&'static Site);

    impl Drop for CallAtTheEnd {
        fn drop(&mut self) {
            first_success(self.0);
            retried(self.0, Verdict::Retry);
        }
    }

    thread_local! {
        static AT_THE_END: RefCell<Option<CallAtTheEnd>> = const { RefCell::new(None) };
    }

    fn at_the_end(site: &'static Site) {
        AT_THE_END.with_borrow_mut(|call| *call = Some(CallAtTheEnd(site)));
    }

    #[test]
    fn calls_count_in_destructors_of_an_ending_thread_whichever_come_first() {
        static COUNTERS: Counters = Counters::new();
        static SITE: Site = Site::named("ending thread", &COUNTERS);
        let threads: [fn(); 3] = [
            || {
                first_success(&SITE);
                at_the_end(&SITE);
            },
            || {
                at_the_end(&SITE);
                first_success(&SITE);
            },
            || at_the_end(&SITE),
        ];
        for thread in threads {
            thread::spawn(thread).join().unwrap();
        }
        let counts = SITE.counters().read();
        assert_eq!((counts.first_try, counts.retries), (5, 3));
    }
}
