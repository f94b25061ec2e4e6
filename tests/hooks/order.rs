//! When each hook runs.

use retry::{Attempt, Report, Verdict, record_sync, retry, retry_with};

use crate::peer::{Busy, Outcome, Peer};

const RECOVERED: [&str; 16] = [
    "before 1 None None",
    "body 1",
    "judged 1",
    "reset 1",
    "after 1 None",
    "wait",
    "stop",
    "sleep 1 10ms",
    "pause 10ms",
    "gate 2 10ms",
    "before 2 10ms Retry",
    "body 2",
    "judged 2",
    "reset 2",
    "after 2 None",
    "wait",
];

fn before(attempt: &Attempt) -> String {
    let delay = attempt.previous_delay().map_or("None".into(), |delay| format!("{delay:?}"));
    let verdict = match attempt.verdict() {
        None => "None",
        Some(verdict) if verdict == Verdict::Retry => "Retry",
        Some(_) => "another",
    };
    format!("before {} {delay} {verdict}", attempt.number())
}

#[retry(
    stop = (|s| { peer.note("stop"); s.attempt() >= 9 }) | attempts(3),
    wait = |s| { peer.note("wait"); 10ms * s.attempt() },
    on = |e: &Busy| { peer.note(format!("judged {}", e.0)); true },
    before = |a| peer.note(before(a)),
    after = |a, o| {
        assert!(o.is_err());
        peer.note(format!("after {} {:?}", a.number(), a.next_delay()));
    },
    reset = |a, _| { peer.note(format!("reset {}", a.number())); false },
    before_sleep = |a, _| peer.note(format!("sleep {} {:?}", a.number(), a.next_delay().unwrap())),
    sleep = |pause| peer.note(format!("pause {pause:?}")),
    gate = |a, _| { peer.note(format!("gate {} {:?}", a.number(), a.previous_delay().unwrap())); true },
    on_success = |r, o| peer.note(format!("success {} {o:?}", r.attempts())),
    on_give_up = |r, o| peer.note(format!("gave up {} {o:?}", r.attempts())),
    fallback = |r: &Report, o| { peer.note(format!("fallback {}", r.reason())); o.or(Ok(0)) },
)]
fn sync(peer: &Peer) -> Outcome {
    peer.ask()
}

#[retry(
    stop = (|s| { peer.note("stop"); s.attempt() >= 9 }) | attempts(3),
    wait = |s| { peer.note("wait"); 10ms * s.attempt() },
    on = |e: &Busy| { peer.note(format!("judged {}", e.0)); true },
    before = async |a| peer.note_slowly(before(a)).await,
    after = async |a, o| {
        assert!(o.is_err());
        peer.note_slowly(format!("after {} {:?}", a.number(), a.next_delay())).await;
    },
    reset = |a, _| { peer.note(format!("reset {}", a.number())); false },
    before_sleep = |a: &Attempt, _| async {
        peer.note_slowly(format!("sleep {} {:?}", a.number(), a.next_delay().unwrap())).await;
    },
    sleep = |pause| peer.note_slowly(format!("pause {pause:?}")),
    gate = async |a, _| {
        peer.note_slowly(format!("gate {} {:?}", a.number(), a.previous_delay().unwrap())).await;
        true
    },
    on_success = async |r: &Report, o| {
        peer.note_slowly(format!("success {} {o:?}", r.attempts())).await;
    },
    on_give_up = async |r, o| peer.note_slowly(format!("gave up {} {o:?}", r.attempts())).await,
    fallback = async |r, o| {
        peer.note_slowly(format!("fallback {}", r.reason())).await;
        o.or(Ok(0))
    },
)]
async fn asynchronous(peer: &Peer) -> Outcome {
    peer.ask_slowly().await
}

#[tokio::test]
async fn a_recovery_runs_every_hook_where_it_is_due() {
    let end =
        ["stop", "sleep 2 20ms", "pause 20ms", "gate 3 20ms", "before 3 20ms Retry", "body 3"];
    for is_async in [false, true] {
        let peer = Peer::third();
        let outcome = if is_async { asynchronous(&peer).await } else { sync(&peer) };
        assert_eq!(outcome, Ok(3));
        let notes = peer.take();
        assert_eq!(notes[..16], RECOVERED);
        assert_eq!(notes[16..22], end);
        assert_eq!(notes[22..], ["success 3 Ok(3)"]);
    }
}

#[tokio::test]
async fn giving_up_tells_on_give_up_first_and_then_falls_back() {
    let end = ["judged 3", "reset 3", "after 3 None", "wait", "stop"];
    for is_async in [false, true] {
        let peer = Peer::never();
        let outcome = if is_async { asynchronous(&peer).await } else { sync(&peer) };
        assert_eq!(outcome, Ok(0));
        let notes = peer.take();
        assert_eq!(notes[..16], RECOVERED);
        assert_eq!(notes[22..27], end);
        assert_eq!(notes[27..], ["gave up 3 Err(Busy(3))", "fallback attempts"]);
    }
}

#[tokio::test]
async fn a_first_success_runs_before_and_on_success_only() {
    let only = ["before 1 None None", "body 1", "success 1 Ok(1)"];
    let peer = Peer::good_at(1);
    assert_eq!(sync(&peer), Ok(1));
    assert_eq!(peer.take(), only);
    assert_eq!(asynchronous(&peer).await, Ok(2));
    assert_eq!(
        peer.take(),
        only.map(|note| note.replace("body 1", "body 2").replace("Ok(1)", "Ok(2)"))
    );
}

#[test]
fn a_permanent_failure_is_given_up_without_after_or_a_delay() {
    #[retry(
        stop = attempts(9),
        wait = fixed(1s),
        on = |e: &Busy| e.0 < 2,
        before = |a| peer.note(format!("before {}", a.number())),
        after = |a, _| peer.note(format!("after {}", a.number())),
        before_sleep = |a, _| peer.note(format!("sleep {}", a.number())),
        on_success = |_, _| peer.note("success"),
        on_give_up = |r, o| peer.note(format!("{} {o:?}", r.reason())),
    )]
    fn call(peer: &Peer) -> Outcome {
        peer.ask()
    }
    let peer = Peer::never();
    assert_eq!(retry_with().virtual_time().sync_scope(|| call(&peer)), Err(Busy(2)));
    let noted = ["before 1", "after 1", "sleep 1", "before 2", "permanent Err(Busy(2))"];
    assert_eq!(peer.notes(), noted);
}

#[test]
fn a_zero_delay_runs_before_sleep_and_the_gate_and_does_not_sleep() {
    #[retry(
        stop = attempts(2),
        wait = none(),
        on = any_error(),
        before_sleep = |a, _| peer.note(format!("before {:?}", a.next_delay().unwrap())),
        sleep = |pause| peer.note(format!("slept {pause:?}")),
        gate = |_, _| { peer.note("gate"); true },
    )]
    fn call(peer: &Peer) -> Outcome {
        peer.ask()
    }
    let peer = Peer::never();
    assert_eq!(call(&peer), Err(Busy(2)));
    assert_eq!(peer.notes(), ["before 0ns", "gate"]);
}

#[test]
fn every_hook_of_a_list_runs_before_the_next_step() {
    #[retry(
        stop = attempts(2),
        wait = none(),
        on = any_error(),
        before = [|_| peer.note("before"), |_| peer.note("and before")],
        after = [|_, _| peer.note("after"), |_, _| peer.note("and after")],
        before_sleep = [|_, _| peer.note("sleep"), |_, _| peer.note("and sleep")],
        on_success = [|_, _| peer.note("success"), |_, _| peer.note("and success")],
        on_give_up = [|_, _| peer.note("gave up"), |_, _| peer.note("and gave up")],
    )]
    fn call(peer: &Peer) -> Outcome {
        peer.ask()
    }
    let first = ["before", "and before", "after", "and after", "sleep", "and sleep"];
    let peer = Peer::good_at(2);
    assert_eq!(call(&peer), Ok(2));
    let notes = peer.notes();
    assert_eq!(notes[..6], first);
    assert_eq!(notes[6..], ["before", "and before", "success", "and success"]);
    let peer = Peer::never();
    assert_eq!(call(&peer), Err(Busy(2)));
    let last = ["before", "and before", "after", "and after", "gave up", "and gave up"];
    assert_eq!(peer.notes()[6..], last);
}

#[test]
fn what_the_body_says_is_heard_before_on() {
    #[retry(
        stop = attempts(9),
        wait = none(),
        on = any_error(),
        on_success = |r, _| peer.note(format!("success after {}", r.attempts())),
    )]
    fn call(peer: &Peer) -> Outcome {
        let result = peer.ask();
        let verdict = if peer.calls() == 2 { Verdict::Final } else { Verdict::Retry };
        retry::current().unwrap().overrule(verdict);
        result
    }
    let peer = Peer::good_at(1);
    let (outcome, reports) = record_sync(|| call(&peer));
    assert_eq!((outcome, reports[0].attempts()), (Ok(2), 2));
    assert_eq!(peer.notes(), ["success after 2"]);
}

mod the_delay {
    use std::cell::RefCell;
    use std::time::Duration;

    use super::*;

    /// What the hook was told, and what was slept.
    type Log = RefCell<Vec<(&'static str, Duration)>>;

    #[retry(
        stop = attempts(6),
        wait = exponential(1h).full_jitter() + random(1ms..1h),
        on = any_error(),
        before_sleep = |a, _| log.borrow_mut().push(("told", a.next_delay().unwrap())),
        sleep = |delay| log.borrow_mut().push(("slept", delay)),
    )]
    fn sync(log: &Log) -> Result<(), Busy> {
        Err(Busy(0))
    }

    #[retry(
        stop = attempts(6),
        wait = exponential(1h).full_jitter() + random(1ms..1h),
        on = any_error(),
        before_sleep = |a, _| log.borrow_mut().push(("told", a.next_delay().unwrap())),
        sleep = |delay| { log.borrow_mut().push(("slept", delay)); std::future::ready(()) },
    )]
    async fn not_sync(log: &Log) -> Result<(), Busy> {
        Err(Busy(0))
    }

    fn assert_told_and_slept_alike(log: Log) {
        let log = log.into_inner();
        assert_eq!(log.len(), 2 * 5, "once each per retry: {log:?}");
        for pair in log.chunks(2) {
            assert_eq!((pair[0].0, pair[1].0), ("told", "slept"), "{log:?}");
            assert_eq!(pair[0].1, pair[1].1, "{log:?}");
        }
        // Drawn anew for each retry, not once for all.
        assert!(log[0].1 != log[2].1 && log[0].1 < Duration::from_secs(2 * 3_600), "{log:?}");
    }

    #[tokio::test]
    async fn that_a_hook_is_told_is_slept_once_per_retry_with_jitter_too() {
        let log = Log::default();
        assert!(sync(&log).is_err());
        assert_told_and_slept_alike(log);
        let log = Log::default();
        assert!(not_sync(&log).await.is_err());
        assert_told_and_slept_alike(log);
    }
}
