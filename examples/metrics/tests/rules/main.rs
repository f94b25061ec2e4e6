//! The alerts of the guide and of the example, evaluated on what real calls have recorded: on days
//! that are good, in an outage from the first call on, and with answers that are no outage.

#![allow(clippy::unwrap_used, clippy::panic)] // a test that cannot go on should say where

mod expression;

use std::collections::BTreeSet;

use expression::{Labels, Scrapes, parse};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use retry::retry;

/// The alert as the guide says it.
fn of_the_guide() -> String {
    let guide = include_str!("../../../../src/guide/observing.md");
    let (_, after) = guide.split_once("the alert from above is\n\n```text\n").unwrap();
    after.split_once("```").unwrap().0.to_owned()
}

/// Every expression in the documentation of the example.
fn of_the_example() -> Vec<String> {
    let example = include_str!("../../metrics.rs");
    let docs: Vec<_> = example.lines().map_while(|line| line.strip_prefix("//!")).collect();
    let docs = docs.join("\n");
    let blocks = docs.split("```text\n").skip(1);
    blocks.map(|block| block.split_once("```").unwrap().0.to_owned()).collect()
}

/// What is scraped once a minute.
struct Watched {
    handle: PrometheusHandle,
    scrapes: Scrapes,
}

impl Watched {
    /// Watches what the minutes do, one after the other: each is followed by a scrape, and there is
    /// one before them all.
    fn run<F: FnMut(u32)>(before: impl FnOnce(), minutes: u32, mut minute: F) -> Scrapes {
        let recorder = PrometheusBuilder::new().build_recorder();
        let handle = recorder.handle();
        metrics::with_local_recorder(&recorder, || {
            let mut watched = Self { handle, scrapes: vec![] };
            before();
            watched.scrape();
            for number in 0..minutes {
                minute(number);
                watched.scrape();
            }
            watched.scrapes
        })
    }

    fn scrape(&mut self) {
        let text = self.handle.render();
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let series = lines.map(|line| {
            let (series, value) = line.rsplit_once(' ').unwrap();
            let (name, labels) = series.split_once('{').unwrap_or((series, ""));
            let labels = labels.trim_end_matches('}').split("\",").filter(|it| !it.is_empty());
            let label = |text: &str| {
                let (label, value) = text.split_once("=\"").unwrap();
                (label.to_owned(), value.trim_end_matches('"').to_owned())
            };
            ((name.to_owned(), labels.map(label).collect::<Labels>()), value.parse().unwrap())
        });
        self.scrapes.push(series.collect());
    }
}

/// The names for which the alert fires in the end.
fn alarmed(alert: &str, scrapes: &Scrapes) -> Vec<String> {
    let names: BTreeSet<_> =
        parse(alert).eval(scrapes).into_keys().map(|labels| labels["name"].clone()).collect();
    names.into_iter().collect()
}

/// Both must say the same.
fn alarms(scrapes: &Scrapes) -> Vec<String> {
    let guide = alarmed(&of_the_guide(), scrapes);
    assert_eq!(alarmed(&of_the_example()[0], scrapes), guide);
    guide
}

/// A function of this name that fails so often in each call, and gets this in the end.
macro_rules! function {
    ($name:ident, $label:literal) => {
        #[retry(name = $label, stop = attempts(3), wait = none(), on = |status| *status == 503)]
        fn $name(fails: &mut u32, answer: Result<(), u16>) -> Result<(), u16> {
            if *fails == 0 {
                return answer;
            }
            *fails -= 1;
            Err(503)
        }
    };
}

#[test]
fn an_outage_from_the_first_call_on_is_an_alarm() {
    function!(call, "never up");
    let fails = || assert_eq!(call(&mut 9, Ok(())), Err(503));
    assert_eq!(alarms(&Watched::run(fails, 3, |_| fails())), ["never up"]);
}

#[test]
fn an_outage_is_an_alarm_also_where_the_exporter_came_after_the_first_call() {
    function!(call, "exporter came late");
    let fails = || assert_eq!(call(&mut 9, Ok(())), Err(503));
    fails();
    let scrapes = Watched::run(fails, 3, |_| fails());
    // So nothing has put a series of successes there.
    assert!(scrapes.iter().flatten().all(|((_, labels), _)| {
        labels.get("outcome").is_none_or(|outcome| outcome == "given_up")
    }));
    assert_eq!(alarms(&scrapes), ["exporter came late"]);
}

#[test]
fn an_outage_after_good_days_is_an_alarm_and_over_when_it_is_over() {
    function!(call, "goes down");
    let up = || call(&mut 0, Ok(())).unwrap();
    let scrapes = Watched::run(up, 14, |minute| {
        for _ in 0..5 {
            let _ = call(&mut if minute < 6 { 9 } else { 0 }, Ok(()));
        }
    });
    assert_eq!(alarms(&scrapes[..4].to_vec()), ["goes down"]);
    assert_eq!(alarms(&scrapes), [""; 0]);
}

#[test]
fn one_retry_in_five_calls_is_an_alarm_and_one_in_twenty_is_none() {
    function!(often, "often");
    function!(seldom, "seldom");
    let scrapes = Watched::run(
        || {
            often(&mut 0, Ok(())).unwrap();
            seldom(&mut 0, Ok(())).unwrap();
        },
        5,
        |_| {
            for call in 0..20 {
                often(&mut u32::from(call % 5 == 0), Ok(())).unwrap();
                seldom(&mut u32::from(call == 0), Ok(())).unwrap();
            }
        },
    );
    assert_eq!(alarms(&scrapes), ["often"]);
}

#[test]
fn answers_that_are_no_are_neither_an_alarm_nor_given_up() {
    function!(call, "not found");
    let asks = || assert_eq!(call(&mut 0, Err(404)), Err(404));
    let scrapes = Watched::run(asks, 5, |_| asks());
    assert_eq!(alarms(&scrapes), [""; 0]);
    let given_up = parse(&of_the_example()[1]).eval(&scrapes);
    assert!(given_up.values().all(|rate| *rate == 0.0), "{given_up:?}");
}

#[test]
fn the_first_call_that_gives_up_is_seen() {
    function!(call, "gives up once");
    let scrapes = Watched::run(
        || call(&mut 0, Ok(())).unwrap(),
        2,
        |minute| {
            let _ = call(&mut if minute == 1 { 9 } else { 0 }, Ok(()));
        },
    );
    let given_up = parse(&of_the_example()[1]).eval(&scrapes);
    let (labels, _) = given_up.iter().find(|(_, rate)| **rate > 0.0).unwrap();
    assert_eq!((labels["name"].as_str(), labels["reason"].as_str()), ("gives up once", "attempts"));
}
