//! What can be read of all sites that have run.

use core::time::Duration;

use crate::report::reason::StopReason;
use crate::stats::counters::Counts;
use crate::stats::name::is_called;
use crate::stats::registry;
use crate::stats::site::Site;

/// What every retried function has done so far: its numbers, worst function first.
///
/// A function or block is listed from its first success, or its first failure, on. The numbers only
/// ever grow, but for [`running`](SiteStats::running). Reading them stops nobody, so that calls which
/// end meanwhile may be in some of the numbers and not yet in others.
///
/// ```
/// # use retry::retry;
/// # #[retry(stop = attempts(3), wait = none(), on = any_error())]
/// # fn fetch() -> Result<(), String> { Ok(()) }
/// # fetch()?;
/// for site in retry::sites() {
///     if site.retries_per_success() > 0.1 {
///         eprintln!("{}: {} of {} gave up", site.name(), site.given_up(), site.calls());
///     }
/// }
/// println!("{}", retry::sites()); // all of it as a table
/// # Ok::<(), String>(())
/// ```
pub fn sites() -> Sites {
    let read = |site: &Site| SiteStats {
        name: site.name(),
        is_endless: site.is_endless(),
        counts: site.counters().read(),
    };
    Sites::worst_first(registry::all().map(read).collect())
}

/// What [`sites`] has read.
///
/// The order is worst first: by [`retries_per_success`](SiteStats::retries_per_success), then by
/// [`given_up`](SiteStats::given_up), both falling, then by name. The ratio of a function that goes on
/// `forever`, or none of whose calls has come to an end, says nothing of how well it does; it counts
/// as zero here. `Display` gives a table in this order, in which long names keep their end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sites(Vec<SiteStats>);

impl Sites {
    fn worst_first(mut sites: Vec<SiteStats>) -> Self {
        sites.sort_by(|a, b| {
            b.badness()
                .total_cmp(&a.badness())
                .then_with(|| b.given_up().cmp(&a.given_up()))
                .then_with(|| a.name.cmp(b.name))
        });
        Self(sites)
    }

    /// The numbers of each function, worst first.
    pub fn iter(&self) -> core::slice::Iter<'_, SiteStats> {
        self.0.iter()
    }

    /// How many functions and blocks have run.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether none has run.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The function of that name, or else one whose path ends with `::` and `name`: `fetch` and
    /// `client::fetch` both find `app::client::fetch`. A method of a trait answers to its type and
    /// to its trait: `Disk::load` and `Store::load` both find `<app::Disk as app::Store>::load`.
    ///
    /// Of several the worst. A function and a block inside it have the same name unless one of
    /// them is given another; [`iter`](Self::iter) tells both.
    ///
    /// ```
    /// # use retry::retry;
    /// # #[retry(stop = attempts(3), wait = none(), on = any_error())]
    /// # fn fetch() -> Result<(), String> { Ok(()) }
    /// if let Some(fetch) = retry::sites().get("client::fetch") {
    ///     println!("{} retries", fetch.retries());
    /// }
    /// ```
    pub fn get(&self, name: &str) -> Option<&SiteStats> {
        let called = |site: &&SiteStats| is_called(site.name, name);
        self.iter().find(|site| site.name == name).or_else(|| self.iter().find(called))
    }
}

impl IntoIterator for Sites {
    type Item = SiteStats;
    type IntoIter = std::vec::IntoIter<SiteStats>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Sites {
    type Item = &'a SiteStats;
    type IntoIter = core::slice::Iter<'a, SiteStats>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The numbers of one retried function or block since the program started.
///
/// A call that has ended is in exactly one of [`first_try`](Self::first_try),
/// [`recovered`](Self::recovered), [`permanent`](Self::permanent), [`given_up`](Self::given_up),
/// [`cancelled`](Self::cancelled), [`panicked`](Self::panicked) and [`disabled`](Self::disabled). One
/// that is still going on is in none of them, but its retries and pauses so far are counted, and from
/// its first failure on it is one of the [`running`](Self::running).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteStats {
    name: &'static str,
    is_endless: bool,
    counts: Counts,
}

impl SiteStats {
    /// The path of the function, or the name given with `name = "…"`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// How many calls have ended.
    pub fn calls(&self) -> u64 {
        let Counts { first_try, recovered, permanent, cancelled, panicked, disabled, .. } =
            self.counts;
        total(&[first_try, recovered, permanent, self.given_up(), cancelled, panicked, disabled])
    }

    /// How many calls succeeded with their first attempt.
    pub fn first_try(&self) -> u64 {
        self.counts.first_try
    }

    /// How many calls succeeded after one retry or more.
    pub fn recovered(&self) -> u64 {
        self.counts.recovered
    }

    /// How many calls ended with a failure that another attempt would not change, such as a 404: an
    /// answer, in their first attempt or a later one.
    ///
    /// ```
    /// # use retry::retry;
    /// #[retry(stop = attempts(3), wait = none(), on = |status| *status == 503)]
    /// fn fetch() -> Result<(), u16> {
    ///     Err(404)
    /// }
    /// assert!(fetch().is_err());
    /// let sites = retry::sites();
    /// let fetch = sites.get("fetch").unwrap();
    /// assert_eq!((fetch.permanent(), fetch.given_up()), (1, 0));
    /// ```
    pub fn permanent(&self) -> u64 {
        self.counts.permanent
    }

    /// How many calls ended with a failure that another attempt might have changed, for whatever
    /// reason.
    pub fn given_up(&self) -> u64 {
        total(&self.counts.given_up)
    }

    /// How many calls gave up for this reason. All reasons together are
    /// [`given_up`](Self::given_up).
    ///
    /// Calls that succeeded, failed permanently, were cancelled or had their retrying switched off did
    /// not give up, and are not found here by that reason.
    ///
    /// ```
    /// use retry::StopReason;
    ///
    /// for site in &retry::sites() {
    ///     println!("{}: {} out of time", site.name(), site.given_up_for(StopReason::Time));
    /// }
    /// ```
    pub fn given_up_for(&self, reason: StopReason) -> u64 {
        self.counts.given_up[reason.index()]
    }

    /// How many calls ended without an outcome, since nobody wanted it any more.
    pub fn cancelled(&self) -> u64 {
        self.counts.cancelled
    }

    /// How many calls ended in a panic.
    pub fn panicked(&self) -> u64 {
        self.counts.panicked
    }

    /// How many calls ended while retrying was switched off for them, with whatever outcome.
    pub fn disabled(&self) -> u64 {
        self.counts.disabled
    }

    /// How many calls have failed and go on, at this moment: they pause, or make another attempt. A
    /// call in its first attempt is not known of. The one number that also falls.
    ///
    /// ```
    /// # use retry::retry;
    /// #[retry(stop = attempts(3), wait = none(), on = any_error())]
    /// fn fetch(seen: &mut Vec<u64>) -> Result<(), ()> {
    ///     seen.push(retry::sites().get("fetch").map_or(0, |fetch| fetch.running()));
    ///     Err(())
    /// }
    /// let mut seen = Vec::new();
    /// assert!(fetch(&mut seen).is_err());
    /// assert_eq!(seen, [0, 1, 1]);
    /// assert_eq!(retry::sites().get("fetch").unwrap().running(), 0);
    /// ```
    pub fn running(&self) -> u64 {
        self.counts.running
    }

    /// Whether its calls go on until they succeed: it is retried `forever`. Such a link may have made
    /// any number of retries and no call that has ended, and be well; see
    /// [`running`](Self::running).
    ///
    /// ```
    /// # use retry::retry;
    /// #[retry(forever, wait = fixed(1ms), on = any_error())]
    /// fn connect(down: &mut u32) -> Result<(), ()> {
    ///     *down = down.saturating_sub(1);
    ///     if *down > 0 { Err(()) } else { Ok(()) }
    /// }
    /// assert!(connect(&mut 1).is_ok());
    /// assert!(retry::sites().get("connect").unwrap().is_endless());
    /// ```
    pub fn is_endless(&self) -> bool {
        self.is_endless
    }

    /// How many calls were refused before their first attempt: by an open breaker, a deadline that
    /// had passed, or since they had been cancelled. They are counted under their reason too.
    pub fn refused(&self) -> u64 {
        self.counts.refused
    }

    /// How many attempts were made: one for each of the [`calls`](Self::calls) that was not
    /// [`refused`](Self::refused), and the [`retries`](Self::retries).
    pub fn attempts(&self) -> u64 {
        total(&[self.calls().saturating_sub(self.refused()), self.retries()])
    }

    /// How many attempts were made after the first of their call.
    pub fn retries(&self) -> u64 {
        self.counts.retries
    }

    /// How long all pauses that have ended took together, of calls side by side the sum. At most
    /// 584 years.
    pub fn waited(&self) -> Duration {
        self.counts.waited
    }

    /// How many retries were made for one call that succeeded, be it with its first attempt or
    /// later.
    ///
    /// The load that retrying adds to the other side: wake someone when it passes 0.1. Zero if
    /// there were no retries, and infinite if there were, but no success.
    #[allow(clippy::cast_precision_loss)] // a ratio has no use for more than 52 bits
    pub fn retries_per_success(&self) -> f64 {
        if self.retries() == 0 {
            return 0.0;
        }
        let successes = total(&[self.first_try(), self.recovered()]);
        self.retries() as f64 / successes as f64
    }

    /// Whether there is nothing yet by which it could be judged: it has retried, and no call of it has
    /// come to an end.
    pub(super) fn is_open(&self) -> bool {
        self.running() > 0 && self.calls() == 0
    }

    /// What it is ranked by.
    fn badness(&self) -> f64 {
        if self.is_endless || self.is_open() { 0.0 } else { self.retries_per_success() }
    }

    /// The reason for which most calls were given up, and how many they were.
    pub(super) fn most_given_up_for(&self) -> Option<(StopReason, u64)> {
        let counts = StopReason::ALL.iter().map(|&reason| (reason, self.given_up_for(reason)));
        // Of equals the first, where `max_by_key` alone would take the last.
        counts.rev().max_by_key(|&(_, count)| count).filter(|&(_, count)| count > 0)
    }
}

fn total(counts: &[u64]) -> u64 {
    counts.iter().fold(0, |sum, &count| sum.saturating_add(count))
}

#[cfg(test)]
mod tests;
