//! `discard`: the outcome of a failed attempt, given away.

#![allow(clippy::needless_pass_by_value)] // what takes an outcome itself may just look at it

use std::sync::mpsc;

use retry::{Attempt, Verdict, record_sync, retry, retry_with};

use crate::peer::{Busy, Outcome, Peer};
use crate::support::ms;

#[test]
fn gets_each_failed_outcome_itself_but_the_one_that_is_returned() {
    #[retry(
        stop = attempts(3),
        wait = none(),
        on = any_error(),
        discard = |attempt, outcome| kept.push((attempt.number(), outcome)),
    )]
    fn call(peer: &Peer, kept: &mut Vec<(u32, Outcome)>) -> Outcome {
        peer.ask()
    }
    let mut kept = vec![];
    assert_eq!(call(&Peer::never(), &mut kept), Err(Busy(3)));
    assert_eq!(kept, [(1, Err(Busy(1))), (2, Err(Busy(2)))]);
    kept.clear();
    assert_eq!(call(&Peer::good_at(1), &mut kept), Ok(1));
    assert_eq!(kept, []);
}

#[tokio::test(start_paused = true)]
async fn comes_after_before_sleep_and_before_the_sleep_and_knows_the_delay() {
    #[retry(
        stop = attempts(2),
        wait = fixed(10ms),
        on = ok(|n| *n < 9) | any_error(),
        after = |_, outcome| peer.note(format!("after {outcome:?}")),
        before_sleep = |_, outcome| peer.note(format!("before_sleep {outcome:?}")),
        discard = |attempt, outcome| peer.note(format!("discard {outcome:?} {:?}", attempt.next_delay())),
        sleep = |delay| { peer.note("sleep"); tokio::time::sleep(delay) },
        before = |attempt| peer.note(format!("before {}", attempt.number())),
    )]
    async fn call(peer: &Peer) -> Outcome {
        peer.ask_slowly().await
    }
    let peer = Peer::good_at(1);
    assert_eq!(call(&peer).await, Ok(2));
    let noted = [
        "before 1",
        "after Ok(1)",
        "before_sleep Ok(1)",
        "discard Ok(1) Some(10ms)",
        "sleep",
        "before 2",
        "after Ok(2)",
    ];
    assert_eq!(peer.notes(), noted);
}

#[test]
fn waits_for_the_gate_which_still_looks_at_the_outcome() {
    #[retry(
        stop = attempts(9),
        wait = fixed(10ms),
        on = any_error(),
        gate = |attempt, outcome| {
            peer.note(format!("gate {outcome:?}"));
            attempt.number() < 3
        },
        discard = |attempt, outcome| peer.note(format!("discard {outcome:?} {:?}", attempt.next_delay())),
    )]
    fn call(peer: &Peer) -> Outcome {
        peer.ask()
    }
    let peer = Peer::never();
    let outcome = retry_with().virtual_time().sync_scope(|| call(&peer));
    assert_eq!(outcome, Err(Busy(2)));
    let noted = ["gate Err(Busy(1))", "discard Err(Busy(1)) Some(10ms)", "gate Err(Busy(2))"];
    assert_eq!(peer.notes(), noted);
}

/// A sink of errors, as a hook may be.
struct Sink(mpsc::Sender<Busy>);

impl Sink {
    async fn take(&self, _: &Attempt, outcome: Outcome) {
        tokio::task::yield_now().await;
        self.0.send(outcome.unwrap_err()).unwrap();
    }

    #[retry(
        stop = attempts(3),
        wait = fixed(10ms),
        on = any_error(),
        discard = async |attempt, outcome| self.take(attempt, outcome).await,
    )]
    async fn by_an_async_closure(&self, peer: &Peer) -> Outcome {
        peer.ask_slowly().await
    }
}

async fn takes_slowly(_: &Attempt, outcome: Outcome) {
    tokio::task::yield_now().await;
    crate::peer::jot(format!("slowly {outcome:?}"));
}

#[retry(stop = attempts(3), wait = fixed(10ms), on = any_error(), discard = takes_slowly)]
async fn by_an_async_path(peer: &Peer) -> Outcome {
    peer.ask_slowly().await
}

fn takes(_: &Attempt, outcome: Outcome) {
    crate::peer::jot(format!("{outcome:?}"));
}

#[tokio::test(start_paused = true)]
async fn may_be_a_path_or_an_async_closure() {
    let (sender, receiver) = mpsc::channel();
    let sink = Sink(sender);
    assert_eq!(sink.by_an_async_closure(&Peer::never()).await, Err(Busy(3)));
    let taken: Vec<_> = receiver.try_iter().collect();
    assert_eq!(taken, [Busy(1), Busy(2)]);
    assert_eq!(by_an_async_path(&Peer::never()).await, Err(Busy(3)));
    assert_eq!(crate::peer::jotted(), ["slowly Err(Busy(1))", "slowly Err(Busy(2))"]);

    let peer = Peer::third();
    let outcome = retry::block!(
        stop = attempts(3),
        wait = none(),
        on = any_error(),
        discard = takes,
        || -> Outcome { peer.ask() }
    );
    assert_eq!(outcome, Ok(3));
    assert_eq!(crate::peer::jotted(), ["Err(Busy(1))", "Err(Busy(2))"]);
}

#[test]
fn is_not_called_where_the_call_ends_or_is_switched_off() {
    #[retry(
        stop = attempts(5),
        wait = fixed(1ms),
        on = |busy| if busy.0 > 1 { Verdict::Final } else { Verdict::Retry },
        enabled = enabled,
        discard = |_, outcome| peer.note(format!("{outcome:?}")),
    )]
    fn call(peer: &Peer, enabled: bool) -> Outcome {
        peer.ask()
    }
    let peer = Peer::never();
    let (outcome, reports) = record_sync(|| call(&peer, true));
    assert_eq!((outcome, reports[0].waited()), (Err(Busy(2)), ms(1)));
    assert_eq!(peer.notes(), ["Err(Busy(1))"]);
    let peer = Peer::never();
    assert_eq!(call(&peer, false), Err(Busy(1)));
    assert_eq!(peer.notes(), Vec::<String>::new());
}
