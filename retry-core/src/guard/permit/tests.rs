#![allow(clippy::unwrap_used)] // a test that cannot go on should say where

use core::cell::Cell;
use std::time::Instant;

use super::*;
use crate::guard::breaker::Breaker;
use crate::guard::breaker::state::BreakerState::{Closed, HalfOpen, Open};
use crate::guard::budget::Budget;
use crate::guard::permit::breaker::Admitted;
use crate::guard::permit::budget::Budgeted;

const S: Duration = Duration::from_secs(1);

type Both<'a> = (Admitted<'a>, Budgeted<'a>);

struct Bench {
    breaker: Breaker,
    budget: Budget,
    now: Cell<Instant>,
}

impl Bench {
    fn new() -> Self {
        let breaker = Breaker::consecutive(3).open_for(10 * S).jitter_factor(0.0);
        Self { breaker, budget: Budget::new(70), now: Cell::new(Instant::now()) }
    }

    fn call(&self) -> Both<'_> {
        (Admitted::new(&self.breaker), Budgeted::new(&self.budget))
    }

    fn enter(&self, call: &mut Both<'_>) -> Result<Option<Change>, Denied> {
        call.enter(|| self.now.get())
    }

    fn attempt(&self, call: &mut Both<'_>, fails: bool) -> Option<Change> {
        call.starts();
        call.attempted(fails, None, || self.now.get(), || 1.0)
    }

    fn retry(&self, call: &mut Both<'_>) -> Result<(), Denied> {
        call.retry(false, || self.now.get())
    }

    /// Open for ten seconds from now on, by a call with three attempts.
    fn open(&self) {
        let mut call = self.call();
        assert_eq!(self.enter(&mut call), Ok(None));
        assert_eq!(self.attempt(&mut call, true), None);
        for opens in [false, true] {
            assert_eq!(self.retry(&mut call), Ok(()));
            assert_eq!(self.attempt(&mut call, true).is_some(), opens);
        }
        assert_eq!(self.retry(&mut call).unwrap_err().reason, StopReason::BreakerOpen);
        call.ended(StopReason::BreakerOpen);
        assert_eq!(self.breaker.state(self.now.get()), Open);
    }
}

#[test]
fn a_first_success_asks_neither_for_the_time_nor_for_tokens() {
    let bench = Bench::new();
    assert_eq!(bench.breaker.admit(|| bench.now.get()).map(drop), Ok(()));
    let never = || -> Instant { unreachable!("nobody needs the time") };
    let mut call = bench.call();
    assert_eq!(call.enter(never), Ok(None));
    call.starts();
    assert_eq!(call.attempted(false, None, never, || unreachable!("nor a random number")), None);
    call.ended(StopReason::Success);
    assert_eq!((bench.budget.available(), bench.budget.admitted()), (70, 0));
    assert!(!call.measures());
}

#[test]
fn a_success_after_retries_gives_back_what_the_last_one_took() {
    let bench = Bench::new();
    let mut call = bench.call();
    bench.enter(&mut call).unwrap();
    for left in [56, 42] {
        bench.attempt(&mut call, true);
        bench.retry(&mut call).unwrap();
        assert_eq!(bench.budget.available(), left);
    }
    bench.attempt(&mut call, false);
    call.ended(StopReason::Success);
    assert_eq!(bench.budget.available(), 56);
    // The row of failures has ended too.
    let mut next = bench.call();
    bench.enter(&mut next).unwrap();
    assert_eq!(bench.attempt(&mut next, true), None);
}

#[test]
fn a_call_that_gives_up_gives_nothing_back() {
    let bench = Bench::new();
    bench.open();
    assert_eq!((bench.budget.available(), bench.budget.refused()), (70 - 28, 0));
}

#[test]
fn a_call_cancelled_during_the_sleep_gives_back_the_retry_that_was_not_made() {
    for told in [false, true] {
        let bench = Bench::new();
        let mut call = bench.call();
        bench.enter(&mut call).unwrap();
        bench.attempt(&mut call, true);
        bench.retry(&mut call).unwrap();
        assert_eq!(bench.budget.available(), 56);
        if told {
            call.ended(StopReason::Cancelled);
        } else {
            drop(call);
        }
        assert_eq!(bench.budget.available(), 70);
    }
}

#[test]
fn where_the_budget_denies_the_breaker_keeps_nothing() {
    let bench = Bench::new();
    while let Some(mut spent) = bench.budget.try_spend(true) {
        spent.made();
    }
    let mut call = bench.call();
    bench.enter(&mut call).unwrap();
    bench.attempt(&mut call, true);
    let denied = bench.retry(&mut call).unwrap_err();
    assert_eq!(denied, Denied { reason: StopReason::Budget, retry_after: None });
    call.ended(StopReason::Budget);
    assert_eq!((bench.breaker.state(bench.now.get()), bench.breaker.refused()), (Closed, 0));
}

#[test]
fn where_the_breaker_denies_no_token_is_taken() {
    let bench = Bench::new();
    bench.open();
    let left = bench.budget.available();
    let denied = bench.enter(&mut bench.call()).unwrap_err();
    assert_eq!(denied, Denied { reason: StopReason::BreakerOpen, retry_after: Some(10 * S) });
    assert_eq!((bench.budget.available(), bench.budget.refused()), (left, 0));
}

#[test]
fn a_probe_is_the_only_attempt_of_its_call() {
    let bench = Bench { breaker: Breaker::consecutive(3).probes(3), ..Bench::new() };
    bench.open();
    bench.now.set(bench.now.get() + 30 * S);
    let mut call = bench.call();
    assert_eq!(bench.enter(&mut call).unwrap().unwrap().to, HalfOpen);
    assert_eq!(bench.attempt(&mut call, true), None);
    // Neither while it is half-open, nor after others have closed it.
    for state in [HalfOpen, Closed] {
        assert_eq!(bench.retry(&mut call).unwrap_err().reason, StopReason::BreakerOpen);
        for _ in 0..2 {
            let mut other = bench.call();
            bench.enter(&mut other).unwrap();
            bench.attempt(&mut other, false);
            other.ended(StopReason::Success);
        }
        assert_eq!(bench.breaker.state(bench.now.get()), Closed, "after {state}");
    }
}

#[test]
fn a_probe_that_is_dropped_frees_its_slot() {
    let bench = Bench::new();
    bench.open();
    bench.now.set(bench.now.get() + 10 * S);
    let mut call = bench.call();
    assert_eq!(bench.enter(&mut call).unwrap().unwrap().to, HalfOpen);
    call.starts();
    assert!(bench.enter(&mut bench.call()).is_err());
    drop(call);
    let mut next = bench.call();
    assert_eq!(bench.enter(&mut next), Ok(None));
    assert_eq!(bench.attempt(&mut next, false).unwrap().to, Closed);
}

#[test]
fn what_measures_is_asked_of_each() {
    let (quick, slow) = (Breaker::consecutive(1), Breaker::consecutive(1).slow_after(S));
    assert!(!().measures());
    assert!(((), Admitted::new(&slow)).measures());
    assert!((Admitted::new(&slow), ()).measures());
    assert!(!(Admitted::new(&quick), ()).measures());
    let now = Instant::now();
    let mut call = ((), Admitted::new(&slow));
    call.enter(|| now).unwrap();
    assert_eq!(call.attempted(false, Some(S), || now, || 1.0).unwrap().to, Open);
}
