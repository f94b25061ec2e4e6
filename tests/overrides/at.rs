//! What a test has done as an attempt starts.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use retry::{Overrides, policy, retry, retry_with};

type Log = Arc<Mutex<Vec<String>>>;

/// Writes this down at the start of the attempt of that number.
fn at(overrides: Overrides, attempt: u32, log: &Log, text: &'static str) -> Overrides {
    let log = Arc::clone(log);
    overrides.at(attempt, move || log.lock().unwrap().push(text.to_owned()))
}

#[retry(
    stop = attempts(3), wait = fixed(1h), on = any_error(),
    before = |attempt| log.lock().unwrap().push(format!("before {}", attempt.number())),
)]
fn call(log: &Log) -> Result<(), u32> {
    log.lock().unwrap().push("body".to_owned());
    Err(1)
}

fn taken(log: &Log) -> Vec<String> {
    std::mem::take(&mut log.lock().unwrap())
}

#[test]
fn a_hook_runs_as_the_attempt_of_its_number_starts() {
    let log = Log::default();
    for (number, expected) in [
        (1, ["hook", "before 1", "body", "before 2", "body", "before 3", "body"]),
        (2, ["before 1", "body", "hook", "before 2", "body", "before 3", "body"]),
        (3, ["before 1", "body", "before 2", "body", "hook", "before 3", "body"]),
    ] {
        let overrides = at(retry_with().virtual_time(), number, &log, "hook");
        overrides.sync_scope(|| call(&log)).unwrap_err();
        assert_eq!(taken(&log), expected);
    }
    let overrides = at(at(retry_with().virtual_time(), 0, &log, "hook"), 4, &log, "hook");
    overrides.sync_scope(|| call(&log)).unwrap_err();
    assert_eq!(taken(&log).len(), 6);
}

#[test]
fn hooks_of_one_attempt_run_in_the_order_in_which_they_were_said_the_outer_ones_first() {
    let log = Log::default();
    let outer = at(at(retry_with().virtual_time(), 2, &log, "a"), 2, &log, "b");
    let inner = at(at(retry_with(), 2, &log, "c"), 2, &log, "d");
    outer.sync_scope(|| inner.sync_scope(|| call(&log))).unwrap_err();
    let hooks: Vec<_> = taken(&log).into_iter().filter(|line| line.len() == 1).collect();
    assert_eq!(hooks, ["a", "b", "c", "d"]);
}

#[test]
fn hooks_are_for_the_function_that_is_meant_and_not_for_one_that_is_switched_off() {
    let log = Log::default();
    let meant = |name| at(retry_with().only(name), 2, &log, "hook");
    let virtually =
        |call: &dyn Fn() -> Result<(), u32>| retry_with().virtual_time().sync_scope(call);
    virtually(&|| meant("at::call").sync_scope(|| call(&log))).unwrap_err();
    assert!(taken(&log).contains(&"hook".to_owned()));
    virtually(&|| meant("policies::other").sync_scope(|| call(&log))).unwrap_err();
    assert!(!taken(&log).contains(&"hook".to_owned()));
    let off = at(retry_with().enabled(false), 1, &log, "hook");
    off.sync_scope(|| call(&log)).unwrap_err();
    assert_eq!(taken(&log), ["body"]);
}

#[tokio::test]
async fn the_other_side_comes_back_at_the_third_attempt_of_any_kind_of_call() {
    let up = Arc::new(AtomicU32::new(0));
    let overrides = || {
        up.store(0, Relaxed);
        let up = Arc::clone(&up);
        retry_with().virtual_time().at(3, move || up.store(7, Relaxed))
    };
    let ask = || match up.load(Relaxed) {
        0 => Err("down"),
        up => Ok(up),
    };
    #[retry(stop = attempts(5), wait = fixed(1h), on = any_error())]
    async fn fetch(ask: impl Fn() -> Result<u32, &'static str>) -> Result<u32, &'static str> {
        ask()
    }
    assert_eq!(overrides().scope(fetch(ask)).await, Ok(7));
    let policy = policy! { stop = attempts(5), wait = fixed(1h), on = any_error() };
    assert_eq!(overrides().sync_scope(|| policy.call(ask)), Ok(7));
    let block = overrides().scope(async {
        retry::block!(stop = attempts(5), wait = fixed(1h), on = any_error(), async { ask() })
    });
    assert_eq!(block.await, Ok(7));
}

#[test]
fn a_hook_may_make_calls_of_its_own() {
    let log = Log::default();
    let inner = Arc::clone(&log);
    let overrides = retry_with().virtual_time().at(2, move || {
        retry_with().only("nobody").sync_scope(|| {
            let _ = retry::block!(
                stop = attempts(2),
                wait = none(),
                on = any_error(),
                || -> Result<(), ()> {
                    inner.lock().unwrap().push("inner".to_owned());
                    Err(())
                }
            );
        });
    });
    let outcome = overrides.only("at::call").sync_scope(|| call(&log));
    assert_eq!(outcome, Err(1));
    assert_eq!(taken(&log).iter().filter(|line| *line == "inner").count(), 2);
}
