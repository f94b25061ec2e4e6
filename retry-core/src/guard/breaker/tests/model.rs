//! A breaker beside a sequential model of it, and a client in virtual time.

use core::time::Duration;
use std::collections::BTreeMap;
use std::time::Instant;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::guard::breaker::Breaker;
use crate::guard::breaker::admission::Admission;
use crate::guard::breaker::state::BreakerState::{self, Closed, HalfOpen, Open};

const S: Duration = Duration::from_secs(1);

/// Opens after 3 failures in a row, for 10 s; 3 probes, of which two decide; leases of 25 s.
struct Model {
    now: Duration,
    /// New with every state, so that results of another count nothing.
    era: u32,
    state: State,
    refused: u64,
}

enum State {
    Closed { failures: u32 },
    Open { until: Duration },
    HalfOpen { failed: u32, succeeded: u32, out: Vec<(u32, Duration)>, next: u32 },
}

/// Which attempt it was, in which era; and of a probe its number.
type Held = (u32, Option<u32>);

impl Model {
    fn enter(&mut self, state: State) {
        self.era += 1;
        self.state = state;
    }

    fn state(&self) -> BreakerState {
        match self.state {
            State::Closed { .. } => Closed,
            State::Open { until } if self.now < until => Open,
            State::Open { .. } | State::HalfOpen { .. } => HalfOpen,
        }
    }

    fn admit(&mut self) -> Option<Held> {
        if let State::Open { until } = self.state {
            if until <= self.now {
                self.enter(State::HalfOpen { failed: 0, succeeded: 0, out: vec![], next: 0 });
            }
        }
        let (era, now) = (self.era, self.now);
        match &mut self.state {
            State::Closed { .. } => return Some((era, None)),
            State::Open { .. } => {}
            State::HalfOpen { failed, succeeded, out, next } => {
                let full = out.len() + (*failed + *succeeded) as usize >= 3;
                let over = out.iter().position(|(_, until)| *until <= now);
                if let (true, Some(over)) = (full, over) {
                    out.remove(over);
                }
                if !full || over.is_some() {
                    *next += 1;
                    out.push((*next, now + 25 * S));
                    return Some((era, Some(*next)));
                }
            }
        }
        self.refused += 1;
        None
    }

    /// It has failed or succeeded, or was dropped.
    fn end(&mut self, (era, probe): Held, fails: Option<bool>) {
        if era != self.era {
            return;
        }
        let until = self.now + 10 * S;
        match (&mut self.state, probe, fails) {
            (State::Closed { failures }, None, Some(true)) => {
                *failures += 1;
                if *failures == 3 {
                    self.enter(State::Open { until });
                }
            }
            (State::Closed { failures }, None, Some(false)) => *failures = 0,
            (State::HalfOpen { failed, succeeded, out, .. }, Some(probe), fails) => {
                let Some(index) = out.iter().position(|(number, _)| *number == probe) else {
                    return;
                };
                out.remove(index);
                match fails {
                    None => {}
                    Some(true) => *failed += 1,
                    Some(false) => *succeeded += 1,
                }
                match (*failed, *succeeded) {
                    (2, _) => self.enter(State::Open { until }),
                    (_, 2) => self.enter(State::Closed { failures: 0 }),
                    _ => {}
                }
            }
            _ => {}
        }
    }
}

#[test]
fn a_thousand_random_cancellations_end_where_a_sequential_model_says() {
    let (mut cancelled, mut probes, mut changes) = (0, 0, 0);
    for seed in 0..20 {
        let mut rng = SmallRng::seed_from_u64(seed);
        let breaker =
            Breaker::consecutive(3).open_for(10 * S).jitter_factor(0.0).probes(3).lease(25 * S);
        let start = Instant::now();
        let mut model =
            Model { now: Duration::ZERO, era: 0, state: State::Closed { failures: 0 }, refused: 0 };
        let mut calls: Vec<(Admission<'_>, Held)> = Vec::new();
        for step in 0..1_000 {
            let now = start + model.now;
            match rng.random_range(0..5) {
                0 => model.now += rng.random_range(0..8) * S,
                1 | 2 => match (breaker.admit(|| now), model.admit()) {
                    (Ok(admission), Some(held)) => {
                        assert_eq!(admission.is_probe(), held.1.is_some(), "{seed} {step}");
                        probes += u32::from(admission.is_probe());
                        calls.push((admission, held));
                    }
                    (Err(_), None) => {}
                    (real, model) => panic!("{seed} {step}: {real:?}, but {model:?}"),
                },
                _ if calls.is_empty() => {}
                what => {
                    let (admission, held) = calls.swap_remove(rng.random_range(0..calls.len()));
                    let fails = (what == 3).then(|| rng.random_bool(0.6));
                    model.end(held, fails);
                    let change = match fails {
                        None => {
                            cancelled += 1;
                            drop(admission);
                            None
                        }
                        Some(fails) => admission.ended(fails, None, || now, || 1.0),
                    };
                    if let Some(change) = change {
                        changes += 1;
                        assert_eq!(change.to, model.state(), "{seed} {step}");
                    }
                }
            }
            assert_eq!(breaker.state(start + model.now), model.state(), "{seed} {step}");
        }
        assert_eq!(breaker.refused(), model.refused, "{seed}");
    }
    // The model has been everywhere.
    assert!(cancelled > 1_000 && probes > 200 && changes > 100, "{cancelled} {probes} {changes}");
}

/// Calls at a steady rate, each with five attempts and delays of 100 ms, 200 ms and so on; an attempt
/// takes 50 ms. `fails` says at which second one fails. How many attempts were sent, and how many
/// calls succeeded.
fn run(breaker: &Breaker, calls: u32, every: Duration, fails: impl Fn(u64) -> bool) -> (u32, u32) {
    let start = Instant::now();
    let mut queue: BTreeMap<(Duration, u32, u32), Option<Admission<'_>>> = BTreeMap::new();
    for call in 0..calls {
        queue.insert((call * every, call, 1), None);
    }
    let (mut sent, mut succeeded) = (0, 0);
    while let Some(((at, call, attempt), admission)) = queue.pop_first() {
        let Some(admission) = admission.or_else(|| breaker.admit(|| start + at).ok()) else {
            continue;
        };
        sent += 1;
        let end = at + S / 20;
        if !fails(end.as_secs()) {
            succeeded += 1;
            admission.ended(false, None, || start + end, || 0.5);
            continue;
        }
        let is_probe = admission.is_probe();
        admission.ended(true, None, || start + end, || 0.5);
        if attempt == 5 || is_probe {
            continue;
        }
        if let Ok(admission) = breaker.admit_retry(start + end) {
            let delay = Duration::from_millis(100) * 2_u32.pow(attempt - 1);
            queue.insert((end + delay, call, attempt + 1), Some(admission));
        }
    }
    (sent, succeeded)
}

#[test]
fn twenty_minutes_of_outage_are_about_forty_requests() {
    let minutes = |n: u32| n * 200;
    let every = S * 60 / 200;
    let breaker = Breaker::consecutive(5).open_for(30 * S);
    let (sent, _) = run(&breaker, minutes(20), every, |_| true);
    assert!((40..=50).contains(&sent), "{sent}");
    // A minute more, in which it is up again: what comes after the last open time succeeds.
    let breaker = Breaker::consecutive(5).open_for(30 * S);
    let (_, succeeded) = run(&breaker, minutes(21), every, |second| second < 20 * 60);
    assert!(succeeded >= minutes(1) / 2, "{succeeded}");
    // What it is measured against.
    let breaker = Breaker::consecutive(u32::MAX);
    assert_eq!(run(&breaker, minutes(20), every, |_| true).0, 20_000);
}

#[test]
fn a_ratio_does_as_well() {
    let breaker = Breaker::ratio(0.5).min_throughput(20);
    let (sent, _) = run(&breaker, 20 * 200, S * 60 / 200, |_| true);
    assert!((60..=70).contains(&sent), "{sent}");
}
