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
    let gave_up =
        |count| Counts { given_up: given_up([(StopReason::Attempts, count)]), ..Counts::default() };
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
