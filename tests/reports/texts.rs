//! The texts of reports and errors, word for word.

use std::error::Error;

use retry::{Report, RetryError, StopReason, Verdict, record, retry, retry_with};

use crate::peer::{Busy, Peer};
use crate::support::{ms, paused};

const RETRY: Verdict = Verdict::Retry;

#[retry(
    stop = attempts(5) | within(1m) | when(|state| state.attempt() >= most),
    wait = exponential(1s),
    gate = |attempt, _| attempt.number() < gate,
    name = "fetch",
)]
async fn fetch(peer: &Peer, most: u32, gate: u32) -> Result<u32, RetryError<Busy>> {
    peer.ask()
}

/// The error, and the report of the same call.
fn failed<const N: usize>(
    verdicts: [Verdict; N],
    most: u32,
    gate: u32,
) -> (RetryError<Busy>, Report) {
    let peer = Peer::failing(verdicts);
    let (outcome, mut reports) = paused(record(fetch(&peer, most, gate)));
    (outcome.unwrap_err(), reports.remove(0))
}

#[test]
fn an_error_says_what_failed_how_often_and_why_it_stopped() {
    let retry = RETRY;
    let texts = [
        (failed([retry; 5], 9, 9), "`fetch` failed after 5 attempts in 15.0s: no attempts left"),
        (
            failed([retry, Verdict::Final], 9, 9),
            "`fetch` failed after 2 attempts in 1.0s: another attempt would not change the outcome",
        ),
        (
            failed([Verdict::Final], 9, 9),
            "`fetch` failed after 1 attempt in 0.0ns: another attempt would not change the outcome",
        ),
        (
            failed([retry, Verdict::Ambiguous], 9, 9),
            "`fetch` failed after 2 attempts in 1.0s: the attempt may have taken effect",
        ),
        (
            failed([retry.retry_after(ms(59_500)), retry], 9, 9),
            "`fetch` failed after 2 attempts in 59.5s: no time left",
        ),
        (
            failed([retry, retry.retry_after(ms(3_600_000))], 9, 9),
            "`fetch` failed after 2 attempts in 1.0s: the other side asked for too long a wait",
        ),
        (failed([retry; 9], 9, 3), "`fetch` failed after 2 attempts in 3.0s: the gate said no"),
        (
            failed([retry; 9], 3, 9),
            "`fetch` failed after 3 attempts in 3.0s: its stop strategy said so",
        ),
    ];
    for ((error, report), text) in texts {
        assert_eq!(error.to_string(), text);
        assert_eq!(report.to_string(), text);
    }
}

#[test]
fn a_disabled_call_says_so() {
    let peer = Peer::failing([RETRY]);
    let run = retry_with().enabled(false).scope(fetch(&peer, 9, 9));
    let (outcome, reports) = paused(record(run));
    let text = "`fetch` failed after 1 attempt in 0.0ns: retrying is disabled";
    assert_eq!(outcome.unwrap_err().to_string(), text);
    assert_eq!(reports[0].to_string(), text.replace("failed", "ended"));
}

#[test]
fn a_report_does_not_call_a_success_a_failure_because_retrying_was_disabled() {
    let peer = Peer::failing([]);
    let run = retry_with().enabled(false).scope(fetch(&peer, 9, 9));
    let (outcome, reports) = paused(record(run));
    assert_eq!(outcome, Ok(7));
    let text = "`fetch` ended after 1 attempt in 0.0ns: retrying is disabled";
    assert_eq!(reports[0].to_string(), text);
}

#[test]
fn a_report_of_a_success_does_not_say_why() {
    let (_, reports) = paused(record(fetch(&Peer::failing([RETRY; 2]), 9, 9)));
    assert_eq!(reports[0].to_string(), "`fetch` succeeded after 3 attempts in 3.0s");
    let (_, reports) = paused(record(fetch(&Peer::failing([]), 9, 9)));
    assert_eq!(reports[0].to_string(), "`fetch` succeeded after 1 attempt in 0.0ns");
}

#[test]
fn a_report_of_a_cancelled_call_says_so() {
    let peer = Peer::failing([RETRY]);
    let ((), reports) = paused(record(async {
        let _ = tokio::time::timeout(ms(250), fetch(&peer, 9, 9)).await;
    }));
    assert_eq!(reports[0].to_string(), "`fetch` failed after 1 attempt in 250.0ms: cancelled");
}

#[test]
fn debug_shows_all_there_is() {
    let (error, report) = failed([RETRY.retry_after(ms(2_000)), Verdict::Ambiguous], 9, 9);
    let history = "[PastAttempt { number: 1, duration: Some(0ns), verdict: Retry.retry_after(2s), \
                   delay: Some(2s), error: Some(\"the line is busy\"), interruption: None, exhausted: None }, \
                   PastAttempt { number: 2, duration: Some(0ns), verdict: Ambiguous, delay: None, \
                   error: Some(\"the line is busy\"), interruption: None, exhausted: None }]";
    assert_eq!(
        format!("{error:?}"),
        format!(
            "RetryError {{ name: \"fetch\", reason: Ambiguous, attempts: 2, elapsed: Some(2s), \
             source: Some(Busy(Ambiguous)), history: {history} }}"
        )
    );
    assert_eq!(
        format!("{report:?}"),
        format!(
            "Report {{ name: \"fetch\", reason: Ambiguous, attempts: 2, elapsed: Some(2s), \
             waited: 2s, history: {history} }}"
        )
    );
}

#[test]
fn the_source_is_the_last_error_and_the_text_does_not_repeat_it() {
    let (error, _) = failed([RETRY, RETRY.throttled(), Verdict::Final], 9, 9);
    assert!(!error.to_string().contains("busy"));
    let source = error.source().unwrap();
    assert_eq!(source.to_string(), "the line is busy");
    assert_eq!(source.downcast_ref(), Some(&Busy(Verdict::Final)));
    assert!(source.source().is_none());
    assert_eq!(error.reason, StopReason::Permanent);
    assert_eq!(error.into_source(), Some(Busy(Verdict::Final)));
}
