//! Durations, verdicts and delays, attempt by attempt.

use std::time::{Duration, Instant};

use retry::{
    Mark, PastAttempt, RetryError, StopReason, Verdict, record, record_sync, retry, retry_with,
};

use crate::peer::{Busy, Peer};
use crate::support::{ms, paused};

const RETRY: Verdict = Verdict::Retry;

/// The `n`th attempt takes `n` times ten milliseconds.
#[retry(stop = attempts(9), wait = exponential(100ms), idempotent)]
async fn slower_each_time(peer: &Peer) -> Result<u32, Busy> {
    tokio::time::sleep(ms(10) * retry::current().unwrap().number()).await;
    peer.ask()
}

/// The same, where time passes by pauses only.
#[retry(stop = attempts(9), wait = exponential(100ms), idempotent)]
fn sync_slower_each_time(peer: &Peer) -> Result<u32, Busy> {
    let mut is_over = false;
    let spent = retry::block!(
        stop = attempts(2),
        wait = fixed(ms(10) * retry::current().unwrap().number()),
        on = any_error(),
        name = "spend",
        || -> Result<(), ()> {
            if std::mem::replace(&mut is_over, true) { Ok(()) } else { Err(()) }
        }
    );
    assert_eq!(spent, Ok(()));
    peer.ask()
}

/// Duration, verdict and delay.
type Past = (Duration, Verdict, Option<Duration>);

fn failures() -> ([Verdict; 5], [Past; 6]) {
    let verdicts =
        [RETRY, Verdict::Ambiguous, RETRY.now(), RETRY.retry_after(ms(5_000)), RETRY.throttled()];
    // One that needs no wait does not advance the backoff.
    let delays = [ms(100), ms(200), ms(0), ms(5_000), ms(800)];
    let mut past = [(ms(60), Verdict::Final, None); 6];
    for (n, (verdict, delay)) in verdicts.into_iter().zip(delays).enumerate() {
        past[n] = (ms(10) * u32::try_from(n + 1).unwrap(), verdict, Some(delay));
    }
    (verdicts, past)
}

#[test]
fn a_history_is_exact() {
    let (verdicts, wanted) = failures();
    let (outcome, reports) = paused(record(slower_each_time(&Peer::failing(verdicts))));
    assert_eq!((outcome, reports.len()), (Ok(7), 1));
    let past: Vec<_> = reports[0].history().iter().map(past).collect();
    assert_eq!(past, wanted);
    assert_eq!(reports[0].waited(), ms(6_100));
    assert_eq!(reports[0].elapsed(), Some(ms(6_100 + 210)));
}

#[test]
fn a_history_is_the_same_with_the_pauses_skipped() {
    let (verdicts, wanted) = failures();
    let peer = Peer::failing(verdicts);
    let run = || retry_with().virtual_time().scope(slower_each_time(&peer));
    let (outcome, reports) = paused(record(run()));
    assert_eq!(outcome, Ok(7));
    assert!(reports[0].history().iter().map(past).eq(wanted));
    assert_eq!(reports[0].elapsed(), Some(ms(6_100 + 210)));
}

#[test]
fn a_sync_history_is_the_same() {
    let (verdicts, wanted) = failures();
    let peer = Peer::failing(verdicts);
    let started = Instant::now();
    let run = || retry_with().virtual_time().sync_scope(|| sync_slower_each_time(&peer));
    let (outcome, reports) = record_sync(run);
    let slack = started.elapsed();
    assert_eq!((outcome, reports.len()), (Ok(7), 7));
    let (report, spent) = reports.split_last().unwrap();
    assert!(spent.iter().all(|report| report.name() == "spend" && report.attempts() == 2));
    for (past, wanted) in report.history().iter().map(past).zip(wanted) {
        assert_eq!((past.1, past.2), (wanted.1, wanted.2));
        assert!(past.0 >= wanted.0 && past.0 <= wanted.0 + slack, "{past:?}, not {wanted:?}");
    }
    assert_eq!((report.history().len(), report.waited()), (6, ms(6_100)));
    let (elapsed, wanted) = (report.elapsed().unwrap(), ms(6_100 + 210));
    assert!(elapsed >= wanted && elapsed <= wanted + slack, "{elapsed:?}");
}

fn past(attempt: &PastAttempt) -> Past {
    (attempt.duration().unwrap(), attempt.verdict(), attempt.delay())
}

#[test]
fn what_the_body_says_is_the_verdict_in_the_history() {
    #[retry(stop = attempts(4), wait = fixed(10ms), on = any_error(), idempotent)]
    fn marked() -> Result<u32, RetryError<Busy>> {
        let busy = Err(Busy(RETRY));
        match retry::current().unwrap().number() {
            1 => busy.ambiguous(),
            2 => busy.transient().retry_after(ms(30)),
            3 => {
                retry::current().unwrap().overrule(RETRY.now());
                Ok(0)
            }
            _ => busy.permanent(),
        }
    }
    let error = retry_with().virtual_time().sync_scope(marked).unwrap_err();
    assert_eq!(error.reason, StopReason::Permanent);
    let past: Vec<_> = error.history.iter().map(|a| (a.verdict(), a.delay())).collect();
    assert_eq!(
        past,
        [
            (Verdict::Ambiguous, Some(ms(10))),
            (RETRY.retry_after(ms(30)), Some(ms(30))),
            (RETRY.now(), Some(ms(0))),
            (Verdict::Final, None),
        ]
    );
}

#[retry(
    stop = attempts(most),
    wait = by(|state: &retry::State| ms(state.attempt().into())),
    on_give_up = |report, _| peer.tell(false, report),
)]
fn often(peer: &Peer, most: u32) -> Result<u32, RetryError<Busy>> {
    Err(peer.ask().err().unwrap_or(Busy(RETRY)))
}

/// The numbers in the history of a call that makes so many attempts, where it has a last hundred.
fn numbers(most: u32) -> Vec<u32> {
    let peer = Peer::failing([]);
    let run = || retry_with().virtual_time().sync_scope(|| often(&peer, most));
    let (outcome, reports) = record_sync(run);
    let error = outcome.unwrap_err();
    let report = &reports[0];
    assert_eq!((error.attempts, report.attempts()), (most, most));
    assert_eq!(error.history, report.history());
    assert_eq!(peer.told(), [(false, report.clone())]);
    // All pauses, not only those in the history.
    assert_eq!(report.waited(), ms(u64::from(most * (most - 1) / 2)));
    for past in report.history() {
        let delay = (past.number() < most).then(|| ms(past.number().into()));
        assert_eq!(past.delay(), delay);
    }
    report.history().iter().map(PastAttempt::number).collect()
}

#[test]
fn a_history_keeps_the_first_attempt_and_the_last_ninety_nine() {
    assert!(numbers(99).into_iter().eq(1..=99));
    assert!(numbers(100).into_iter().eq(1..=100));
    assert!(numbers(101).into_iter().eq([1].into_iter().chain(3..=101)));
    assert!(numbers(250).into_iter().eq([1].into_iter().chain(152..=250)));
}

/// An error that says what was wrong only once.
#[derive(Debug)]
struct Told(u32);

impl std::fmt::Display for Told {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0 == 1 { f.write_str("bad password") } else { write!(f, "locked out ({})", self.0) }
    }
}

#[test]
fn the_text_of_the_first_error_is_there_after_hundreds_that_say_less() {
    #[retry(stop = attempts(300), wait = fixed(1s), on = |e: &Told| e.0 < 250)]
    fn call(calls: &mut u32) -> Result<(), RetryError<Told>> {
        *calls += 1;
        Err(Told(*calls))
    }
    let run = || retry_with().virtual_time().sync_scope(|| call(&mut 0));
    let (outcome, reports) = record_sync(run);
    let error = outcome.unwrap_err();
    assert_eq!((error.reason, error.history.len()), (StopReason::Permanent, 100));
    let texts: Vec<_> = error.history.iter().map(|past| past.error().unwrap()).collect();
    assert_eq!((texts[0], texts[1]), ("bad password", "locked out (152)"));
    // The one that ended the call too.
    assert_eq!(texts[99], "locked out (250)");
    assert_eq!(error.history, reports[0].history());
}

#[test]
fn a_single_failure_that_ends_its_call_has_a_text_and_what_is_no_failure_has_none() {
    #[retry(stop = attempts(3), wait = none(), on = |_| false)]
    fn permanent() -> Result<(), RetryError<Told>> {
        Err(Told(1))
    }
    let error = permanent().unwrap_err();
    assert_eq!(error.history[0].error(), Some("bad password"));
    assert!(error.elapsed.is_some() && error.history[0].duration().is_some());

    #[retry(stop = attempts(3), wait = none(), on = any_error())]
    fn recovers(calls: &mut u32) -> Result<(), Told> {
        *calls += 1;
        if *calls == 1 { Err(Told(1)) } else { Ok(()) }
    }
    let (_, reports) = record_sync(|| recovers(&mut 0));
    let texts: Vec<_> = reports[0].history().iter().map(PastAttempt::error).collect();
    assert_eq!(texts, [Some("bad password"), None]);
}

#[test]
fn a_success_after_many_failures_is_the_last_of_the_hundred() {
    #[retry(stop = attempts(500), wait = fixed(10ms))]
    fn call(peer: &Peer) -> Result<u32, Busy> {
        peer.ask()
    }
    let peer = Peer::failing([RETRY; 130]);
    let (outcome, reports) = record_sync(|| retry_with().virtual_time().sync_scope(|| call(&peer)));
    assert_eq!(outcome, Ok(7));
    let history = reports[0].history();
    assert!(history.iter().map(PastAttempt::number).eq([1].into_iter().chain(33..=131)));
    assert_eq!(history[99].verdict(), Verdict::Final);
    assert_eq!((reports[0].attempts(), reports[0].waited()), (131, ms(1_300)));
}

#[test]
fn a_reset_starts_neither_the_numbers_nor_the_times_anew() {
    #[retry(
        stop = attempts(3),
        wait = exponential(10ms),
        reset = |attempt, _| attempt.number() == 3,
    )]
    fn call(peer: &Peer) -> Result<u32, RetryError<Busy>> {
        peer.ask()
    }
    let peer = Peer::failing([RETRY; 9]);
    let error = retry_with().virtual_time().sync_scope(|| call(&peer)).unwrap_err();
    assert_eq!((error.reason, error.attempts), (StopReason::Attempts, 5));
    let past: Vec<_> = error.history.iter().map(|a| (a.number(), a.delay())).collect();
    let delays = [Some(ms(10)), Some(ms(20)), Some(ms(10)), Some(ms(20)), None];
    assert!(past.into_iter().eq((1..).zip(delays)));
    assert!(error.elapsed.unwrap() >= ms(60));
}

#[test]
fn a_pause_that_a_sleep_cuts_short_is_waited_as_planned_and_elapsed_as_it_was() {
    #[retry(stop = attempts(3), wait = fixed(1s), sleep = |_| tokio::time::sleep(ms(1)))]
    async fn call(peer: &Peer) -> Result<u32, Busy> {
        peer.ask()
    }
    let (_, reports) = paused(record(call(&Peer::failing([RETRY; 9]))));
    assert_eq!((reports[0].waited(), reports[0].elapsed()), (ms(2_000), Some(ms(2))));
}

#[test]
fn what_is_not_an_error_is_reported_too() {
    #[retry(stop = attempts(2), wait = fixed(10ms), on = ok(|n: &u32| *n < 9))]
    fn value() -> Result<u32, RetryError<Busy>> {
        Ok(3)
    }
    #[retry(stop = attempts(2), wait = fixed(10ms), on = any_error())]
    fn option() -> Option<u32> {
        None
    }
    #[retry(stop = attempts(2), wait = fixed(10ms), on = output(|n: &u32| *n < 9))]
    fn plain() -> u32 {
        3
    }
    let all = || {
        // An unwanted value is no error, so there is nothing to wrap.
        assert_eq!(value().ok(), Some(3));
        assert_eq!((option(), plain()), (None, 3));
    };
    let ((), reports) = record_sync(|| retry_with().virtual_time().sync_scope(all));
    assert_eq!(reports.len(), 3);
    for report in reports {
        assert_eq!((report.reason(), report.attempts()), (StopReason::Attempts, 2), "{report}");
        assert!(report.delays().eq([ms(10)]));
    }
}
