//! The five attempts of 1 + 2 + 4 + 8 s take no time at all under virtual time.

use std::time::Duration;

use retry::{PastAttempt, Report, StopReason, Verdict, record, record_sync, retry, retry_with};

use crate::peer::{Busy, Peer};
use crate::support::polling::finish;
use crate::support::{ms, paused};

#[retry(stop = attempts(5), wait = exponential(1s), sleep = |_| panic!("a real sleep"))]
fn sync(peer: &Peer) -> Result<u32, Busy> {
    peer.ask()
}

#[retry(
    stop = attempts(5),
    wait = exponential(1s),
    sleep = async |_: Duration| panic!("a real sleep"),
)]
async fn with_a_sleep(peer: &Peer) -> Result<u32, Busy> {
    peer.ask()
}

#[retry(stop = attempts(5), wait = exponential(1s))]
async fn with_the_timer(peer: &Peer) -> Result<u32, Busy> {
    peer.ask()
}

fn five_failures() -> Peer {
    Peer::failing([Verdict::Retry; 5])
}

fn assert_fifteen_seconds(reports: &[Report]) {
    let [report] = reports else { panic!("{} calls", reports.len()) };
    assert_eq!((report.reason(), report.attempts()), (StopReason::Attempts, 5));
    assert!(report.delays().eq([1, 2, 4, 8].map(Duration::from_secs)));
    assert!(report.history().iter().map(PastAttempt::number).eq(1..=5));
    assert_eq!(report.waited(), ms(15_000));
    assert!(report.elapsed().unwrap() >= ms(15_000));
}

#[test]
fn a_sync_call_does_not_sleep() {
    let peer = five_failures();
    let (outcome, reports) = record_sync(|| retry_with().virtual_time().sync_scope(|| sync(&peer)));
    assert_eq!(outcome, Err(Busy(Verdict::Retry)));
    assert_fifteen_seconds(&reports);
}

#[test]
fn an_async_call_does_not_call_its_sleep() {
    let peer = five_failures();
    let call = retry_with().virtual_time().scope(with_a_sleep(&peer));
    let (outcome, reports) = finish(record(call));
    assert_eq!(outcome, Err(Busy(Verdict::Retry)));
    assert_fifteen_seconds(&reports);
}

#[test]
fn an_async_call_needs_no_timer() {
    let peer = five_failures();
    // There is none here, and a sleep would panic.
    let call = retry_with().virtual_time().scope(with_the_timer(&peer));
    let (outcome, reports) = finish(record(call));
    assert_eq!(outcome, Err(Busy(Verdict::Retry)));
    assert_fifteen_seconds(&reports);
}

#[test]
fn an_async_call_does_not_move_a_paused_clock() {
    let (peer, also) = (five_failures(), five_failures());
    paused(async {
        let started = tokio::time::Instant::now();
        let (_, reports) = record(retry_with().virtual_time().scope(with_the_timer(&peer))).await;
        assert_eq!(started.elapsed(), Duration::ZERO);
        assert_fifteen_seconds(&reports);
        assert_eq!(reports[0].elapsed(), Some(ms(15_000)));
        // As it does where time is not virtual.
        let (_, reports) = record(with_the_timer(&also)).await;
        assert_eq!(started.elapsed(), ms(15_000));
        assert_fifteen_seconds(&reports);
    });
}
