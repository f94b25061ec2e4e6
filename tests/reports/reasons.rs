//! The reasons for which a policy ends a call, and what is reported with each.
//!
//! Each case is four functions, sync and async: two that nobody but `record` watches, and two with
//! hooks and a `RetryError`, which make their reports in another way.

use std::future::{Future, pending, poll_fn};
use std::task::Poll;
use std::time::{Duration, Instant};

use retry::{
    PastAttempt, Report, RetryError, StopReason, Verdict, record, record_sync, retry, retry_with,
};

use crate::peer::{Busy, Peer};
use crate::support::{ms, paused};

const FINAL: Verdict = Verdict::Final;
const RETRY: Verdict = Verdict::Retry;
const AMBIGUOUS: Verdict = Verdict::Ambiguous;

/// What a call did, seen from everywhere it can be seen from.
struct Ran {
    how: &'static str,
    report: Report,
    outcome: Result<u32, Option<RetryError<Busy>>>,
    told: Vec<(bool, Report)>,
    /// By how much its times may be longer: the real time it took.
    slack: Duration,
}

fn ran_sync(how: &'static str, peer: Peer, call: impl FnOnce(&Peer) -> Outcome) -> Ran {
    let started = Instant::now();
    let (outcome, mut reports) =
        record_sync(|| retry_with().virtual_time().sync_scope(|| call(&peer)));
    let slack = started.elapsed();
    assert_eq!(reports.len(), 1, "{how}");
    Ran { how, report: reports.remove(0), outcome, told: peer.told(), slack }
}

fn ran_async(how: &'static str, peer: Peer, call: impl AsyncFnOnce(&Peer) -> Outcome) -> Ran {
    let (outcome, mut reports) = paused(record(call(&peer)));
    assert_eq!(reports.len(), 1, "{how}");
    Ran { how, report: reports.remove(0), outcome, told: peer.told(), slack: Duration::ZERO }
}

/// The error with what is around it, if there is anything.
type Outcome = Result<u32, Option<RetryError<Busy>>>;

macro_rules! case {
    ($name:ident: $($keys:tt)*) => {
        mod $name {
            use super::*;

            #[retry($($keys)*)]
            fn plain(peer: &Peer) -> Result<u32, Busy> {
                peer.ask()
            }

            #[retry($($keys)*)]
            async fn async_plain(peer: &Peer) -> Result<u32, Busy> {
                peer.ask()
            }

            #[retry(
                $($keys)*,
                on_success = |report, _| peer.tell(true, report),
                on_give_up = |report, _| peer.tell(false, report),
            )]
            fn watched(peer: &Peer) -> Result<u32, RetryError<Busy>> {
                peer.ask()
            }

            #[retry(
                $($keys)*,
                on_success = |report, _| peer.tell(true, report),
                on_give_up = |report, _| peer.tell(false, report),
            )]
            async fn async_watched(peer: &Peer) -> Result<u32, RetryError<Busy>> {
                peer.ask()
            }

            pub(super) fn run<const N: usize>(verdicts: [Verdict; N]) -> [Ran; 4] {
                let peer = || Peer::failing(verdicts);
                [
                    ran_sync("plain", peer(), |peer| plain(peer).map_err(|_| None)),
                    ran_sync("watched", peer(), |peer| watched(peer).map_err(Some)),
                    ran_async("async plain", peer(), async |peer| {
                        async_plain(peer).await.map_err(|_| None)
                    }),
                    ran_async("async watched", peer(), async |peer| {
                        async_watched(peer).await.map_err(Some)
                    }),
                ]
            }
        }
    };
}

/// Verdict by verdict, with the delay that followed.
type History<'a> = &'a [(Verdict, Option<Duration>)];

fn assert_all(runs: [Ran; 4], reason: StopReason, history: History) {
    for Ran { how, report, outcome, told, slack } in runs {
        let is_async = how.starts_with("async");
        assert_eq!(report.reason(), reason, "{how}");
        assert_eq!(report.is_success(), reason == StopReason::Success, "{how}");
        assert_eq!(report.attempts() as usize, history.len(), "{how}");
        let waited: Duration = history.iter().filter_map(|(_, delay)| *delay).sum();
        assert_eq!(report.waited(), waited, "{how}");
        assert!(report.delays().eq(history.iter().filter_map(|(_, delay)| *delay)), "{how}");
        let elapsed = report.elapsed().unwrap();
        assert!(elapsed >= waited && elapsed <= waited + slack, "{how}: {elapsed:?}");
        let past: Vec<_> = report.history().iter().map(|a| (a.verdict(), a.delay())).collect();
        assert_eq!(past, history, "{how}");
        assert!(
            report.history().iter().map(PastAttempt::number).eq(1..=report.attempts()),
            "{how}"
        );
        let took: Duration = report.history().iter().map(|a| a.duration().unwrap()).sum();
        assert!(took <= slack, "{how}: {took:?}");

        let path = concat!(module_path!(), "::");
        let name = report.name().strip_prefix(path).unwrap().split_once("::").unwrap().1;
        assert_eq!(name.replace('_', " "), how);
        assert_eq!(name.starts_with("async"), is_async);

        match (how.ends_with("watched"), reason) {
            (true, StopReason::Disabled) | (false, _) => assert!(told.is_empty(), "{how}"),
            (true, _) => assert_eq!(told, [(report.is_success(), report.clone())], "{how}"),
        }
        if let Err(Some(error)) = outcome {
            assert!(how.ends_with("watched"));
            assert_eq!(error.name(), report.name());
            assert_eq!((error.reason, error.attempts), (reason, report.attempts()), "{how}");
            assert_eq!(error.elapsed, report.elapsed(), "{how}");
            assert_eq!(error.history, report.history(), "{how}");
            assert!(error.source.is_some(), "{how}");
        } else if how.ends_with("watched") {
            assert_eq!(outcome, Ok(7));
        }
    }
}

case!(simple: stop = attempts(3), wait = exponential(10ms));

#[test]
fn a_first_success_is_a_success_of_one_attempt() {
    assert_all(simple::run([]), StopReason::Success, &[(FINAL, None)]);
}

#[test]
fn a_recovery_is_a_success_with_its_failures_before_it() {
    let history = [(RETRY, Some(ms(10))), (RETRY, Some(ms(20))), (FINAL, None)];
    assert_all(simple::run([RETRY, RETRY]), StopReason::Success, &history);
}

#[test]
fn a_failure_that_is_final_is_permanent() {
    assert_all(simple::run([FINAL]), StopReason::Permanent, &[(FINAL, None)]);
    let history = [(RETRY, Some(ms(10))), (FINAL, None)];
    assert_all(simple::run([RETRY, FINAL]), StopReason::Permanent, &history);
}

#[test]
fn a_failure_that_may_have_taken_effect_is_ambiguous() {
    assert_all(simple::run([AMBIGUOUS]), StopReason::Ambiguous, &[(AMBIGUOUS, None)]);
    let history = [(RETRY, Some(ms(10))), (AMBIGUOUS, None)];
    assert_all(simple::run([RETRY, AMBIGUOUS]), StopReason::Ambiguous, &history);
}

#[test]
fn the_last_of_its_attempts_ends_a_call_for_that_reason() {
    let history = [(RETRY, Some(ms(10))), (RETRY, Some(ms(20))), (RETRY, None)];
    assert_all(simple::run([RETRY; 3]), StopReason::Attempts, &history);
}

case!(in_time: stop = attempts(9) | within(70ms), wait = exponential(10ms));
case!(until_then: stop = attempts(9) | until(Instant::now()), wait = fixed(1s));
case!(elapsed_time: stop = attempts(9) | elapsed(5s), wait = fixed(5s));

#[test]
fn a_limit_in_time_ends_a_call_for_that_reason() {
    // 10 + 20 + 40 ms are no less than 70.
    let history = [(RETRY, Some(ms(10))), (RETRY, Some(ms(20))), (RETRY, None)];
    assert_all(in_time::run([RETRY; 9]), StopReason::Time, &history);
    assert_all(until_then::run([RETRY; 9]), StopReason::Time, &[(RETRY, None)]);
    let history = [(RETRY, Some(ms(5_000))), (RETRY, None)];
    assert_all(elapsed_time::run([RETRY; 9]), StopReason::Time, &history);
}

case!(hinted: stop = attempts(9), wait = fixed(10ms), max_hint = 1s);
case!(hinted_in_time: stop = attempts(9) | within(20s), wait = fixed(10ms));

#[test]
fn a_hint_that_is_too_long_ends_a_call_for_that_reason() {
    let (short, long) = (RETRY.retry_after(ms(1_000)), RETRY.retry_after(ms(1_001)));
    let history = [(short, Some(ms(1_000))), (long, None)];
    assert_all(hinted::run([short, long]), StopReason::HintTooLong, &history);
    let history = [(RETRY.retry_after(ms(3_600_000)), None)];
    assert_all(hinted_in_time::run([history[0].0]), StopReason::HintTooLong, &history);
}

case!(gated: stop = attempts(9), wait = fixed(10ms), gate = |attempt, _| attempt.number() < 3);

#[test]
fn a_gate_that_says_no_ends_a_call_after_the_pause() {
    let history = [(RETRY, Some(ms(10))), (RETRY, Some(ms(10)))];
    assert_all(gated::run([RETRY; 9]), StopReason::Gate, &history);
}

case!(own: stop = |state: &retry::State| state.attempt() == 2, wait = fixed(10ms), forever);

#[test]
fn a_strategy_of_ones_own_ends_a_call_for_no_reason_but_that() {
    assert_all(own::run([RETRY; 9]), StopReason::Custom, &[(RETRY, Some(ms(10))), (RETRY, None)]);
}

case!(disabled: stop = attempts(9), wait = fixed(10ms), enabled = false);

#[test]
fn a_call_that_is_disabled_says_so_whatever_came_of_it() {
    assert_all(disabled::run([RETRY; 9]), StopReason::Disabled, &[(FINAL, None)]);
    assert_all(disabled::run([FINAL]), StopReason::Disabled, &[(FINAL, None)]);
    assert_all(disabled::run([]), StopReason::Disabled, &[(FINAL, None)]);
}

/// Two failures, then an attempt that never ends.
#[retry(
    stop = attempts(9),
    wait = fixed(10ms),
    on_success = |report, _| peer.tell(true, report),
    on_give_up = |report, _| peer.tell(false, report),
)]
async fn hanging(peer: &Peer) -> Result<u32, RetryError<Busy>> {
    peer.ask()?;
    pending().await
}

/// Sleeps after its failure for as long as anybody waits.
#[retry(
    stop = attempts(9),
    wait = fixed(1h),
    on_success = |report, _| peer.tell(true, report),
    on_give_up = |report, _| peer.tell(false, report),
)]
async fn sleeping(peer: &Peer) -> Result<u32, RetryError<Busy>> {
    peer.ask()
}

async fn dropped_after<T>(time: Duration, call: impl Future<Output = T>) -> Report {
    let ((), mut reports) = record(async {
        tokio::select! {
            biased;
            _ = call => panic!("it ends"),
            () = tokio::time::sleep(time) => {}
        }
    })
    .await;
    assert_eq!(reports.len(), 1);
    reports.remove(0)
}

#[test]
fn a_call_dropped_in_an_attempt_reports_that_attempt_as_made_and_not_as_ended() {
    let peer = Peer::failing([RETRY, RETRY]);
    let report = paused(dropped_after(ms(50), hanging(&peer)));
    assert_eq!((report.reason(), report.attempts()), (StopReason::Cancelled, 3));
    assert_eq!((report.waited(), report.elapsed()), (ms(20), Some(ms(50))));
    let past: Vec<_> = report.history().iter().map(|a| (a.number(), a.delay())).collect();
    assert_eq!(past, [(1, Some(ms(10))), (2, Some(ms(10)))]);
    assert_eq!(peer.told(), []);
}

#[test]
fn a_call_dropped_in_its_first_attempt_has_made_one() {
    let peer = Peer::failing([]);
    let report = paused(dropped_after(ms(50), hanging(&peer)));
    assert_eq!((report.reason(), report.attempts()), (StopReason::Cancelled, 1));
    assert_eq!((report.waited(), report.elapsed()), (Duration::ZERO, Some(ms(50))));
    assert_eq!(report.history(), []);
}

#[test]
fn a_call_dropped_in_a_pause_reports_no_attempt_after_it_and_not_the_pause_as_waited() {
    let peer = Peer::failing([RETRY]);
    let report = paused(dropped_after(ms(50), sleeping(&peer)));
    assert_eq!((report.reason(), report.attempts()), (StopReason::Cancelled, 1));
    assert_eq!((report.waited(), report.elapsed()), (Duration::ZERO, Some(ms(50))));
    let past: Vec<_> = report.history().iter().map(|a| (a.number(), a.delay())).collect();
    assert_eq!(past, [(1, Some(ms(3_600_000)))]);
    assert_eq!(peer.told(), []);
}

#[test]
fn a_call_that_is_never_polled_reports_nothing() {
    let peer = Peer::failing([]);
    let ((), reports) = record_sync(|| drop(hanging(&peer)));
    assert_eq!(reports, []);
}

#[test]
fn a_call_that_outlives_its_recording_is_not_in_it() {
    let peer = Peer::failing([]);
    let mut call = Box::pin(hanging(&peer));
    let once = poll_fn(|cx| Poll::Ready(call.as_mut().poll(cx).is_pending()));
    let (is_pending, reports) = paused(record(once));
    assert_eq!((is_pending, reports), (true, vec![]));
    let ((), reports) = record_sync(|| drop(call));
    // It belongs where it began, and nobody is left to read that.
    assert_eq!(reports, []);
    assert_eq!(peer.told(), []);
}
