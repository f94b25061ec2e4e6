//! Calls that are told to end, or to wake.

use std::io;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use retry::{RetryError, Step, StopReason, policy, retry};
use tokio::sync::{Notify, mpsc};
use tokio::time::{Instant, sleep};

use crate::support::secs;

/// A listing is told to end in the middle of a wait; that is neither a result nor an error.
#[tokio::test(start_paused = true)]
async fn a_listing_that_is_cancelled_gives_nothing() {
    #[retry(
        stop = attempts(9),
        wait = exponential(1s),
        on = any_error(),
        cancel = cancel.notified(),
    )]
    async fn attempts(cancel: &Notify) -> Result<u32, RetryError<io::Error>> {
        Err(io::Error::from(io::ErrorKind::TimedOut))?
    }
    async fn list(cancel: &Notify) -> Option<io::Result<u32>> {
        match attempts(cancel).await {
            Err(error) if error.reason == StopReason::Cancelled => None,
            Err(error) => Some(Err(error.source.unwrap())),
            Ok(listed) => Some(Ok(listed)),
        }
    }
    let (cancel, start) = (Notify::new(), Instant::now());
    let soon = async {
        sleep(secs(5)).await;
        cancel.notify_one();
    };
    let (listed, ()) = tokio::join!(list(&cancel), soon);
    assert!(listed.is_none());
    assert_eq!(start.elapsed(), secs(5));
    let listed = list(&Notify::new()).await;
    assert_eq!(listed.unwrap().unwrap_err().kind(), io::ErrorKind::TimedOut);
}

/// A source that is polled until the process ends, and does not keep that waiting for the length of a backoff.
#[tokio::test(start_paused = true)]
async fn a_source_that_is_polled_until_the_process_ends() {
    #[retry(forever, wait = exponential(1s).cap(60s), on = any_error(), cancel = end.notified())]
    async fn poll(end: &Notify, calls: &mut u32) -> io::Result<()> {
        *calls += 1;
        Err(io::Error::other("the queue is away"))
    }
    let (end, mut calls) = (Notify::new(), 0);
    let soon = async {
        sleep(secs(20)).await;
        end.notify_one();
    };
    let start = Instant::now();
    let (outcome, ()) = tokio::join!(poll(&end, &mut calls), soon);
    // At 0, 1, 3, 7 and 15 s, and in the wait until 31 s it was told.
    assert_eq!((outcome.is_err(), calls, start.elapsed()), (true, 5, secs(20)));
}

/// A thread sleeps on a condition variable, so that a new address wakes it.
#[test]
fn a_lease_that_sleeps_until_there_is_a_new_address() {
    struct Address {
        current: Mutex<Option<u16>>,
        changed: Condvar,
    }
    #[retry(
        forever,
        wait = fixed(1h),
        on = any_error(),
        sleep = |delay| {
            let current = address.current.lock().unwrap();
            let wait = address.changed.wait_timeout_while(current, delay, |it| it.is_none());
            drop(wait.unwrap());
        },
    )]
    fn renew(address: &Address) -> Option<u16> {
        *address.current.lock().unwrap()
    }
    let address = Arc::new(Address { current: Mutex::new(None), changed: Condvar::new() });
    let renewing = std::thread::spawn({
        let address = Arc::clone(&address);
        move || renew(&address)
    });
    *address.current.lock().unwrap() = Some(5432);
    address.changed.notify_all();
    assert_eq!(renewing.join().unwrap(), Some(5432));
}

/// An actor that reconnects, answers what it is asked meanwhile, and starts anew where the link was up.
#[tokio::test(start_paused = true)]
async fn an_actor_that_answers_while_it_waits_to_connect_again() {
    struct Links(std::vec::IntoIter<Option<Duration>>);
    impl Links {
        /// How long the next link holds; `None` where it is refused.
        async fn serve(&mut self) -> Option<Result<(), Duration>> {
            let held = self.0.next()?;
            sleep(held.unwrap_or_default()).await;
            Some(held.map_or(Ok(()), Err))
        }
    }
    async fn run(mut links: Links, mut inbox: mpsc::Receiver<u32>) -> (Vec<Duration>, u32) {
        let policy = policy! { forever, wait = exponential(1s).cap(16s) };
        let mut schedule = policy.into_schedule();
        let (mut delays, mut answered) = (Vec::new(), 0);
        loop {
            match links.serve().await {
                None => return (delays, answered),
                // It was up: a new outage begins, and the first attempt of it is made at once.
                Some(Err(_)) => {
                    schedule.reset();
                    continue;
                }
                Some(Ok(())) => {}
            }
            let Step::Wait(delay) = schedule.failed_with(retry::Verdict::Retry) else {
                unreachable!()
            };
            delays.push(delay);
            let end = Instant::now() + delay;
            loop {
                tokio::select! {
                    () = tokio::time::sleep_until(end) => break,
                    Some(_) = inbox.recv() => answered += 1,
                }
            }
        }
    }
    let (outbox, inbox) = mpsc::channel(8);
    let links = Links(vec![None, None, Some(secs(3600)), None, None, None].into_iter());
    for n in 0..3 {
        outbox.send(n).await.unwrap();
    }
    let (delays, answered) = run(links, inbox).await;
    assert_eq!(delays, [1, 2, 1, 2, 4].map(secs));
    assert_eq!(answered, 3);
}
