//! The attempt in the branches of one task.

use std::cell::RefCell;
use std::future::{pending, poll_fn};
use std::pin::pin;
use std::task::Poll;

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use retry::{current, record, retry, sites};
use tokio::task::yield_now;
use tokio::time::sleep;

use super::{assert_clean, place};
use crate::support::ms;
use crate::support::polling::{poll, started};

#[retry(stop = attempts(4), wait = fixed(5ms), on = any_error())]
async fn until(good: u32, log: &RefCell<Vec<(u32, u32)>>) -> Result<u32, u32> {
    let number = current().unwrap().number();
    for pause in [0, 1, 2] {
        if pause == 0 {
            yield_now().await;
        } else {
            sleep(ms(pause)).await;
        }
        // The branches beside this one have been polled in between.
        let now = place().unwrap();
        assert_eq!(now, (number, 0));
        log.borrow_mut().push((good, now.0));
    }
    if number < good { Err(number) } else { Ok(number) }
}

#[tokio::test(start_paused = true)]
async fn calls_in_the_branches_of_a_join_keep_their_own() {
    let log = RefCell::new(Vec::new());
    let ended = tokio::join!(until(1, &log), until(3, &log), until(2, &log), async {
        for _ in 0..20 {
            assert!(current().is_none());
            sleep(ms(1)).await;
        }
    });
    assert_eq!((ended.0, ended.1, ended.2), (Ok(1), Ok(3), Ok(2)));
    assert_eq!(log.into_inner().len(), 3 * (1 + 3 + 2));
    assert!(current().is_none());
}

#[tokio::test(start_paused = true)]
async fn calls_in_an_unordered_heap_keep_their_own() {
    let log = RefCell::new(Vec::new());
    let calls = |goods: [u32; 6]| {
        goods.into_iter().map(|good| until(good, &log)).collect::<FuturesUnordered<_>>()
    };
    let (mut ended, reports) = record(calls([3, 1, 4, 2, 4, 1]).collect::<Vec<_>>()).await;
    ended.sort_unstable();
    assert_eq!(ended, [Ok(1), Ok(1), Ok(2), Ok(3), Ok(4), Ok(4)]);
    let mut attempts: Vec<_> = reports.iter().map(retry::Report::attempts).collect();
    attempts.sort_unstable();
    assert_eq!(attempts, [1, 1, 2, 3, 4, 4]);
    assert!(current().is_none());
}

#[tokio::test(start_paused = true)]
async fn every_branch_of_a_body_is_in_its_attempt() {
    #[retry(stop = attempts(3), wait = none(), on = any_error())]
    async fn call() -> Result<u32, ()> {
        let id = current().unwrap().call_id();
        let branch = async |pause| {
            sleep(ms(pause)).await;
            let at = current().unwrap();
            assert_eq!(at.call_id(), id);
            at.number()
        };
        let (a, b) = tokio::join!(branch(2), branch(1));
        let c = tokio::select! {
            c = branch(9) => c + 100,
            c = branch(3) => c,
        };
        let d: Vec<_> = (1..4).map(branch).collect::<FuturesUnordered<_>>().collect().await;
        assert_eq!((a, b, &d[..]), (c, c, &[c, c, c][..]));
        if c < 3 { Err(()) } else { Ok(c) }
    }
    assert_eq!(call().await, Ok(3));
}

#[tokio::test(start_paused = true)]
async fn what_select_drops_in_an_attempt_or_a_pause_leaves_nothing() {
    #[retry(stop = attempts(9), wait = fixed(1h), on = any_error(), name = "dropped by select")]
    async fn call(stuck: bool) -> Result<(), ()> {
        assert_eq!(place(), Some((1, 0)));
        if stuck { pending().await } else { Err(()) }
    }
    for stuck in [true, false] {
        tokio::select! {
            _ = call(stuck) => panic!("it cannot end"),
            () = sleep(ms(10)) => assert!(current().is_none()),
        }
        assert_clean();
    }
    assert_eq!(sites().get("dropped by select").unwrap().cancelled(), 2);
}

type Lent = std::pin::Pin<Box<dyn Future<Output = Result<(), ()>>>>;

#[tokio::test]
async fn a_future_polled_and_dropped_in_the_attempt_of_another_disturbs_neither() {
    #[retry(stop = attempts(3), wait = none(), on = any_error())]
    async fn inner(first: u32) -> Result<(), ()> {
        let at = current().unwrap();
        assert_eq!((at.number(), at.depth()), (1, first));
        yield_now().await;
        // Where it is polled now, not where it has started.
        assert_eq!(place(), Some((1, 1)));
        pending().await
    }
    #[retry(stop = attempts(3), wait = none(), on = any_error())]
    async fn outer(lent: &mut Option<Lent>) -> Result<u32, ()> {
        let id = current().unwrap().call_id();
        let number = current().unwrap().number();
        if let Some(future) = lent {
            assert!(poll(future.as_mut()).is_pending());
            assert_eq!(current().unwrap().call_id(), id);
        }
        if number == 2 {
            *lent = None;
        }
        let at = current().unwrap();
        assert_eq!((at.number(), at.depth(), at.call_id()), (number, 0, id));
        if number < 3 { Err(()) } else { Ok(number) }
    }
    let mut lent: Option<Lent> = Some(started(inner(0)));
    assert_eq!(outer(&mut lent).await, Ok(3));
    assert!(lent.is_none());
    assert!(current().is_none());
}

#[test]
fn between_the_polls_of_a_call_its_thread_is_in_no_attempt() {
    #[retry(stop = attempts(3), wait = none(), on = any_error())]
    async fn call() -> Result<(), ()> {
        assert!(current().is_some());
        let mut polled = 0;
        poll_fn(|_| {
            polled += 1;
            assert_eq!(current().unwrap().number(), 1);
            if polled < 3 { Poll::Pending } else { Poll::Ready(()) }
        })
        .await;
        Ok(())
    }
    let mut future = pin!(call());
    for _ in 0..2 {
        assert!(poll(future.as_mut()).is_pending());
        assert_clean();
    }
    assert!(poll(future.as_mut()).is_ready());
    assert_clean();
}

#[test]
fn two_calls_that_make_their_frames_in_turns_do_not_mix() {
    // Each of the two asks for its context only after the other was entered and left.
    #[retry(stop = within(1h), wait = none(), on = any_error())]
    async fn call(asks_at: u32) -> Result<Vec<retry::CallId>, ()> {
        let mut ids = Vec::new();
        for poll in 0..6 {
            if poll >= asks_at {
                let at = current().unwrap();
                assert!(at.elapsed().is_some());
                ids.push(at.call_id());
            }
            yield_now().await;
        }
        Ok(ids)
    }
    let (mut a, mut b) = (pin!(call(1)), pin!(call(2)));
    let (mut of_a, mut of_b) = (None, None);
    while of_a.is_none() || of_b.is_none() {
        if let Poll::Ready(ids) = poll(a.as_mut()) {
            of_a = Some(ids.unwrap());
        }
        if let Poll::Ready(ids) = poll(b.as_mut()) {
            of_b = Some(ids.unwrap());
        }
    }
    let (of_a, of_b) = (of_a.unwrap(), of_b.unwrap());
    assert_eq!((of_a.len(), of_b.len()), (5, 4));
    assert!(of_a.iter().all(|id| *id == of_a[0]) && of_b.iter().all(|id| *id == of_b[0]));
    assert_ne!(of_a[0], of_b[0]);
}
