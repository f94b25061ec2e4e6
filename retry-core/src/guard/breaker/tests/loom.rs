//! Every order in which threads can meet.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use core::time::Duration;
use std::sync::Arc;
use std::time::Instant;

use ::loom::{model, thread};

use crate::guard::breaker::Breaker;
use crate::guard::breaker::state::BreakerState::{Closed, HalfOpen, Open};
use crate::guard::breaker::state::Change;
use crate::sync::lock;

const S: Duration = Duration::from_secs(1);

/// Made inside a model, and used before its threads start: closed at `now`.
fn breaker(breaker: Breaker, now: Instant) -> Arc<Breaker> {
    let breaker = breaker.open_for(10 * S).jitter_factor(0.0);
    assert_eq!((breaker.refused(), breaker.opened(), breaker.until.load(Relaxed)), (0, 0, 0));
    assert!(!breaker.tally.has_failures(0));
    drop(lock(&breaker.inner));
    drop(breaker.admit(|| now));
    Arc::new(breaker)
}

/// The same, opened at `now`.
fn open(settings: Breaker, now: Instant) -> Arc<Breaker> {
    let breaker = breaker(settings, now);
    assert_eq!(breaker.admit(|| now).unwrap().failed(now).unwrap().to, Open);
    breaker
}

fn changes(here: Option<Change>, there: Option<Change>) -> usize {
    here.into_iter().chain(there).count()
}

/// A call with a single attempt that succeeds: whether it was a probe, if it was made.
fn succeed(breaker: &Breaker, now: Instant) -> Option<bool> {
    let admission = breaker.admit(|| now).ok()?;
    let is_probe = admission.is_probe();
    assert_eq!(admission.succeeded(None, || now).is_some(), is_probe);
    Some(is_probe)
}

#[test]
fn loom_open_half_open_and_closed_by_one_probe() {
    let now = Instant::now();
    model(move || {
        let breaker = open(Breaker::consecutive(1), now);
        let later = now + 10 * S;
        let other = thread::spawn({
            let breaker = breaker.clone();
            move || succeed(&breaker, later)
        });
        let here = succeed(&breaker, later);
        let there = other.join().unwrap();
        // The other one was refused, or came when it was closed again.
        assert!((here == Some(true)) != (there == Some(true)), "{here:?} {there:?}");
        assert_eq!(breaker.state(later), Closed);
        assert_eq!(breaker.refused(), u64::from(here.is_none() || there.is_none()));
    });
}

#[test]
fn loom_a_probe_dropped_at_every_step_leaves_room_for_the_next() {
    let now = Instant::now();
    // Dropped, failed, succeeded.
    for end in 0..3 {
        model(move || {
            let breaker = open(Breaker::consecutive(1), now);
            let (later, out) = (now + 10 * S, Arc::new(AtomicU32::new(0)));
            let probe = {
                let (breaker, out) = (breaker.clone(), out.clone());
                move |end| {
                    let Ok(probe) = breaker.admit(|| later) else { return };
                    if !probe.is_probe() {
                        return;
                    }
                    assert_eq!(out.fetch_add(1, Relaxed), 0, "two probes at once");
                    thread::yield_now();
                    out.fetch_sub(1, Relaxed);
                    match end {
                        0 => drop(probe),
                        1 => assert_eq!(probe.failed(later).unwrap().to, Open),
                        _ => assert_eq!(probe.succeeded(None, || later).unwrap().to, Closed),
                    }
                }
            };
            let other = thread::spawn({
                let probe = probe.clone();
                move || probe(0)
            });
            probe(end);
            other.join().unwrap();
            match breaker.state(later) {
                HalfOpen => assert!(breaker.admit(|| later).unwrap().is_probe()),
                Open => assert!(end == 1 && breaker.admit(|| later).is_err()),
                Closed => assert!(end == 2 && !breaker.admit(|| later).unwrap().is_probe()),
            }
        });
    }
}

#[test]
fn loom_failures_in_a_row_open_it_once() {
    let now = Instant::now();
    model(move || {
        let breaker = breaker(Breaker::consecutive(2), now);
        let other = thread::spawn({
            let breaker = breaker.clone();
            move || breaker.admit(|| now).unwrap().failed(now)
        });
        let here = breaker.admit(|| now).unwrap().failed(now);
        let there = other.join().unwrap();
        assert_eq!((changes(here, there), breaker.opened()), (1, 1));
        assert_eq!(breaker.state(now), Open);
    });
}

#[test]
fn loom_of_two_failures_that_meet_one_sees_the_share_of_both() {
    let now = Instant::now();
    model(move || {
        let breaker = breaker(Breaker::ratio(1.0).min_throughput(2), now);
        let other = thread::spawn({
            let breaker = breaker.clone();
            move || breaker.admit(|| now).unwrap().failed(now)
        });
        let here = breaker.admit(|| now).unwrap().failed(now);
        let there = other.join().unwrap();
        assert_eq!((changes(here, there), breaker.opened()), (1, 1));
    });
}

#[test]
fn loom_a_result_from_before_the_break_counts_nothing_after_it() {
    let now = Instant::now();
    for fails in [false, true] {
        model(move || {
            let breaker = breaker(Breaker::ratio(1.0).min_throughput(2), now);
            let other = thread::spawn({
                let breaker = breaker.clone();
                move || {
                    let late = breaker.admit(|| now).unwrap();
                    let is_late = breaker.stand().generation == 0;
                    (is_late, late.ended(fails, None, || now, || 1.0))
                }
            });
            breaker.close();
            let here = breaker.admit(|| now).unwrap().failed(now);
            let (is_late, there) = other.join().unwrap();
            let changes = changes(here, there);
            if is_late {
                // Of two failures needed there is one.
                assert_eq!(changes, 0);
                assert_eq!(breaker.admit(|| now).unwrap().failed(now).unwrap().to, Open);
            } else if !fails {
                assert_eq!(changes, 0);
            }
        });
    }
}

#[test]
fn loom_a_lease_is_taken_over_by_one_or_the_probe_still_counts() {
    let now = Instant::now();
    model(move || {
        let breaker = open(Breaker::consecutive(1).lease(S), now);
        let later = now + 11 * S;
        let out = breaker.clone();
        let hung = out.admit(|| now + 10 * S).unwrap();
        let other = thread::spawn({
            let breaker = breaker.clone();
            move || breaker.admit(|| later).map(|next| next.is_probe()).unwrap()
        });
        let closed = hung.succeeded(None, || later).is_some();
        let taken_over = other.join().unwrap();
        assert!(closed != taken_over);
        assert_eq!(breaker.state(later), if closed { Closed } else { HalfOpen });
        assert!(breaker.admit(|| later).is_ok());
    });
}
