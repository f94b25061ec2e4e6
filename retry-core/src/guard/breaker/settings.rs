//! What a breaker is set to, each value within its range.

use core::fmt;
use core::time::Duration;

/// A millionth, so that 11 of 20 is exactly 0.55.
const MILLION: u64 = 1_000_000;

/// Nanoseconds, at most 584 years.
pub(crate) const fn nanos(duration: Duration) -> u64 {
    let nanos = duration.as_nanos();
    #[allow(clippy::cast_possible_truncation)] // compared before
    if nanos > u64::MAX as u128 { u64::MAX } else { nanos as u64 }
}

/// A share of a whole, from a millionth to all of it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Share(u64);

impl Share {
    pub(crate) const HALF: Self = Self(MILLION / 2);

    /// What is not a number counts as all.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // within the range by then
    pub(crate) const fn new(share: f64) -> Self {
        let millionths = share * 1e6 + 0.5;
        if millionths < 1.0 {
            Self(1)
        } else if millionths < 1e6 {
            Self(millionths as u64)
        } else {
            Self(MILLION)
        }
    }

    /// Whether `some` of `all` are as much or more.
    pub(crate) fn is_reached(self, some: u64, all: u64) -> bool {
        u128::from(some) * u128::from(MILLION) >= u128::from(all) * u128::from(self.0)
    }

    /// The least number out of `all` that reaches it.
    pub(crate) fn of(self, all: u32) -> u32 {
        let least = (u64::from(all) * self.0).div_ceil(MILLION);
        u32::try_from(least).unwrap_or(all)
    }
}

impl fmt::Debug for Share {
    #[allow(clippy::cast_precision_loss)] // a million at most
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 as f64 / 1e6)
    }
}

/// When a closed breaker opens.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Trips {
    /// After this many failures in a row.
    Consecutive(u32),
    /// At this share of failures.
    Ratio(Share),
}

/// Every value, in nanoseconds where it is a time.
#[derive(Clone, Copy)]
pub(crate) struct Settings {
    pub(crate) trips: Trips,
    pub(crate) window: u64,
    pub(crate) min_throughput: u64,
    pub(crate) slow_after: Option<Duration>,
    pub(crate) open_for: u64,
    pub(crate) factor: f64,
    pub(crate) cap: u64,
    pub(crate) jitter: f64,
    pub(crate) probes: u32,
    pub(crate) probe_ratio: Option<Share>,
    pub(crate) lease: Option<u64>,
}

/// Shorter than this are neither a window nor a lease.
pub(crate) const SHORTEST: Duration = Duration::from_millis(1);

impl Settings {
    pub(crate) const fn new(trips: Trips) -> Self {
        Self {
            trips,
            window: nanos(Duration::from_secs(30)),
            min_throughput: 20,
            slow_after: None,
            open_for: nanos(Duration::from_secs(30)),
            factor: 1.0,
            cap: nanos(Duration::from_secs(600)),
            jitter: 0.1,
            probes: 1,
            probe_ratio: None,
            lease: None,
        }
    }

    /// How long it stays open when it opens for the `times`-th time in a row, from 0.
    ///
    /// `open_for * factor^times`, at most the cap, times U(1 - jitter, 1).
    #[allow(clippy::cast_precision_loss)] // a microsecond in a month
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturates, never negative
    pub(crate) fn open_time(&self, times: u32, random: f64) -> u64 {
        let grown =
            self.open_for as f64 * self.factor.powi(i32::try_from(times).unwrap_or(i32::MAX));
        let capped = grown.min(self.cap.max(self.open_for) as f64);
        (capped * (1.0 - self.jitter * (1.0 - random))) as u64
    }

    /// The share of failed probes that opens it again.
    pub(crate) fn probe_ratio(&self) -> Share {
        match (self.probe_ratio, self.trips) {
            (Some(ratio), _) | (None, Trips::Ratio(ratio)) => ratio,
            (None, Trips::Consecutive(_)) => Share::HALF,
        }
    }

    pub(crate) fn lease(&self) -> u64 {
        self.lease.unwrap_or(self.open_for).max(nanos(SHORTEST))
    }

    pub(crate) fn is_slow(&self, took: Option<Duration>) -> bool {
        match (self.slow_after, took) {
            (Some(limit), Some(took)) => took >= limit,
            _ => false,
        }
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut f = f.debug_struct("Settings");
        f.field("trips", &self.trips);
        if matches!(self.trips, Trips::Ratio(_)) {
            f.field("window", &Duration::from_nanos(self.window));
            f.field("min_throughput", &self.min_throughput);
        }
        if let Some(slow) = self.slow_after {
            f.field("slow_after", &slow);
        }
        f.field("open_for", &Duration::from_nanos(self.open_for))
            .field("factor", &self.factor)
            .field("cap", &Duration::from_nanos(self.cap))
            .field("jitter_factor", &self.jitter)
            .field("probes", &self.probes)
            .field("probe_ratio", &self.probe_ratio())
            .field("lease", &Duration::from_nanos(self.lease()))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: Duration = Duration::from_secs(1);

    #[test]
    fn a_share_is_reached_exactly_where_it_is() {
        // 0.55 * 20.0 is 11.000000000000002.
        assert!(Share::new(0.55).is_reached(11, 20) && !Share::new(0.55).is_reached(10, 20));
        assert!(Share::new(1.0).is_reached(7, 7) && !Share::new(1.0).is_reached(6, 7));
        assert_eq!([1, 2, 3, 4].map(|n| Share::HALF.of(n)), [1, 1, 2, 2]);
        assert_eq!((Share::new(1e-9).of(32), Share::new(1.0).of(32)), (1, 32));
    }

    #[test]
    fn a_share_outside_of_its_range_is_the_nearest() {
        for low in [0.0, -1.0, f64::NEG_INFINITY, f64::MIN_POSITIVE] {
            assert_eq!(Share::new(low), Share(1), "{low}");
        }
        for high in [1.0, 1.5, f64::INFINITY, f64::NAN] {
            assert_eq!(Share::new(high), Share(MILLION), "{high}");
        }
    }

    #[test]
    fn the_open_time_grows_to_its_cap_and_jitter_only_shortens_it() {
        let mut settings = Settings::new(Trips::Consecutive(1));
        settings.factor = 2.0;
        settings.cap = nanos(100 * S);
        for (times, seconds) in [(0, 30), (1, 60), (2, 100), (2_000, 100), (u32::MAX, 100)] {
            assert_eq!(settings.open_time(times, 1.0), nanos(seconds * S));
            assert_eq!(settings.open_time(times, 0.0), nanos(seconds * S) / 10 * 9);
        }
        // A cap below the first open time does not shorten it.
        settings.cap = 0;
        assert_eq!(settings.open_time(5, 1.0), nanos(30 * S));
        settings.open_for = u64::MAX;
        settings.cap = u64::MAX;
        assert_eq!(settings.open_time(5, 1.0), u64::MAX);
    }
}
