//! Lets the clients of the example call, compares what arrives with what is promised, and runs the
//! example as a user does.

#![allow(clippy::panic, clippy::unwrap_used)] // a test that cannot go on should say where

#[allow(dead_code)] // all but its `main`
#[path = "../storm.rs"]
mod example;
#[allow(dead_code)] // all but `built`
#[path = "../../support/process.rs"]
mod process;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use example::figures::Figures;
use example::scenario::{Run, Scenario};

const S: Duration = Duration::from_secs(1);
/// Two calls of 1,000 clients in four seconds.
const STEADY: u32 = 50;

fn runs() -> Vec<Run> {
    let mut runs = Vec::new();
    for scenario in Scenario::all() {
        runs.push(scenario.run(|_| {}).unwrap());
    }
    runs
}

#[test]
fn jitter_flattens_the_storm_and_only_guards_make_it_smaller() {
    let runs = runs();
    let [none, capped, full, budget, breaker] = runs.as_slice() else { panic!("{}", runs.len()) };

    // All of them had the same calls, and the same requests while all was well.
    for run in &runs {
        assert_eq!(run.calls, 30_000, "{}", run.name);
        assert!(run.between(Duration::ZERO, 10 * S).iter().all(|&n| n == STEADY), "{}", run.name);
    }

    // Ten seconds of calls come back in one slot, those of two rounds in the worst. A limit over the
    // jitter does no better.
    assert_eq!((none.peak(), capped.peak()), (10_050, 10_050));
    assert!(full.peak() < 700, "{}", full.peak());
    // Jitter spreads what is sent, and takes nothing away.
    assert_eq!([none.sent(), capped.sent(), full.sent()], [100_000; 3]);

    // Five retries a client: what a budget has at first. The successes before the outage add less than
    // one. Then there is nothing but the calls themselves.
    assert_eq!(budget.sent(), budget.calls + 5 * 1_000);
    assert!(budget.between(30 * S, 70 * S).iter().all(|&n| n == STEADY));

    // The calls until the first crash, and one probe a client.
    assert_eq!(breaker.sent(), 5_000 + 1_000);
    assert!(breaker.between(20 * S, 42 * S).iter().all(|&n| n == 0));
    // Every client is back with its first call 25 seconds after its last probe has failed.
    assert!(breaker.between(77 * S, 90 * S).iter().all(|&n| n == STEADY));
}

#[test]
fn every_run_is_the_same() {
    let [.., breaker] = Scenario::all();
    assert_eq!(breaker.run(|_| {}).unwrap(), breaker.run(|_| {}).unwrap());
}

#[test]
fn an_outage_is_not_made_worse() {
    let figures = Figures::compute(|_| {}).unwrap();
    assert!(figures.one_client <= 1.02, "{}", figures.one_client);
    assert!(figures.small_clients <= 1.1, "{}", figures.small_clients);
    // It does retry: an allowance that is never used would pass, too.
    assert!(figures.one_client > 1.0 && figures.small_clients > 1.0);
    assert_eq!(figures.without_breaker, 20_000);
    assert!((40..=50).contains(&figures.with_breaker), "{}", figures.with_breaker);
    assert_eq!(figures.capped_slots, 1);
    assert!(figures.full_slots >= 78, "{}", figures.full_slots);
}

#[test]
fn the_example_prints_and_draws_every_way_to_retry() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("storm").join("storm.svg");
    let _ = fs::remove_file(&file);
    let output = Command::new(process::built("storm")).arg(&file).output().unwrap();
    let (text, told) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(output.status.success(), "{text}{told}");
    let drawn = fs::read_to_string(&file).unwrap();
    assert!(drawn.starts_with("<svg"), "{drawn:.80}");
    for scenario in Scenario::all() {
        let name = scenario.name;
        let (above, row) = (|line: &str| line.trim() == name, format!("{name:<22} "));
        assert!(
            text.lines().any(above) && text.lines().any(|line| line.starts_with(&row)),
            "{text}"
        );
        assert!(drawn.contains(name), "{name}");
        assert!(told.lines().any(|line| line.starts_with(name) && line.ends_with("100 %")));
    }
    let guide = include_str!("../../../src/guide/when_the_other_side_is_down.md");
    let rows = text.lines().skip_while(|line| !line.starts_with("in 60 s")).take(6);
    let missing: Vec<_> = rows.filter(|row| !guide.contains(row)).collect();
    assert!(missing.is_empty() && text.contains("\nin 60 s"), "not in the guide: {missing:#?}");
    let with_breaker = text.lines().find_map(|line| line.strip_prefix("  a breaker of 30 s "));
    let requests: Option<u32> = with_breaker.and_then(|requests| requests.trim().parse().ok());
    assert!(requests.is_some_and(|requests| (40..=50).contains(&requests)), "{text}");
    assert!(text.contains('█') && text.contains('×'));
}
