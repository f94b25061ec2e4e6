//! Scopes, tasks and their threads.

use std::collections::HashSet;
use std::sync::Mutex;
use std::thread::{self, ThreadId};

use async_trait::async_trait;
use retry::{Inherit, inherit_sync, record, retry, retry_with, stop};
use tokio::task::yield_now;

#[async_trait]
trait Store: Send + Sync {
    async fn load(&self, threads: &Mutex<HashSet<ThreadId>>) -> Result<u32, u32>;
}

struct Failing;

#[async_trait]
impl Store for Failing {
    #[retry(stop = attempts(4), wait = fixed(1h), on = any_error())]
    async fn load(&self, threads: &Mutex<HashSet<ThreadId>>) -> Result<u32, u32> {
        for _ in 0..4 {
            threads.lock().unwrap().insert(thread::current().id());
            yield_now().await;
        }
        Err(retry::current().unwrap().number())
    }
}

/// Something that has never heard of retrying.
async fn service(store: &dyn Store, threads: &Mutex<HashSet<ThreadId>>) -> Result<u32, u32> {
    yield_now().await;
    store.load(threads).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn overrides_go_along_with_tasks_that_migrate() {
    let tasks: Vec<_> = (0..120_u32)
        .map(|n| {
            let stop = n % 5 + 1;
            let threads = Mutex::default();
            let overrides = retry_with().stop(stop::attempts(stop)).virtual_time();
            tokio::spawn(async move {
                let call = record(overrides.scope(service(&Failing, &threads)));
                let (result, reports) = call.await;
                assert_eq!(result, Err(stop));
                assert_eq!((reports.len(), reports[0].attempts()), (1, stop));
                threads.into_inner().unwrap().len()
            })
        })
        .collect();
    let mut moved = false;
    for task in tasks {
        moved |= task.await.unwrap() > 1;
    }
    assert!(moved, "no task has moved, so nothing was tested");
}

#[retry(stop = attempts(4), wait = none(), on = any_error())]
async fn call() -> Result<(), u32> {
    yield_now().await;
    Err(retry::current().unwrap().number())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_is_under_the_scope_only_if_it_inherits() {
    let stopped = retry_with().stop(stop::attempts(2)).scope(async {
        let free = tokio::spawn(call()).await.unwrap();
        let inherited = tokio::spawn(call().inherit()).await.unwrap();
        let nested = tokio::spawn(async { tokio::spawn(call().inherit()).await }.inherit());
        let lost = tokio::spawn(async { tokio::spawn(call()).await }.inherit());
        (free, inherited, nested.await.unwrap().unwrap(), lost.await.unwrap().unwrap())
    });
    let (results, reports) = record(stopped).await;
    assert_eq!(results, (Err(4), Err(2), Err(2), Err(4)));
    // The recording is inherited as well.
    let attempts: Vec<_> = reports.iter().map(retry::Report::attempts).collect();
    assert_eq!(attempts, [2, 2]);
}

#[tokio::test]
async fn a_future_that_has_inherited_no_scope_is_under_the_one_that_polls_it() {
    let inherited = call().inherit();
    let stopped = retry_with().stop(stop::attempts(2)).scope(inherited);
    let (result, reports) = record(stopped).await;
    assert_eq!((result, reports.len()), (Err(2), 1));
}

#[tokio::test]
async fn a_scope_made_for_a_task_inside_another_is_alone_there() {
    let outer = retry_with().stop(stop::attempts(2));
    let results = outer.scope(async {
        let task = tokio::spawn(retry_with().seed(1).scope(call()));
        let inheriting = tokio::spawn(retry_with().seed(1).scope(call()).inherit());
        (task.await.unwrap(), inheriting.await.unwrap())
    });
    assert_eq!(results.await, (Err(4), Err(2)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closure_on_a_thread_for_blocking_is_not_under_the_scope() {
    #[retry(stop = attempts(4), wait = none(), on = any_error())]
    fn sync() -> Result<(), u32> {
        Err(retry::current().unwrap().number())
    }
    let attempts = retry_with().stop(stop::attempts(2)).scope(async {
        let blocking = tokio::task::spawn_blocking(sync).await.unwrap();
        (blocking, tokio::task::block_in_place(sync))
    });
    assert_eq!(attempts.await, (Err(4), Err(2)));
}

#[retry(stop = attempts(3), wait = fixed(1h), on = any_error())]
fn blocking() -> Result<(), u32> {
    Err(retry::current().unwrap().number())
}

#[tokio::test]
async fn a_blocking_closure_is_under_the_scope_if_it_inherits() {
    let overrides = retry_with().virtual_time().stop(stop::attempts(2));
    let (outcomes, reports) = record(overrides.scope(async {
        let task = tokio::task::spawn_blocking(inherit_sync(blocking)).await.unwrap();
        let thread = thread::spawn(inherit_sync(blocking)).join().unwrap();
        (task, thread)
    }))
    .await;
    assert_eq!(outcomes, (Err(2), Err(2)));
    assert_eq!(reports.len(), 2);
    // With nothing around, it changes nothing; what it runs in then is found.
    let closure = inherit_sync(blocking);
    assert_eq!(retry_with().virtual_time().sync_scope(closure), Err(3));
}

#[tokio::test]
async fn a_blocking_closure_from_inside_an_attempt_is_nested_in_it() {
    #[retry(stop = attempts(3), wait = none(), on = any_error(), nested = once)]
    fn query() -> Result<(), u32> {
        Err(retry::current().unwrap().number())
    }
    #[retry(stop = attempts(1 + 1), wait = none(), on = any_error())]
    async fn request() -> Result<(), u32> {
        tokio::task::spawn_blocking(inherit_sync(query)).await.unwrap()
    }
    let (_, reports) = record(async {
        request().await.unwrap_err();
        tokio::task::spawn_blocking(inherit_sync(query)).await.unwrap().unwrap_err();
    })
    .await;
    let attempts: Vec<_> = reports.iter().map(retry::Report::attempts).collect();
    assert_eq!(attempts, [1, 1, 2, 3]);
}
