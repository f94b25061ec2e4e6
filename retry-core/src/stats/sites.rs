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
mod tests {
    #![allow(clippy::unwrap_used)] // a test that cannot go on should say where

    use super::*;
    use crate::stats::counters::Counters;
    use crate::stats::event::{Event, ended};
    use crate::stats::registry::LAST;
    use crate::stats::tell::{first_success, retried, tell};
    use crate::verdict::verdict::Verdict;
    use core::sync::atomic::{AtomicUsize, Ordering};
    use std::collections::HashMap;
    use std::sync::PoisonError;
    use std::thread;

    fn stats(name: &'static str, counts: Counts) -> SiteStats {
        SiteStats { name, is_endless: false, counts }
    }

    fn given_up<const N: usize>(reasons: [(StopReason, u64); N]) -> [u64; StopReason::COUNT] {
        let mut given_up = [0; StopReason::COUNT];
        for (reason, count) in reasons {
            given_up[reason.index()] = count;
        }
        given_up
    }

    fn names(sites: &Sites) -> Vec<&'static str> {
        sites.iter().map(SiteStats::name).collect()
    }

    macro_rules! site {
        ($name:literal) => {{
            static COUNTERS: Counters = Counters::new();
            static SITE: Site = Site::named($name, &COUNTERS);
            &SITE
        }};
    }

    /// How often each site is listed.
    fn listed(prefix: &str) -> HashMap<&'static str, usize> {
        let mut times = HashMap::new();
        for site in sites().into_iter().filter(|site| site.name.starts_with(prefix)) {
            *times.entry(site.name).or_insert(0) += 1;
        }
        times
    }

    #[test]
    fn a_site_is_listed_once_however_many_threads_find_it_first() {
        let mut all = [
            site!("race a"),
            site!("race b"),
            site!("race c"),
            site!("race d"),
            site!("race e"),
            site!("race f"),
        ];
        let calls = AtomicUsize::new(0);
        thread::scope(|scope| {
            // As long as the list is locked, all of them find their site unlisted.
            let last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
            for round in 0..4 {
                // To and fro, so that the one that comes last is not the last to be listed.
                all.reverse();
                for site in all {
                    let calls = &calls;
                    scope.spawn(move || {
                        calls.fetch_add(1, Ordering::Relaxed);
                        if round % 2 == 0 {
                            first_success(site);
                        } else {
                            retried(site, Verdict::Retry);
                        }
                    });
                }
            }
            while calls.load(Ordering::Relaxed) < 4 * all.len() {
                thread::yield_now();
            }
            drop(last);
        });
        let expected: HashMap<_, _> = all.iter().map(|site| (site.name(), 1)).collect();
        assert_eq!(listed("race "), expected);
        assert!(
            sites()
                .iter()
                .filter(|site| site.name.starts_with("race "))
                .all(|site| { (site.first_try(), site.retries()) == (2, 2) })
        );
    }

    #[test]
    fn a_site_is_listed_by_whatever_happens_first() {
        first_success(site!("listed by first_success"));
        retried(site!("listed by retried"), Verdict::Retry);
        tell(site!("listed by waited"), &Event::Waited(Duration::ZERO));
        tell(site!("listed by recovered"), &ended(StopReason::Success));
        tell(site!("listed by gave_up"), &ended(StopReason::Time));
        tell(site!("listed by cancelled"), &ended(StopReason::Cancelled));
        tell(site!("listed by panicked"), &Event::Panicked);
        tell(site!("listed by disabled"), &ended(StopReason::Disabled));
        assert_eq!(listed("listed by ").len(), 8);
    }

    #[test]
    fn a_site_that_has_not_run_is_not_listed() {
        let site = site!("has not run");
        assert!(sites().get("has not run").is_none());
        first_success(site);
        assert_eq!(sites().get("has not run").unwrap().calls(), 1);
    }

    #[test]
    fn sites_of_the_same_name_stay_apart() {
        first_success(site!("twice"));
        tell(site!("twice"), &ended(StopReason::Permanent));
        assert_eq!(listed("twice"), HashMap::from([("twice", 2)]));
    }

    #[test]
    fn a_panic_while_listing_does_not_hide_the_sites() {
        let site = site!("after a panic");
        let _ = thread::spawn(|| {
            let _last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
            std::panic::resume_unwind(Box::new(()));
        })
        .join();
        first_success(site);
        assert_eq!(listed("after a panic").len(), 1);
    }

    #[test]
    fn the_worst_stands_first() {
        let retried = |first_try, retries| Counts { first_try, retries, ..Counts::default() };
        let gave_up = |count| Counts {
            given_up: given_up([(StopReason::Attempts, count)]),
            ..Counts::default()
        };
        let sites = Sites::worst_first(vec![
            stats("fine b", retried(9, 0)),
            stats("fine a", retried(1, 0)),
            stats("few given up", gave_up(1)),
            stats("many given up", gave_up(7)),
            stats("some retries", retried(100, 1)),
            stats("never succeeds", retried(0, 1)),
            stats("still runs", Counts { running: 1, ..retried(0, 900) }),
            stats("answers 404", Counts { permanent: 900, ..Counts::default() }),
            SiteStats { is_endless: true, ..stats("a link", retried(0, 900)) },
            stats("many retries", retried(100, 50)),
        ]);
        let expected = [
            "never succeeds",
            "many retries",
            "some retries",
            "many given up",
            "few given up",
            "a link",
            "answers 404",
            "fine a",
            "fine b",
            "still runs",
        ];
        assert_eq!(names(&sites), expected);
        assert_eq!(sites.len(), 10);
        assert!((&sites).into_iter().eq(sites.iter()));
        assert_eq!(sites.clone().into_iter().map(|site| site.name).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_name_is_found_whole_before_it_is_found_as_an_end() {
        let sites = Sites::worst_first(
            ["a::fetch", "app::client::fetch", "fetch", "prefetch", "app::store::save"]
                .map(|name| stats(name, Counts::default()))
                .into(),
        );
        let found = |name| sites.get(name).map(SiteStats::name);
        assert_eq!(found("fetch"), Some("fetch"));
        assert_eq!(found("client::fetch"), Some("app::client::fetch"));
        assert_eq!(found("app::store::save"), Some("app::store::save"));
        assert_eq!(found("save"), Some("app::store::save"));
        assert_eq!(found("ave"), None);
        assert_eq!(found("tore::save"), None);
        assert_eq!(found("::save"), None);
        assert_eq!(found("app"), None);
        assert_eq!(found(""), None);
    }

    #[test]
    fn of_several_with_the_same_end_the_worst_is_found() {
        let counts = |retries| Counts { first_try: 10, retries, ..Counts::default() };
        let sites =
            Sites::worst_first(vec![stats("a::fetch", counts(1)), stats("b::fetch", counts(2))]);
        assert_eq!(sites.get("fetch").unwrap().name(), "b::fetch");
    }

    #[test]
    fn every_call_that_has_ended_is_in_the_sum_once() {
        let site = stats(
            "all",
            Counts {
                first_try: 1,
                recovered: 20,
                given_up: given_up([(StopReason::Attempts, 300), (StopReason::Budget, 4_000)]),
                permanent: 100_000_000,
                cancelled: 50_000,
                panicked: 600_000,
                disabled: 7_000_000,
                refused: 1_000,
                running: 3,
                retries: 80_000_000,
                waited: Duration::from_secs(9),
            },
        );
        assert_eq!(site.calls(), 107_654_321);
        assert_eq!(site.attempts(), 187_653_321);
        assert_eq!(site.refused(), 1_000);
        assert_eq!(site.retries(), 80_000_000);
        assert_eq!((site.first_try(), site.recovered()), (1, 20));
        assert_eq!((site.given_up(), site.permanent(), site.running()), (4_300, 100_000_000, 3));
        assert_eq!(site.given_up_for(StopReason::Budget), 4_000);
        assert_eq!(site.given_up_for(StopReason::Time), 0);
        assert_eq!(site.cancelled(), 50_000);
        assert_eq!((site.panicked(), site.disabled()), (600_000, 7_000_000));
        assert_eq!(site.waited(), Duration::from_secs(9));
    }

    #[test]
    fn sums_beyond_their_range_stay_at_its_end() {
        let most = u64::MAX;
        let site = stats(
            "most",
            Counts {
                first_try: most,
                recovered: most,
                given_up: [most; StopReason::COUNT],
                retries: most,
                ..Counts::default()
            },
        );
        assert_eq!((site.calls(), site.attempts(), site.given_up()), (most, most, most));
    }

    #[test]
    #[allow(clippy::float_cmp)] // all of them exact in binary
    fn retries_per_success_counts_both_kinds_of_success() {
        let ratio = |first_try, recovered, retries| {
            let counts = Counts { first_try, recovered, retries, ..Counts::default() };
            stats("ratio", counts).retries_per_success()
        };
        assert_eq!(ratio(3, 1, 1), 0.25);
        assert_eq!(ratio(0, 2, 5), 2.5);
        assert_eq!(ratio(7, 0, 0), 0.0);
        assert_eq!(ratio(0, 0, 0), 0.0);
        assert_eq!(ratio(0, 0, 1), f64::INFINITY);
    }

    #[test]
    fn an_empty_list_says_so() {
        let sites = Sites(Vec::new());
        assert!(sites.is_empty());
        assert_eq!(sites.to_string(), "no retried function has run yet");
    }

    #[test]
    fn the_table_is_aligned_and_keeps_the_ends_of_names() {
        let sites = Sites::worst_first(vec![
            stats("app::login", Counts { first_try: 8, ..Counts::default() }),
            stats(
                "app::client::fetch",
                Counts {
                    first_try: 120_934,
                    recovered: 512,
                    given_up: given_up([(StopReason::Attempts, 31), (StopReason::Time, 9)]),
                    cancelled: 4,
                    retries: 1_210,
                    waited: Duration::from_millis(7_384_204),
                    ..Counts::default()
                },
            ),
            stats(
                "billing::über::providers::stripe::invoices::send_later",
                Counts {
                    given_up: given_up([(StopReason::BreakerOpen, 3)]),
                    retries: 6,
                    waited: Duration::from_micros(1_500),
                    ..Counts::default()
                },
            ),
        ]);
        let expected = "\
name                                               calls  first try  recovered           gave up  cancelled  attempts  retries/success     waited
…::über::providers::stripe::invoices::send_later       3          0          0  3 (breaker_open)          0         9       no success     0.002s
app::client::fetch                                121490     120934        512  40 (31 attempts)          4    122700            0.010  7384.204s
app::login                                             8          8          0                 0          0         8            0.000     0.000s";
        assert_eq!(sites.to_string(), expected);
    }

    #[test]
    fn the_table_shows_what_runs_what_is_endless_and_what_was_permanent() {
        let link = |running| Counts { retries: 70, running, ..Counts::default() };
        let sites = Sites::worst_first(vec![
            stats("outage", Counts { retries: 7, ..Counts::default() }),
            stats("404", Counts { permanent: 12, ..Counts::default() }),
            stats("slow", link(2)),
            SiteStats { is_endless: true, ..stats("link", link(1)) },
        ]);
        let expected = "\
name    calls  first try  recovered  permanent  gave up  cancelled  running  attempts  retries/success  waited
outage      0          0          0          0        0          0        0         7       no success  0.000s
404        12          0          0         12        0          0        0        12            0.000  0.000s
link        0          0          0          0        0          0        1        70          endless  0.000s
slow        0          0          0          0        0          0        2        70          running  0.000s";
        assert_eq!(sites.to_string(), expected);
    }

    #[test]
    fn of_reasons_given_equally_often_the_first_is_named() {
        let counts = Counts {
            given_up: given_up([(StopReason::Budget, 2), (StopReason::Time, 2)]),
            ..Counts::default()
        };
        let site = stats("equal", counts);
        assert_eq!(site.most_given_up_for(), Some((StopReason::Time, 2)));
    }
}
