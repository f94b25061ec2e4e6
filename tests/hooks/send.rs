//! Hooks keep a future `Send`: each call here is spawned on another thread.

use std::cell::Cell;
use std::error::Error;
use std::rc::Rc;
use std::sync::Arc;

use retry::{Attempt, Report, RetryError, StopReason, retry};

use crate::peer::{Busy, Outcome, Peer};

async fn look(attempt: &Attempt, outcome: &Outcome) {
    tokio::task::yield_now().await;
    assert!(attempt.number() > 0 && outcome.is_err());
}

async fn recover(report: &Report, outcome: Outcome) -> Outcome {
    tokio::task::yield_now().await;
    outcome.or(Ok(report.attempts()))
}

#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    before = [async |a| peer.note_slowly(a.name()).await, |a| peer.note_slowly(a.name())],
    after = [look, async |a, o| look(a, o).await, |a, o| async { look(a, o).await }],
    before_sleep = async |a, o| {
        peer.note_slowly(format!("{o:?}")).await;
        peer.note(format!("{a:?}"));
    },
    gate = async |a, _| { peer.note_slowly(a.name()).await; a.number() < 9 },
    reset = |_, o| o.is_ok(),
    on_give_up = async |r, o| {
        peer.note_slowly(format!("{o:?}")).await;
        peer.note(format!("{r:?}"));
    },
    on_success = async |r, o| {
        peer.note_slowly(format!("{o:?}")).await;
        peer.note(format!("{r:?}"));
    },
    fallback = recover,
    name = "everything",
)]
async fn everything(peer: Arc<Peer>) -> Outcome {
    peer.ask_slowly().await
}

/// Neither the value nor the error is `Sync`, so they can be owned across an await, not lent.
#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    before = async |_| tokio::task::yield_now().await,
    after = async |a, _| { tokio::task::yield_now().await; assert!(a.number() > 0) },
    before_sleep = [
        |_, o| assert!(o.is_err()),
        |a, o| {
            let (failed, delay) = (o.is_err(), a.next_delay());
            async move {
                tokio::task::yield_now().await;
                assert!(failed && delay.is_some());
            }
        },
    ],
    gate = async |_, _| { tokio::task::yield_now().await; true },
    on_give_up = async |r, _| { tokio::task::yield_now().await; assert!(r.attempts() == 3) },
    fallback = async |r, o| {
        tokio::task::yield_now().await;
        assert!(o.is_err());
        Ok(Cell::new(r.attempts()))
    },
)]
async fn not_sync() -> Result<Cell<u32>, Box<dyn Error + Send>> {
    tokio::task::yield_now().await;
    Err(Box::new(std::fmt::Error))
}

#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    before_sleep = async |_, o| { tokio::task::yield_now().await; assert!(o.is_err()) },
)]
async fn wrapped(peer: Arc<Peer>) -> Result<u32, RetryError<Busy>> {
    peer.ask_slowly().await
}

fn jot(attempt: &Attempt, _: &Local) {
    assert!(attempt.number() > 0);
}

type Local = Result<Rc<u32>, Rc<str>>;

/// Neither the value nor the error is `Send`, so they must not be held across an await, which the
/// plain function does not do either. Hooks that await nothing must not add one.
#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    before = |_| (),
    after = [|_, o| assert!(o.is_err()), jot],
    before_sleep = [|_, o: &Local| { assert!(o.is_err()); }, jot],
    reset = |_, o| o.is_ok(),
    on_give_up = |r, _| assert_eq!(r.attempts(), 3),
    fallback = |r, _| Ok(Rc::new(r.attempts())),
)]
async fn not_send() -> Local {
    tokio::task::yield_now().await;
    Err("busy".into())
}

#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    on_success = |_, o: &Result<Rc<u32>, Busy>| assert!(o.is_ok()),
)]
async fn not_send_and_wrapped() -> Result<Rc<u32>, RetryError<Busy>> {
    tokio::task::yield_now().await;
    Ok(Rc::new(7))
}

struct Client {
    peer: Peer,
    count: u32,
}

impl Client {
    #[retry(
        stop = attempts(3),
        wait = none(),
        on = any_error(),
        before = async |_| { self.count += 1; tokio::task::yield_now().await; self.count += 1 },
        gate = async |_, _| { tokio::task::yield_now().await; self.count += 10; true },
        on_success = async |_, _| { tokio::task::yield_now().await; self.count += 100 },
    )]
    async fn by_mut(&mut self) -> Outcome {
        self.count += 1000;
        self.peer.ask_slowly().await
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn hooks_that_await_keep_the_future_send() {
    let peer = Arc::new(Peer::never());
    assert_eq!(tokio::spawn(everything(peer.clone())).await.unwrap(), Ok(3));
    assert_eq!(peer.notes().iter().filter(|note| *note == "everything").count(), 8);
    assert_eq!(tokio::spawn(not_sync()).await.unwrap().unwrap().get(), 3);
    let error = tokio::spawn(wrapped(peer)).await.unwrap().unwrap_err();
    assert_eq!((error.reason, error.source), (StopReason::Attempts, Some(Busy(6))));
    let client = tokio::spawn(async {
        let mut client = Client { peer: Peer::third(), count: 0 };
        client.by_mut().await.map(|_| client.count)
    });
    assert_eq!(client.await.unwrap(), Ok(3126));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn hooks_that_await_nothing_keep_the_future_of_a_local_outcome_send() {
    let number = tokio::spawn(async { not_send().await.ok().map(|number| *number) });
    assert_eq!(number.await.unwrap(), Some(3));
    let number = tokio::spawn(async { not_send_and_wrapped().await.ok().map(|number| *number) });
    assert_eq!(number.await.unwrap(), Some(7));
    let block = async {
        let outcome: Local = retry::block!(
            stop = attempts(3),
            wait = none(),
            on = any_error(),
            before_sleep = |_, o| assert!(o.is_err()),
            fallback = |r, _| Ok(Rc::new(r.attempts())),
            async {
                tokio::task::yield_now().await;
                Err::<Rc<u32>, Rc<str>>("busy".into())
            },
        );
        outcome.ok().map(|number| *number)
    };
    assert_eq!(tokio::spawn(block).await.unwrap(), Some(3));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn hooks_of_a_block_keep_the_future_send() {
    let block = async {
        let peer = Peer::never();
        retry::block!(
            stop = attempts(3),
            wait = none(),
            on = any_error(),
            before = async |a| peer.note_slowly(a.name()).await,
            before_sleep = look,
            gate = async |_, _| {
                tokio::task::yield_now().await;
                true
            },
            fallback = recover,
            async { peer.ask_slowly().await },
        )
    };
    assert_eq!(tokio::spawn(block).await.unwrap(), Ok(3));
}
