//! Hooks, the gate, the fallback, resets and what the caller is told.

#![allow(clippy::unwrap_used, clippy::panic)] // a test reports by panicking

use std::cell::RefCell;
use std::time::Duration;

use retry::{Attempt, Report, RetryError, StopReason, Verdict, record_sync, retry, retry_with};

#[derive(Clone, Debug, PartialEq, Eq)]
struct Busy(u32);

/// Fails until it has been called `good` times.
struct Peer {
    calls: u32,
    good: u32,
    log: RefCell<Vec<String>>,
}

impl Peer {
    fn good_at(good: u32) -> Self {
        Self { calls: 0, good, log: RefCell::new(Vec::new()) }
    }

    fn ask(&mut self) -> Result<u32, Busy> {
        self.calls += 1;
        self.note(format!("body {}", self.calls));
        if self.calls >= self.good { Ok(self.calls) } else { Err(Busy(self.calls)) }
    }

    fn note(&self, what: impl Into<String>) {
        self.log.borrow_mut().push(what.into());
    }
}

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

mod order {
    use super::*;

    const RECOVERED: [&str; 10] = [
        "before 1",
        "body 1",
        "after 1",
        "sleep 1 10ms",
        "gate 2",
        "before 2",
        "body 2",
        "after 2",
        "sleep 2 20ms",
        "gate 3",
    ];

    #[retry(
        stop = attempts(3),
        wait = exponential(10ms),
        on = any_error(),
        before = |a| peer.note(format!("before {}", a.number())),
        after = |a, o| { assert!(o.is_err()); peer.note(format!("after {}", a.number())) },
        before_sleep = |a, _| peer.note(format!("sleep {} {:?}", a.number(), a.delay().unwrap())),
        gate = |a| { peer.note(format!("gate {}", a.number())); true },
        on_success = |r, o| peer.note(format!("success {} {o:?}", r.attempts())),
        on_give_up = |r, o| peer.note(format!("gave up {} {o:?}", r.attempts())),
        fallback = |r: &Report, o| { peer.note(format!("fallback {}", r.reason())); o.or(Ok(0)) },
    )]
    fn sync(peer: &mut Peer) -> Result<u32, Busy> {
        peer.ask()
    }

    #[retry(
        stop = attempts(3),
        wait = exponential(10ms),
        on = any_error(),
        before = async |a| peer.note(format!("before {}", a.number())),
        after = |a, o| { assert!(o.is_err()); peer.note(format!("after {}", a.number())) },
        before_sleep = |a: &Attempt, _| async { peer.note(format!("sleep {} {:?}", a.number(), a.delay().unwrap())) },
        gate = async |a| { peer.note(format!("gate {}", a.number())); true },
        on_success = async |r: &Report, o| peer.note(format!("success {} {o:?}", r.attempts())),
        on_give_up = async |r, o| { peer.note(format!("gave up {} {o:?}", r.attempts())) },
        fallback = async |r, o| { peer.note(format!("fallback {}", r.reason())); o.or(Ok(0)) },
    )]
    async fn not_sync(peer: &mut Peer) -> Result<u32, Busy> {
        peer.ask()
    }

    #[test]
    fn a_recovery_runs_every_hook_where_it_is_due() {
        let mut peer = Peer::good_at(3);
        assert_eq!(retry_with().virtual_time().sync_scope(|| sync(&mut peer)), Ok(3));
        let log = peer.log.into_inner();
        assert_eq!(log[..10], RECOVERED);
        assert_eq!(log[10..], ["before 3", "body 3", "success 3 Ok(3)"]);
    }

    #[tokio::test(start_paused = true)]
    async fn an_async_recovery_runs_the_same_hooks() {
        let mut peer = Peer::good_at(3);
        assert_eq!(not_sync(&mut peer).await, Ok(3));
        let log = peer.log.into_inner();
        assert_eq!(log[..10], RECOVERED);
        assert_eq!(log[10..], ["before 3", "body 3", "success 3 Ok(3)"]);
    }

    #[tokio::test(start_paused = true)]
    async fn giving_up_tells_on_give_up_first_and_then_falls_back() {
        let end = ["before 3", "body 3", "after 3", "gave up 3 Err(Busy(3))", "fallback attempts"];
        let mut peer = Peer::good_at(9);
        assert_eq!(retry_with().virtual_time().sync_scope(|| sync(&mut peer)), Ok(0));
        assert_eq!(peer.log.into_inner()[10..], end);
        let mut peer = Peer::good_at(9);
        assert_eq!(not_sync(&mut peer).await, Ok(0));
        assert_eq!(peer.log.into_inner()[10..], end);
    }
}

#[test]
fn a_list_of_hooks_mixes_closures_and_paths_and_runs_in_order() {
    thread_local!(static LOG: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) });
    fn by_path(attempt: &Attempt, outcome: &Result<u32, Busy>) {
        assert!(outcome.is_err());
        LOG.with(|log| log.borrow_mut().push(attempt.number() * 10));
    }
    #[retry(
        stop = attempts(3),
        wait = none(),
        on = any_error(),
        before_sleep = [by_path, |a, _| LOG.with(|log| log.borrow_mut().push(a.number()))],
    )]
    fn call() -> Result<u32, Busy> {
        Err(Busy(0))
    }
    assert!(call().is_err());
    assert_eq!(LOG.take(), [10, 1, 20, 2]);
}

#[test]
fn a_gate_that_says_no_returns_the_real_outcome() {
    #[retry(
        stop = attempts(5),
        wait = fixed(10ms),
        on = any_error(),
        gate = |attempt| attempt.number() < 3,
    )]
    fn call(peer: &mut Peer) -> Result<u32, RetryError<Busy>> {
        peer.ask()
    }
    let mut peer = Peer::good_at(9);
    let error = retry_with().virtual_time().sync_scope(|| call(&mut peer)).unwrap_err();
    assert_eq!((error.reason, error.attempts, error.source), (StopReason::Gate, 2, Some(Busy(2))));
    assert_eq!(error.elapsed.unwrap().as_millis(), 20);
}

#[test]
fn a_healthy_attempt_starts_count_and_backoff_anew() {
    #[retry(
        stop = attempts(3),
        wait = exponential(10ms),
        on = any_error(),
        reset = |attempt, outcome| attempt.number() == 2 && outcome.is_err(),
    )]
    fn call(peer: &mut Peer) -> Result<u32, Busy> {
        peer.ask()
    }
    let mut peer = Peer::good_at(9);
    let (_, reports) = record_sync(|| retry_with().virtual_time().sync_scope(|| call(&mut peer)));
    let delays: Vec<_> = reports[0].delays().collect();
    assert_eq!(delays, [ms(10), ms(10), ms(20)]);
    assert_eq!(reports[0].attempts(), 4);
}

#[test]
fn what_the_body_says_is_heard_before_on() {
    #[retry(stop = attempts(9), wait = none(), on = any_error())]
    fn call(peer: &mut Peer) -> Result<u32, Busy> {
        let result = peer.ask();
        match peer.calls {
            2 => retry::current().unwrap().overrule(Verdict::Final),
            _ => retry::current().unwrap().overrule(Verdict::Retry),
        }
        result
    }
    let mut peer = Peer::good_at(1);
    assert_eq!(call(&mut peer), Ok(2));
}
