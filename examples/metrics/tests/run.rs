//! Makes the calls of the example, reads the metrics over HTTP, and compares every number with
//! what the library itself has counted; and runs the example as a user does.

#![allow(clippy::unwrap_used)] // a test that cannot go on should say where

#[allow(dead_code)] // all but its `main`
#[path = "../metrics.rs"]
mod example;
#[allow(dead_code)] // all but `run`
#[path = "../../support/process.rs"]
mod process;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use retry::{Report, StopReason};

/// What a scrape gave: each series, its labels included, with its value.
struct Scrape(BTreeMap<String, f64>);

impl Scrape {
    fn of(text: &str) -> Self {
        let series = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        Self(
            series
                .map(|line| line.rsplit_once(' ').unwrap())
                .map(|(series, value)| (series.to_owned(), value.parse().unwrap()))
                .collect(),
        )
    }

    /// The value of a series, which is not there before there is something to count.
    fn get(&mut self, series: &str) -> f64 {
        self.0.remove(series).unwrap_or_default()
    }

    fn calls(&mut self, outcome: &str, reason: &str) -> f64 {
        let labels = format!(r#"name="fetch",outcome="{outcome}",reason="{reason}""#);
        self.get(&format!("retry_calls_total{{{labels}}}"))
    }

    fn retries(&mut self, reason: &str) -> f64 {
        self.get(&format!(r#"retry_retries_total{{name="fetch",reason="{reason}"}}"#))
    }
}

/// A count as it is scraped.
fn number(count: impl TryInto<u32>) -> f64 {
    f64::from(count.try_into().ok().unwrap())
}

/// Both are sums of the same decimal fractions, in another order.
fn assert_near(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-9, "{a} is not {b}");
}

#[tokio::test]
#[allow(clippy::float_cmp)] // counts are whole numbers
async fn every_number_that_is_scraped_is_that_of_the_sites_and_of_the_reports() {
    let metrics = example::server::metrics(example::install().unwrap()).await.unwrap();
    let url = example::server::flaky().await.unwrap();
    let ((), reports) = retry::record(example::traffic(&url)).await;
    let text = reqwest::get(metrics).await.unwrap().text().await.unwrap();
    let mut scrape = Scrape::of(&text);
    let sites = retry::sites();
    let site = sites.get("fetch").unwrap();
    let ended = |is: &dyn Fn(&Report) -> bool| reports.iter().filter(|report| is(report)).count();
    let for_reason = |reason| move |report: &Report| report.reason() == reason;

    // As the traffic is written: none of it goes uncounted in all three.
    assert_eq!(
        (site.first_try(), site.recovered(), site.permanent(), site.given_up()),
        (2, 3, 2, 1)
    );
    assert_eq!((site.cancelled(), site.disabled()), (1, 1));
    assert_eq!(reports.len(), 10);

    let first_try = scrape.calls("first_try", "success");
    assert_eq!(first_try, number(site.first_try()));
    assert_eq!(first_try, number(ended(&|report| report.is_success() && report.attempts() == 1)));

    let recovered = scrape.calls("recovered", "success");
    assert_eq!(recovered, number(site.recovered()));
    assert_eq!(recovered, number(ended(&|report| report.is_success() && report.attempts() > 1)));

    let permanent = scrape.calls("permanent", "permanent");
    assert_eq!(permanent, number(site.permanent()));
    assert_eq!(permanent, number(ended(&for_reason(StopReason::Permanent))));

    let cancelled = scrape.calls("cancelled", "cancelled");
    assert_eq!(cancelled, number(site.cancelled()));
    assert_eq!(cancelled, number(ended(&for_reason(StopReason::Cancelled))));

    let disabled = scrape.calls("disabled", "disabled");
    assert_eq!(disabled, number(site.disabled()));
    assert_eq!(disabled, number(ended(&for_reason(StopReason::Disabled))));

    let other =
        [StopReason::Success, StopReason::Permanent, StopReason::Cancelled, StopReason::Disabled];
    for reason in StopReason::ALL.iter().filter(|reason| !other.contains(reason)) {
        let given_up = scrape.calls("given_up", reason.as_str());
        assert_eq!(given_up, number(site.given_up_for(*reason)), "{reason}");
        assert_eq!(given_up, number(ended(&for_reason(*reason))), "{reason}");
    }

    let attempts = scrape.get(r#"retry_attempts_total{name="fetch"}"#);
    assert_eq!(attempts, number(site.attempts()));
    assert_eq!(attempts, reports.iter().map(|report| f64::from(report.attempts())).sum::<f64>());

    // A failure that was followed by a pause was retried: no call was dropped in one.
    let failures = reports.iter().flat_map(Report::history).filter(|past| past.delay().is_some());
    let mut expected = [0; 3];
    for past in failures {
        let verdict = past.verdict();
        let reason = match (verdict.is_throttled(), verdict.is_ambiguous()) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => 2,
        };
        expected[reason] += 1;
    }
    let retries = ["throttled", "ambiguous", "transient"].map(|reason| scrape.retries(reason));
    assert_eq!(retries, expected.map(number));
    assert_eq!(retries.iter().sum::<f64>(), number(site.retries()));
    assert!(retries.iter().all(|&count| count > 0.0), "{retries:?}");

    let sum = scrape.get(r#"retry_delay_seconds_sum{name="fetch"}"#);
    assert_near(sum, site.waited().as_secs_f64());
    assert_near(sum, reports.iter().map(|report| report.waited().as_secs_f64()).sum());
    let count = scrape.get(r#"retry_delay_seconds_count{name="fetch"}"#);
    assert_eq!(count, number(site.retries()));
    // A bucket holds all delays up to its bound, those of the buckets before it included.
    for bound in [0.01, 0.02, 0.05, 0.1, 0.5, 1.0, 5.0, 30.0] {
        let bucket = format!(r#"retry_delay_seconds_bucket{{name="fetch",le="{bound}"}}"#);
        let delays = reports.iter().flat_map(Report::delays);
        let most = delays.filter(|delay| delay.as_secs_f64() <= bound).count();
        assert_eq!(scrape.get(&bucket), number(most), "{bound}");
    }
    assert_eq!(scrape.get(r#"retry_delay_seconds_bucket{name="fetch",le="+Inf"}"#), count);

    // What else there is has not happened, and is there with zero.
    scrape.0.retain(|_, value| *value != 0.0);
    assert_eq!(scrape.0, BTreeMap::new(), "series that nothing here knows");
}

/// Ended when the test is over, however that goes.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test]
async fn the_example_serves_what_it_prints() {
    let mut command = Command::new(process::built("metrics"));
    let mut child = Running(command.arg("--stay").stdout(Stdio::piped()).spawn().unwrap());
    let lines = BufReader::new(child.0.stdout.take().unwrap()).lines();
    let lines: Vec<_> =
        lines.map(Result::unwrap).take_while(|line| !line.starts_with("serving")).collect();

    for told in ["/200/tea: Ok(())", "/503/504/200: Ok(())", "/429/404: Err(404)", "/0: cancelled"]
    {
        assert!(lines.iter().any(|line| line == told), "{told}: {lines:#?}");
    }
    let at = lines.iter().position(|line| line.starts_with("http://")).unwrap();
    let scraped = reqwest::get(&lines[at]).await.unwrap().text().await.unwrap();
    // The exporter gives them in any order.
    let mut printed = lines[at + 1..].to_vec();
    printed.sort();
    let mut served: Vec<_> = scraped.lines().collect();
    served.sort_unstable();
    assert_eq!(served, printed);

    let types: BTreeSet<_> =
        scraped.lines().filter_map(|line| line.strip_prefix("# TYPE ")).collect();
    assert_eq!(
        types.into_iter().collect::<Vec<_>>(),
        [
            "retry_attempts_total counter",
            "retry_breaker_changes_total counter",
            "retry_calls_total counter",
            "retry_delay_seconds histogram",
            "retry_outages_total counter",
            "retry_retries_total counter",
        ]
    );
    assert_eq!(scraped.lines().filter(|line| line.starts_with("# HELP retry_")).count(), 6);
}
