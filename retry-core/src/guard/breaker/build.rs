//! What a breaker can be set to.

use core::time::Duration;

use crate::guard::breaker::Breaker;
use crate::guard::breaker::probes;
use crate::guard::breaker::settings::{SHORTEST, Settings, Share, Trips, nanos};
use crate::guard::breaker::tally::MOST_FAILURES;

/// Of two durations the longer.
const fn at_least(least: Duration, duration: Duration) -> u64 {
    let (least, duration) = (nanos(least), nanos(duration));
    if duration < least { least } else { duration }
}

const fn within(least: u32, most: u32, n: u32) -> u32 {
    if n < least {
        least
    } else if n > most {
        most
    } else {
        n
    }
}

impl Breaker {
    /// Opens after this many failures in a row: at least 1, at most 1,048,575.
    ///
    /// For a dependency that is up or down, and where few calls are made. Reads no clock for calls
    /// that succeed.
    ///
    /// ```
    /// use retry::Breaker;
    ///
    /// static BREAKER: Breaker = Breaker::consecutive(5);
    /// ```
    pub const fn consecutive(failures: u32) -> Self {
        Self::with(Settings::new(Trips::Consecutive(within(1, MOST_FAILURES, failures))))
    }

    /// Opens when this share of the calls in the [`window`](Self::window) has failed, or more, and
    /// there were at least [`min_throughput`](Self::min_throughput) of them.
    ///
    /// From a millionth, which is the least, to 1; what is outside counts as the nearest, and what is
    /// not a number as 1. It is looked at when a call has failed, never when one has succeeded.
    ///
    /// For a dependency with many calls, some of which may fail without harm.
    ///
    /// ```
    /// use retry::Breaker;
    /// use std::time::Duration;
    ///
    /// static BREAKER: Breaker =
    ///     Breaker::ratio(0.5).window(Duration::from_secs(30)).min_throughput(20);
    /// ```
    pub const fn ratio(ratio: f64) -> Self {
        Self::with(Settings::new(Trips::Ratio(Share::new(ratio))))
    }

    /// How far back a [`ratio`](Self::ratio) looks: 30 s unless given, at least 1 ms.
    ///
    /// It slides by tenths: a result counts for nine to ten tenths of this long. What succeeds while
    /// nothing fails is counted without reading a clock, and taken to be spread evenly over the time
    /// from one failure to the next.
    pub const fn window(mut self, window: Duration) -> Self {
        self.settings.window = at_least(SHORTEST, window);
        self
    }

    /// How many calls a [`ratio`](Self::ratio) needs in its window before it means anything: 20 unless
    /// given, at least 1.
    pub const fn min_throughput(mut self, calls: u32) -> Self {
        self.settings.min_throughput = within(1, u32::MAX, calls) as u64;
        self
    }

    /// Counts an attempt that has taken this long or longer as a failure, whatever it gave. Unless
    /// given, and for zero, none is slow.
    ///
    /// Only attempts whose duration is told; with this set, somebody has to
    /// [measure](Self::measures).
    pub const fn slow_after(mut self, slow: Duration) -> Self {
        self.settings.slow_after = if slow.is_zero() { None } else { Some(slow) };
        self
    }

    /// How long it stays open when it opens: 30 s unless given. After zero it lets a probe through at
    /// once.
    pub const fn open_for(mut self, open: Duration) -> Self {
        self.settings.open_for = nanos(open);
        self
    }

    /// How much longer it stays open with each failed round of probes: `open_for * factor^round`. 1
    /// unless given, which is no longer at all; less, and what is not a number, counts as 1.
    ///
    /// For a large fleet, whose probes alone are a load. What is gained there is lost after the
    /// outage: a breaker that is open for five minutes goes on failing calls that would succeed.
    ///
    /// ```
    /// use retry::Breaker;
    /// use std::time::Duration;
    ///
    /// // 5 s, 10 s, 20 s, and so on up to a minute.
    /// static BREAKER: Breaker = Breaker::consecutive(5)
    ///     .open_for(Duration::from_secs(5))
    ///     .factor(2.0)
    ///     .cap(Duration::from_secs(60));
    /// ```
    pub const fn factor(mut self, factor: f64) -> Self {
        self.settings.factor = if factor > 1.0 { factor } else { 1.0 };
        self
    }

    /// The longest it stays open, however often it has opened: ten minutes unless given. Below
    /// [`open_for`](Self::open_for) it counts as that.
    pub const fn cap(mut self, cap: Duration) -> Self {
        self.settings.cap = nanos(cap);
        self
    }

    /// Shortens each open time by a random share of up to this: v·U(1−f, 1), after the cap. 0.1 unless
    /// given, so that clients that have failed together do not probe together; from 0 to 1, and what is
    /// not a number counts as 0.
    pub const fn jitter_factor(mut self, factor: f64) -> Self {
        self.settings.jitter = if factor > 1.0 {
            1.0
        } else if factor > 0.0 {
            factor
        } else {
            0.0
        };
        self
    }

    /// How many attempts are let through when the open time is over, to see how the other side is
    /// doing: 1 unless given, from 1 to 32. Not more than this many at once, and not more in all, until
    /// they have decided; one that is dropped without a result does not count.
    ///
    /// ```
    /// use retry::Breaker;
    ///
    /// // Five probes, of which three must succeed.
    /// static BREAKER: Breaker = Breaker::consecutive(5).probes(5).probe_ratio(0.5);
    /// ```
    #[allow(clippy::cast_possible_truncation)] // 32
    pub const fn probes(mut self, probes: u32) -> Self {
        self.settings.probes = within(1, probes::MOST as u32, probes);
        self
    }

    /// The share of failed probes that opens it again; with fewer it closes. Decided as soon as the
    /// probes that are still out cannot change it. Unless given, what [`ratio`](Self::ratio) says, or a
    /// half. The range is as there.
    pub const fn probe_ratio(mut self, ratio: f64) -> Self {
        self.settings.probe_ratio = Some(Share::new(ratio));
        self
    }

    /// How long a probe has its place for: [`open_for`](Self::open_for) unless given, at least 1 ms.
    ///
    /// When the lease is over, another attempt may take the place, and the first one's result does not
    /// count any more. So a probe that hangs cannot keep the breaker from closing. Give it at least as
    /// long as an attempt can take.
    pub const fn lease(mut self, lease: Duration) -> Self {
        self.settings.lease = Some(at_least(SHORTEST, lease));
        self
    }

    /// Whether it asks how long attempts take, which [`slow_after`](Self::slow_after) does.
    pub const fn measures(&self) -> bool {
        self.settings.slow_after.is_some()
    }
}
