//! Attempts and tasks that move, and threads that end.

use std::cell::RefCell;
use std::collections::HashSet;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::task::Poll;
use std::thread::{self, ThreadId};

use retry::{CallId, Mark, Verdict, current, retry, sites};
use tokio::task::yield_now;

use super::{assert_clean, place};
use crate::support::polling::{poll, started};

#[tokio::test]
async fn a_spawned_task_is_in_no_attempt_unless_it_is_given_the_handle() {
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn call() -> Result<u32, u32> {
        let at = current().unwrap();
        let number = at.number();
        let task = tokio::spawn(async move {
            assert!(current().is_none());
            // A mark has nobody to speak to.
            let _ = Err::<(), _>(()).permanent();
            if at.number() == 3 {
                at.overrule(Verdict::Final);
            }
            at.call_id()
        });
        assert_eq!(task.await.unwrap(), current().unwrap().call_id());
        Err(number)
    }
    assert_eq!(call().await, Err(3));
}

#[test]
fn a_thread_is_in_no_attempt_unless_it_is_given_the_handle() {
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn call() -> Result<u32, u32> {
        let at = current().unwrap();
        thread::scope(|scope| {
            scope.spawn(|| {
                assert!(current().is_none());
                at.overrule(if at.number() < 2 { Verdict::Retry } else { Verdict::Final });
            });
        });
        Ok(at.number())
    }
    assert_eq!(call(), Ok(2));
}

type Job<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// A thread that polls what it is sent.
struct Worker<T> {
    jobs: mpsc::Sender<Job<T>>,
    results: mpsc::Receiver<Result<T, Job<T>>>,
}

impl<T: Send + 'static> Worker<T> {
    fn new() -> Self {
        let (jobs, todo) = mpsc::channel::<Job<T>>();
        let (done, results) = mpsc::channel();
        thread::spawn(move || {
            for mut future in todo {
                let polled = poll(future.as_mut());
                assert_clean();
                let _ = done.send(match polled {
                    Poll::Ready(value) => Ok(value),
                    Poll::Pending => Err(future),
                });
            }
        });
        Self { jobs, results }
    }

    fn poll(&self, future: Job<T>) -> Result<T, Job<T>> {
        self.jobs.send(future).unwrap();
        self.results.recv().unwrap()
    }
}

/// Where it was, as which call, and on which threads.
type Trace = (Vec<(u32, u32)>, HashSet<CallId>, HashSet<ThreadId>);

#[retry(stop = attempts(3) | within(1h), wait = none(), on = any_error())]
async fn wandering(asks: bool) -> Result<Trace, Vec<(u32, u32)>> {
    let (mut places, mut ids, mut threads) = (Vec::new(), HashSet::new(), HashSet::new());
    for poll in 0..6 {
        threads.insert(thread::current().id());
        if asks || poll == 5 {
            let at = current().unwrap();
            assert!(at.elapsed().is_some());
            ids.insert(at.call_id());
            places.push(place().unwrap());
        }
        yield_now().await;
    }
    let last = current().unwrap().number() == 3;
    if last { Ok((places, ids, threads)) } else { Err(places) }
}

#[test]
fn an_attempt_that_moves_between_threads_on_every_poll_stays_itself() {
    let workers = [Worker::new(), Worker::new(), Worker::new()];
    for asks in [true, false] {
        let mut future: Job<_> = Box::pin(wandering(asks));
        let mut turns = workers.iter().cycle();
        let (places, ids, threads) = loop {
            match turns.next().unwrap().poll(future) {
                Ok(ended) => break ended.unwrap(),
                Err(pending) => future = pending,
            }
        };
        assert!(places.iter().all(|place| *place == (3, 0)));
        assert_eq!((ids.len(), threads.len()), (1, 3));
    }
    assert!(current().is_none());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_tasks_that_migrate_keep_their_attempts() {
    static MOVED: AtomicUsize = AtomicUsize::new(0);

    #[retry(stop = attempts(5), wait = none(), on = any_error(), name = "migrating task")]
    async fn call(good: u32) -> Result<CallId, u32> {
        let started = thread::current().id();
        let at = current().unwrap();
        let (number, id) = (at.number(), at.call_id());
        for turn in 0..8 {
            yield_now().await;
            let nested = inner(turn).await;
            assert_eq!(nested, Ok(1));
            let at = current().unwrap();
            assert_eq!((at.number(), at.depth(), at.call_id()), (number, 0, id));
        }
        MOVED.fetch_add(usize::from(thread::current().id() != started), Ordering::Relaxed);
        if number < good { Err(number) } else { Ok(id) }
    }

    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    async fn inner(turn: u32) -> Result<u32, ()> {
        yield_now().await;
        let at = current().unwrap();
        if turn % 2 == 0 && at.number() == 1 { Err(()) } else { Ok(at.depth()) }
    }

    let tasks: Vec<_> = (0..200).map(|n| tokio::spawn(call(n % 5 + 1))).collect();
    let mut ids = HashSet::new();
    for task in tasks {
        ids.insert(task.await.unwrap().unwrap());
    }
    assert_eq!(ids.len(), 200);
    assert!(MOVED.load(Ordering::Relaxed) > 0, "no task has moved, so nothing was tested");
    let sites = sites();
    let stats = sites.get("migrating task").unwrap();
    assert_eq!((stats.calls(), stats.first_try(), stats.recovered()), (200, 40, 160));
    assert_eq!(stats.retries(), 40 * (1 + 2 + 3 + 4));
}

#[test]
fn a_call_dropped_on_another_thread_than_it_was_polled_on_is_cancelled() {
    #[retry(stop = attempts(3), wait = none(), on = any_error(), name = "dropped elsewhere")]
    async fn call() -> Result<(), ()> {
        let _ = current().unwrap().call_id();
        std::future::pending().await
    }
    let future = started(call());
    thread::spawn(move || {
        drop(future);
        assert_clean();
    })
    .join()
    .unwrap();
    assert_clean();
    assert_eq!(sites().get("dropped elsewhere").unwrap().cancelled(), 1);
}

/// Calls when its thread ends.
struct AtTheEnd(Arc<AtomicUsize>);

impl Drop for AtTheEnd {
    fn drop(&mut self) {
        #[retry(stop = attempts(3), wait = none(), on = any_error())]
        fn call(calls: &mut usize) -> Result<(), ()> {
            *calls += 1;
            let _ = current().map(|at| (at.call_id(), at.elapsed()));
            let _ = retry::retry_with().sync_scope(|| Err::<(), _>(()).transient());
            Err(())
        }
        let mut calls = 0;
        let (_, _) = retry::record_sync(|| call(&mut calls));
        self.0.fetch_add(calls, Ordering::SeqCst);
    }
}

thread_local!(static AT_THE_END: RefCell<Option<AtTheEnd>> = const { RefCell::new(None) });

#[test]
fn a_call_in_the_destructors_of_an_ending_thread_runs() {
    let calls = Arc::new(AtomicUsize::new(0));
    // What is set up first is torn down last or first, as the system likes: both orders.
    for context_first in [true, false] {
        let calls = Arc::clone(&calls);
        thread::spawn(move || {
            if context_first {
                assert_clean();
            }
            AT_THE_END.set(Some(AtTheEnd(calls)));
            if !context_first {
                assert_clean();
            }
        })
        .join()
        .unwrap();
    }
    assert_eq!(calls.load(Ordering::SeqCst), 6);
}
