//! Sync calls that sleep where async tasks should run.

use std::thread;

use retry::{policy, retry_with};
use tokio::runtime::{Builder, Runtime};
use tokio::task::{block_in_place, spawn_blocking};

use super::*;

/// A function of its own for each test: each is told of once.
macro_rules! sleeps {
    ($name:ident) => {
        #[retry(stop = attempts(3), wait = fixed(1ms), on = any_error())]
        fn $name() -> Result<(), String> {
            Err("down".to_owned())
        }
    };
}

/// How often it warns that it blocks, in this thread.
fn warnings(call: impl FnOnce() -> Result<(), String>) -> usize {
    let seen = events(|| {
        call().unwrap_err();
    });
    let warned: Vec<_> =
        seen.iter().filter(|it| it.message().starts_with("a sync function sleeps")).collect();
    assert!(warned.iter().all(|it| it.level == Level::WARN && it.call().len() == 36));
    warned.len()
}

fn workers() -> Runtime {
    Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap()
}

fn current_thread() -> Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}

#[test]
fn a_worker_thread_that_is_put_to_sleep_is_told_of_once_with_the_name_of_the_function() {
    sleeps!(on_a_worker);
    let twice = async { [warnings(on_a_worker), warnings(on_a_worker)] };
    assert_eq!(workers().block_on(async { tokio::spawn(twice).await.unwrap() }), [1, 0]);

    sleeps!(by_its_name);
    let seen = async {
        events(|| {
            by_its_name().unwrap_err();
        })
    };
    let seen = workers().block_on(async { tokio::spawn(seen).await.unwrap() });
    let warned = seen.iter().find(|it| it.message().contains("spawn_blocking")).unwrap();
    assert!(warned.name().ends_with("by_its_name"), "{}", warned.name());
}

#[test]
fn so_is_the_only_thread_of_a_runtime_in_a_task_and_beside_them() {
    sleeps!(in_a_task);
    sleeps!(beside);
    let runtime = current_thread();
    let told = runtime.block_on(async { tokio::spawn(async { warnings(in_a_task) }).await });
    assert_eq!(told.unwrap(), 1);
    assert_eq!(runtime.block_on(async { warnings(beside) }), 1);
}

#[test]
fn a_thread_that_is_there_to_be_blocked_is_not() {
    sleeps!(spawned);
    sleeps!(in_place);
    let told = workers().block_on(async {
        let spawned_blocking = spawn_blocking(|| warnings(spawned)).await.unwrap();
        let in_place = tokio::spawn(async { block_in_place(|| warnings(in_place)) });
        let in_place = in_place.await.unwrap();
        // And is not taken for told.
        [spawned_blocking, in_place, tokio::spawn(async { warnings(spawned) }).await.unwrap()]
    });
    assert_eq!(told, [0, 0, 1]);
    sleeps!(of_a_small_runtime);
    let told = current_thread().block_on(spawn_blocking_of(of_a_small_runtime));
    assert_eq!(told, 0);
}

async fn spawn_blocking_of(call: fn() -> Result<(), String>) -> usize {
    spawn_blocking(move || warnings(call)).await.unwrap()
}

#[test]
fn a_thread_of_ones_own_is_not_whatever_runtime_it_knows() {
    sleeps!(alone);
    assert_eq!(warnings(alone), 0);
    let runtime = workers();
    let handle = runtime.handle().clone();
    let told = thread::spawn(move || {
        let _entered = handle.enter();
        warnings(alone)
    });
    assert_eq!(told.join().unwrap(), 0);
}

#[test]
fn nothing_is_said_where_nothing_sleeps_or_the_user_says_how() {
    #[retry(stop = attempts(3), wait = none(), on = any_error())]
    fn without_a_wait() -> Result<(), String> {
        Err("down".to_owned())
    }
    #[retry(stop = attempts(3), wait = fixed(1ms), on = any_error(), sleep = |_| ())]
    fn by_the_user() -> Result<(), String> {
        Err("down".to_owned())
    }
    #[retry(stop = attempts(3), wait = fixed(1ms), on = any_error(), log = off)]
    fn silent() -> Result<(), String> {
        Err("down".to_owned())
    }
    sleeps!(skipped);
    let told = current_thread().block_on(async {
        let virtually = || retry_with().virtual_time().sync_scope(skipped);
        [warnings(without_a_wait), warnings(by_the_user), warnings(silent), warnings(virtually)]
    });
    assert_eq!(told, [0; 4]);
}

#[test]
fn other_forms_of_a_sync_call_are_told_of_too() {
    #[retry(stop = attempts(3), wait = fixed(1ms), on = any_error(), gate = |_, _| true)]
    fn gated() -> Result<(), String> {
        Err("down".to_owned())
    }
    #[retry(
        stop = attempts(3),
        wait = fixed(1ms),
        on = any_error(),
        cancel = || false,
        interrupted = |it| it.to_string(),
    )]
    fn cancellable() -> Result<(), String> {
        Err("down".to_owned())
    }
    let block = || {
        retry::block!(stop = attempts(3), wait = fixed(1ms), on = any_error(), || {
            Err::<(), String>("down".to_owned())
        })
    };
    let policy = policy! { stop = attempts(3), wait = fixed(1ms), on = any_error() };
    let called = || policy.call(|| Err::<(), String>("down".to_owned()));
    let told = current_thread().block_on(async {
        [warnings(gated), warnings(cancellable), warnings(block), warnings(called)]
    });
    assert_eq!(told, [1; 4]);
}

#[test]
fn the_task_goes_on_as_if_nothing_had_been_asked() {
    sleeps!(asked);
    current_thread().block_on(async {
        let (sender, receiver) = tokio::sync::oneshot::channel();
        let answer = tokio::spawn(async move {
            assert_eq!(warnings(asked), 1);
            receiver.await.unwrap()
        });
        tokio::task::yield_now().await;
        sender.send(7).unwrap();
        assert_eq!(answer.await.unwrap(), 7);
    });
}
