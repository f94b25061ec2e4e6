//! A client in virtual time: what a budget does to the load of an outage.

use std::collections::BTreeMap;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::guard::budget::{Budget, Spent};

/// What a client has done.
#[derive(Debug, Default)]
struct Load {
    calls: u32,
    sent: u32,
    succeeded: u32,
}

impl Load {
    fn per_call(&self) -> f64 {
        f64::from(self.sent) / f64::from(self.calls)
    }
}

/// A call that is about to make an attempt.
struct Attempt<'a> {
    number: u32,
    spent: Option<Spent<'a>>,
}

/// Makes `rate` calls a second for `seconds`, with three attempts each; an attempt takes 50 ms, and
/// the delays are full jitter over 100 ms, doubled for each. `fails` says whether one fails.
fn run(
    budget: &Budget,
    rate: u32,
    seconds: u32,
    mut fails: impl FnMut(&mut SmallRng) -> bool,
) -> Load {
    let mut rng = SmallRng::seed_from_u64(7);
    let mut load = Load { calls: rate * seconds, ..Load::default() };
    // By the microsecond in which the attempt ends, and a number of its own.
    let mut queue: BTreeMap<(u64, u32), Attempt<'_>> = BTreeMap::new();
    let between = 1_000_000 / u64::from(rate);
    for call in 0..load.calls {
        queue.insert((u64::from(call) * between, call), Attempt { number: 1, spent: None });
    }
    while let Some(((at, call), mut attempt)) = queue.pop_first() {
        if let Some(spent) = &mut attempt.spent {
            spent.made();
        }
        load.sent += 1;
        if !fails(&mut rng) {
            load.succeeded += 1;
            match attempt.spent {
                Some(spent) => spent.succeeded(),
                None => budget.succeeded(),
            }
        } else if attempt.number < 3 {
            let delay = rng.random_range(0..100_000 << (attempt.number - 1));
            if let Some(spent) = budget.try_spend(false) {
                let next = Attempt { number: attempt.number + 1, spent: Some(spent) };
                queue.insert((at + 50_000 + delay, call), next);
            }
        }
    }
    load
}

fn outage(_: &mut SmallRng) -> bool {
    true
}

fn health(_: &mut SmallRng) -> bool {
    false
}

#[test]
fn one_busy_client_in_a_total_outage_sends_hardly_more_than_its_calls() {
    // Two minutes of calls that succeed have filled the larger one.
    for (size, warm) in [(160, 0), (160, 120), (500, 0), (500, 120)] {
        let budget = Budget::new(size);
        run(&budget, 1_000, warm, health);
        let load = run(&budget, 1_000, 60, outage);
        assert_eq!(load.calls, 60_000);
        assert!(load.per_call() <= 1.02, "{size} {warm}: {load:?}");
    }
}

#[test]
fn many_quiet_clients_in_a_total_outage_do_not_either() {
    // An hour of calls that succeed has filled it.
    for (size, warm) in [(160, 0), (160, 3_600), (500, 0)] {
        let budget = Budget::new(size);
        run(&budget, 2, warm, health);
        let load = run(&budget, 2, 60, outage);
        assert_eq!(load.calls, 120);
        assert!(load.per_call() <= 1.1, "{size} {warm}: {load:?}");
    }
}

#[test]
fn the_table_in_the_documentation_is_right() {
    for (size, busy, quiet) in [(70, 5, 5), (160, 11, 11), (500, 35, 35)] {
        for (rate, more) in [(1_000, busy), (2, quiet)] {
            let budget = Budget::new(size).initial(size);
            let load = run(&budget, rate, 60, outage);
            assert_eq!(load.sent - load.calls, more, "{size} at {rate}");
        }
    }
}

#[test]
fn without_a_budget_every_attempt_is_sent() {
    // What the others are measured against: the model does make three attempts.
    let budget = Budget::new(Budget::MAX_SIZE).initial(u32::MAX);
    assert_eq!(run(&budget, 1_000, 10, outage).sent, 30_000);
}

#[test]
fn a_process_that_lives_for_ten_calls_has_no_full_bucket_to_empty() {
    let load = run(&Budget::new(500), 10, 1, outage);
    assert_eq!((load.calls, load.sent), (10, 15));
    let full = run(&Budget::new(500).initial(500), 10, 1, outage);
    assert_eq!(full.sent, 30);
}

#[test]
fn errors_that_do_not_stop_are_retried_all_along() {
    let fails = |rng: &mut SmallRng| rng.random_bool(0.1);
    let load = run(&Budget::new(160), 1_000, 60, fails);
    // A bucket that stops at a half full and pays a tenth of a token for a success gives 0.907.
    assert!(f64::from(load.succeeded) >= 0.998 * f64::from(load.calls), "{load:?}");
}

#[test]
fn an_outage_that_is_over_is_forgotten() {
    let budget = Budget::new(160);
    run(&budget, 1_000, 60, outage);
    assert!(budget.available() < 14);
    run(&budget, 1_000, 1, health);
    assert_eq!(budget.available(), 160);
    assert_eq!(run(&budget, 2, 1, outage).sent, 2 * 3);
}

#[test]
fn a_time_without_traffic_changes_nothing() {
    // Budgets that count what is in flight, or what a window of time has seen, refuse everything
    // once the calls that fail are all asleep, or nobody has called for a while.
    let budget = Budget::new(160);
    let asleep: Vec<_> = (0..5).map(|_| budget.try_spend(false).unwrap()).collect();
    assert!(budget.try_spend(false).is_none());
    drop(asleep);
    assert_eq!(budget.available(), 70);
    assert!(budget.try_spend(false).is_some());
}

#[test]
fn a_thousand_random_cancellations_end_where_a_ledger_says() {
    let mut rng = SmallRng::seed_from_u64(11);
    let budget = Budget::new(160);
    let (mut ledger, mut refused, mut admitted) = (70_u32, 0, 0);
    let mut calls: Vec<(Spent<'_>, bool)> = Vec::new();
    for step in 0..10_000 {
        match rng.random_range(0..6) {
            0 => {
                budget.succeeded();
                ledger = (ledger + 1).min(160);
            }
            1 | 2 => {
                let throttled = rng.random_bool(0.5);
                let cost = if throttled { 5 } else { 14 };
                let spent = budget.try_spend(throttled);
                assert_eq!(spent.is_some(), ledger >= cost, "step {step}");
                match spent {
                    Some(spent) => {
                        (ledger, admitted) = (ledger - cost, admitted + 1);
                        calls.push((spent, false));
                    }
                    None => refused += 1,
                }
            }
            what if !calls.is_empty() => {
                let index = rng.random_range(0..calls.len());
                let (spent, made) = &mut calls[index];
                if what == 3 {
                    spent.made();
                    *made = true;
                    continue;
                }
                let (back, made) = (spent.cost(), *made);
                let (spent, _) = calls.swap_remove(index);
                if what == 4 {
                    spent.succeeded();
                } else {
                    drop(spent);
                }
                if what == 4 || !made {
                    ledger = (ledger + back).min(160);
                }
            }
            _ => {}
        }
        assert_eq!(budget.available(), ledger, "step {step}");
    }
    assert!(refused > 100 && admitted > 1_000, "{refused} {admitted}");
    assert_eq!((budget.refused(), budget.admitted()), (refused, admitted));
}
