//! `policy = …`.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, LazyLock, Mutex};

use retry::{
    BoxedPolicy, Policy, Report, StopReason, Transient, Verdict, policy, retry, retry_with, stop,
};

use crate::peer::Peer;
use crate::support::ms;

#[derive(Clone, Debug, PartialEq, Eq)]
struct Busy(u32);

impl Transient for Busy {
    fn verdict(&self) -> Verdict {
        if self.0 < 9 { Verdict::Retry } else { Verdict::Final }
    }
}

type Outcome = Result<u32, Busy>;

fn ask(peer: &Peer) -> Outcome {
    peer.ask().map_err(|it| Busy(it.0))
}

fn watched<T>(call: impl FnOnce() -> T) -> (T, Report) {
    let (value, mut reports) = retry::record_sync(|| retry_with().virtual_time().sync_scope(call));
    (value, reports.remove(0))
}

fn delays(report: &Report) -> Vec<u128> {
    report.delays().map(|delay| delay.as_millis()).collect()
}

static SHARED: LazyLock<BoxedPolicy<Busy>> =
    LazyLock::new(|| policy! { stop = attempts(3), wait = exponential(10ms) }.boxed());

#[retry(policy = SHARED)]
fn by_static(peer: &Peer) -> Outcome {
    ask(peer)
}

#[retry(policy = self::SHARED)]
async fn by_static_async(peer: &Peer) -> Outcome {
    tokio::task::yield_now().await;
    ask(peer)
}

fn made(n: u32) -> Policy<impl retry::Stop<Ends = stop::Bounded>, impl retry::Wait> {
    policy! { stop = attempts(n), wait = fixed(10ms) }
}

#[retry(policy = made(2))]
fn by_call(peer: &Peer) -> Outcome {
    ask(peer)
}

#[retry(policy = policy! { stop = attempts(2), wait = linear(10ms, 10ms) })]
fn in_place(peer: &Peer) -> Outcome {
    ask(peer)
}

#[retry(policy = given)]
fn by_argument(peer: &Peer, given: &BoxedPolicy<Busy>) -> Outcome {
    ask(peer)
}

#[retry(policy = given)]
async fn by_arc(peer: &Peer, given: Arc<BoxedPolicy<Busy>>) -> Outcome {
    tokio::task::yield_now().await;
    ask(peer)
}

#[tokio::test(start_paused = true)]
async fn it_may_be_a_static_a_call_an_argument_or_made_in_place() {
    let gives_up_at = |n| Err(Busy(n));
    let (outcome, report) = watched(|| by_static(&Peer::never()));
    assert_eq!((outcome, delays(&report)), (gives_up_at(3), vec![10, 20]));
    assert_eq!(by_static_async(&Peer::never()).await, gives_up_at(3));
    let (outcome, report) = watched(|| by_call(&Peer::never()));
    assert_eq!((outcome, delays(&report)), (gives_up_at(2), vec![10]));
    let (outcome, _) = watched(|| in_place(&Peer::never()));
    assert_eq!(outcome, gives_up_at(2));
    let given = made(4).boxed();
    let (outcome, report) = watched(|| by_argument(&Peer::never(), &given));
    assert_eq!((outcome, report.attempts()), (gives_up_at(4), 4));
    assert_eq!(
        tokio::spawn(async { by_arc(&Peer::never(), Arc::new(given)).await }).await.unwrap(),
        gives_up_at(4)
    );
}

struct Client {
    peer: Peer,
    policy: BoxedPolicy<Busy>,
    live: Mutex<BoxedPolicy<Busy>>,
    count: u32,
}

impl Client {
    fn new(attempts: u32) -> Self {
        let policy = made(attempts).boxed();
        Self { peer: Peer::never(), live: Mutex::new(policy.clone()), policy, count: 0 }
    }

    fn policy(&self) -> &BoxedPolicy<Busy> {
        &self.policy
    }

    #[retry(policy = self.policy)]
    fn by_field(&self) -> Outcome {
        ask(&self.peer)
    }

    #[retry(policy = self.policy())]
    fn by_method(&self) -> Outcome {
        ask(&self.peer)
    }

    #[retry(policy = &self.policy, before = |_| self.count += 1)]
    fn by_mut(&mut self) -> Outcome {
        self.count += 10;
        ask(&self.peer)
    }

    #[retry(policy = self.policy, before = async |_| self.count += 1)]
    async fn by_mut_async(&mut self) -> Outcome {
        self.count += 10;
        tokio::task::yield_now().await;
        ask(&self.peer)
    }

    #[retry(
        policy = self.live.lock().unwrap().clone(),
        after = |_, _| *self.live.lock().unwrap() = made(3).boxed(),
    )]
    fn by_live_configuration(&self) -> Outcome {
        ask(&self.peer)
    }
}

#[tokio::test(start_paused = true)]
async fn it_may_come_from_self() {
    assert_eq!(watched(|| Client::new(4).by_field()).1.attempts(), 4);
    assert_eq!(watched(|| Client::new(4).by_method()).1.attempts(), 4);
    let mut client = Client::new(4);
    assert_eq!(watched(|| client.by_mut()).1.attempts(), 4);
    assert_eq!(client.count, 44);
    let call = tokio::spawn(async move {
        let mut client = Client::new(4);
        (client.by_mut_async().await, client.count)
    });
    assert_eq!(call.await.unwrap(), (Err(Busy(4)), 44));
    // Ten attempts were allowed when the call started.
    assert_eq!(watched(|| Client::new(10).by_live_configuration()).1.attempts(), 3);
}

#[retry(policy = SHARED, stop = attempts(2))]
fn other_stop(peer: &Peer) -> Outcome {
    ask(peer)
}

#[retry(policy = SHARED, wait = fixed(1s))]
fn other_wait(peer: &Peer) -> Outcome {
    ask(peer)
}

#[retry(policy = SHARED, on = |e| e.0 < 2)]
fn other_on(peer: &Peer) -> Outcome {
    ask(peer)
}

#[retry(on = |e| e.0 < 2, stop = attempts(5), policy = SHARED)]
fn other_stop_and_on(peer: &Peer) -> Outcome {
    ask(peer)
}

#[test]
fn the_keys_override_its_parts() {
    let seen = |call: fn(&Peer) -> Outcome| {
        let (_, report) = watched(|| call(&Peer::never()));
        (report.reason(), delays(&report))
    };
    assert_eq!(seen(by_static), (StopReason::Attempts, vec![10, 20]));
    assert_eq!(seen(other_stop), (StopReason::Attempts, vec![10]));
    assert_eq!(seen(other_wait), (StopReason::Attempts, vec![1000, 1000]));
    assert_eq!(seen(other_on), (StopReason::Permanent, vec![10]));
    assert_eq!(seen(other_stop_and_on), (StopReason::Permanent, vec![10]));
    let (_, report) = watched(|| {
        retry_with()
            .stop(stop::attempts(4))
            .wait(retry::wait::fixed(ms(7)))
            .sync_scope(|| by_static(&Peer::never()))
    });
    assert_eq!(delays(&report), [7, 7, 7]);
}

#[test]
fn its_idempotence_and_longest_hint_hold_unless_the_keys_say_otherwise() {
    static POLICY: LazyLock<BoxedPolicy<Verdict>> = LazyLock::new(|| {
        policy! {
            stop = attempts(3),
            wait = none(),
            on = |verdict: &Verdict| *verdict,
            idempotent,
            max_hint = clamp(5ms),
        }
        .boxed()
    });
    #[retry(policy = POLICY)]
    fn by_policy(verdict: Verdict) -> Result<(), Verdict> {
        Err(verdict)
    }
    #[retry(policy = POLICY, idempotent = false, max_hint = 5ms)]
    fn by_keys(verdict: Verdict) -> Result<(), Verdict> {
        Err(verdict)
    }
    let hint = Verdict::Retry.retry_after(ms(9));
    let (_, report) = watched(|| by_policy(Verdict::Ambiguous));
    assert_eq!(report.attempts(), 3);
    assert_eq!(delays(&watched(|| by_policy(hint)).1), [5, 5]);
    let (_, report) = watched(|| by_keys(Verdict::Ambiguous));
    assert_eq!(report.reason(), StopReason::Ambiguous);
    assert_eq!(watched(|| by_keys(hint)).1.reason(), StopReason::HintTooLong);
}

#[test]
fn one_without_a_bound_wants_the_flag() {
    #[retry(policy = policy! { forever, wait = none() }, forever)]
    fn call(peer: &Peer) -> Outcome {
        ask(peer)
    }
    #[retry(policy = policy! { forever, wait = none() }, stop = attempts(2))]
    fn bounded(peer: &Peer) -> Outcome {
        ask(peer)
    }
    assert_eq!(call(&Peer::good_at(7)), Ok(7));
    assert_eq!(call(&Peer::never()), Err(Busy(9)));
    assert_eq!(bounded(&Peer::never()), Err(Busy(2)));
}

#[test]
fn an_option_and_a_plain_output_are_judged_by_it() {
    #[retry(policy = policy! { stop = attempts(3), wait = none(), on = any_error() })]
    fn option(asked: &AtomicU32) -> Option<u32> {
        asked.fetch_add(1, Relaxed);
        None
    }
    #[retry(policy = policy! { stop = attempts(4), wait = none(), on = output(|n: &u32| *n > 0) })]
    fn plain(asked: &AtomicU32) -> u32 {
        asked.fetch_add(1, Relaxed) + 1
    }
    let asked = AtomicU32::new(0);
    assert_eq!(option(&asked), None);
    assert_eq!(asked.load(Relaxed), 3);
    assert_eq!(plain(&asked), 7);
}

#[tokio::test]
async fn a_block_takes_it_too() {
    let peer = Peer::never();
    let sync = retry::block!(policy = SHARED, sleep = |_| (), || -> Outcome { ask(&peer) });
    assert_eq!(sync, Err(Busy(3)));
    let given = made(2);
    let outcome = retry::block!(policy = given, sleep = async |_| (), async { ask(&peer) });
    assert_eq!(outcome, Err(Busy(5)));
}
