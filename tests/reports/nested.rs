//! Calls inside calls, beside each other, and after each other: each has a report of its own.

#![allow(clippy::result_large_err)] // an error in an error

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use retry::{Report, RetryError, StopReason, Verdict, record, record_sync, retry, retry_with};

use crate::peer::{Busy, Peer};
use crate::support::{ms, paused};

const RETRY: Verdict = Verdict::Retry;

#[retry(stop = attempts(3), wait = fixed(10ms), name = "inner")]
fn inner(peer: &Peer) -> Result<u32, RetryError<Busy>> {
    peer.ask()
}

#[retry(
    stop = attempts(2),
    wait = fixed(1s),
    name = "outer",
    on_give_up = |report, _| peer.tell(false, report),
)]
fn outer(peer: &Peer) -> Result<u32, RetryError<RetryError<Busy>>> {
    inner(peer)
}

#[retry(stop = attempts(3), wait = fixed(10ms), name = "inner")]
async fn async_inner(peer: &Peer) -> Result<u32, RetryError<Busy>> {
    peer.ask()
}

#[retry(
    stop = attempts(2),
    wait = fixed(1s),
    name = "outer",
    on_give_up = |report, _| peer.tell(false, report),
)]
async fn async_outer(peer: &Peer) -> Result<u32, RetryError<RetryError<Busy>>> {
    async_inner(peer).await
}

fn assert_nested(
    outcome: Result<u32, RetryError<RetryError<Busy>>>,
    reports: &[Report],
    told: &[(bool, Report)],
) {
    let seen: Vec<_> = reports.iter().map(|r| (r.name(), r.attempts(), r.waited())).collect();
    // In the order in which they end.
    assert_eq!(seen, [("inner", 3, ms(20)), ("inner", 3, ms(20)), ("outer", 2, ms(1_000))]);
    // The time of an inner call passes in the attempt around it.
    assert!(reports[2].history().iter().all(|attempt| attempt.duration().unwrap() >= ms(20)));
    assert!(reports[2].elapsed().unwrap() >= ms(1_040));
    let error = outcome.unwrap_err();
    assert_eq!((error.name(), error.attempts), ("outer", 2));
    let source = error.into_source().unwrap();
    assert_eq!((source.name(), source.attempts), ("inner", 3));
    assert_eq!(source.history, reports[1].history());
    assert_eq!(told, [(false, reports[2].clone())]);
}

#[test]
fn a_call_in_a_call_is_reported_first_each_time() {
    let peer = Peer::failing([RETRY; 9]);
    let (outcome, reports) =
        record_sync(|| retry_with().virtual_time().sync_scope(|| outer(&peer)));
    assert_nested(outcome, &reports, &peer.told());
}

#[test]
fn an_async_call_in_a_call_is_reported_first_each_time() {
    let peer = Peer::failing([RETRY; 9]);
    let (outcome, reports) = paused(record(async_outer(&peer)));
    assert_nested(outcome, &reports, &peer.told());
}

#[test]
fn a_recording_in_a_recording_sees_its_own_part_and_both_see_it_alike() {
    let peer = Peer::failing([]);
    let ((one, two), all) = record_sync(|| {
        let ((), one) = record_sync(|| drop(inner(&peer)));
        let ((), two) = record_sync(|| drop((inner(&peer), inner(&peer))));
        assert!(inner(&peer).is_ok());
        (one, two)
    });
    assert_eq!((one.len(), two.len(), all.len()), (1, 2, 4));
    assert_eq!(all[..1], one);
    assert_eq!(all[1..3], two);
}

#[test]
fn what_is_called_before_and_after_a_recording_is_not_in_it() {
    let peer = Peer::failing([]);
    assert!(inner(&peer).is_ok());
    let ((), reports) = record_sync(|| ());
    assert!(inner(&peer).is_ok());
    assert_eq!(reports, []);
    // Nor are those of another thread.
    let ((), reports) = record_sync(|| {
        std::thread::scope(|scope| drop(scope.spawn(|| inner(&Peer::failing([])).is_ok())));
    });
    assert_eq!(reports, []);
}

#[test]
fn calls_side_by_side_do_not_mix() {
    let verdicts = [RETRY, RETRY.retry_after(ms(25)), RETRY.retry_after(ms(5))];
    let (busy, busier, never) =
        (Peer::failing([verdicts[0]]), Peer::failing(verdicts), Peer::failing([]));
    let all = async { tokio::join!(async_inner(&busier), async_inner(&busy), async_inner(&never)) };
    let (outcomes, reports) = paused(record(all));
    assert_eq!((outcomes.1.ok(), outcomes.2.ok()), (Some(7), Some(7)));
    let error = outcomes.0.unwrap_err();
    let delays: Vec<Vec<_>> = reports.iter().map(|report| report.delays().collect()).collect();
    assert_eq!(delays, [vec![], vec![ms(10)], vec![ms(10), ms(25)]]);
    let seen: Vec<_> = reports.iter().map(|r| (r.attempts(), r.elapsed().unwrap())).collect();
    assert_eq!(seen, [(1, ms(0)), (2, ms(10)), (3, ms(35))]);
    assert_eq!(reports[2].reason(), StopReason::Attempts);
    assert_eq!(error.history, reports[2].history());
}

#[test]
fn a_call_that_panics_is_not_reported_and_the_next_one_is() {
    #[retry(stop = attempts(3), wait = none(), on = any_error())]
    fn panics(peer: &Peer) -> Result<u32, Busy> {
        peer.ask().map(|_| resume_unwind(Box::new("a panic")))
    }
    let ((), reports) = record_sync(|| {
        let peer = Peer::failing([RETRY]);
        assert!(catch_unwind(AssertUnwindSafe(|| panics(&peer))).is_err());
        assert!(inner(&Peer::failing([RETRY, RETRY.now()])).is_ok());
    });
    let seen: Vec<_> = reports.iter().map(|r| (r.name(), r.attempts())).collect();
    assert_eq!(seen, [("inner", 3)]);
}
