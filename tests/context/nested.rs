//! Calls inside calls.

use std::cell::RefCell;

use retry::{CallId, block, current, record_sync, retry};
use tokio::task::yield_now;

use super::place;
use crate::support::{ms, on_one_thread};

type Log = RefCell<Vec<(&'static str, u32, u32)>>;

fn note(log: &Log, who: &'static str) {
    let (number, depth) = place().unwrap();
    log.borrow_mut().push((who, number, depth));
}

const EXPECTED: [(&str, u32, u32); 8] = [
    ("outer", 1, 0),
    ("inner", 1, 1),
    ("inner", 2, 1),
    ("outer", 1, 0),
    ("outer", 2, 0),
    ("inner", 1, 1),
    ("inner", 2, 1),
    ("outer", 2, 0),
];

#[retry(stop = attempts(2), wait = none(), on = any_error())]
fn inner(log: &Log) -> Result<(), ()> {
    note(log, "inner");
    Err(())
}

#[retry(stop = attempts(2), wait = none(), on = any_error())]
async fn inner_async(log: &Log) -> Result<(), ()> {
    yield_now().await;
    note(log, "inner");
    Err(())
}

#[test]
fn the_innermost_attempt_is_the_current_one_in_sync_calls() {
    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    fn outer(log: &Log) -> Result<(), ()> {
        note(log, "outer");
        let result = inner(log);
        note(log, "outer");
        result
    }
    let log = Log::default();
    outer(&log).unwrap_err();
    assert_eq!(log.into_inner(), EXPECTED);
}

#[tokio::test]
async fn the_innermost_attempt_is_the_current_one_in_async_calls() {
    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    async fn outer(log: &Log) -> Result<(), ()> {
        note(log, "outer");
        let result = inner_async(log).await;
        yield_now().await;
        note(log, "outer");
        result
    }
    let log = Log::default();
    outer(&log).await.unwrap_err();
    assert_eq!(log.into_inner(), EXPECTED);
}

#[tokio::test]
async fn a_sync_call_is_nested_in_an_async_one() {
    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    async fn outer(log: &Log) -> Result<(), ()> {
        yield_now().await;
        note(log, "outer");
        let result = inner(log);
        note(log, "outer");
        result
    }
    let log = Log::default();
    outer(&log).await.unwrap_err();
    assert_eq!(log.into_inner(), EXPECTED);
}

#[test]
fn an_async_call_is_nested_in_a_sync_one() {
    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    fn outer(log: &Log) -> Result<(), ()> {
        note(log, "outer");
        let result = on_one_thread(inner_async(log));
        note(log, "outer");
        result
    }
    let log = Log::default();
    outer(&log).unwrap_err();
    assert_eq!(log.into_inner(), EXPECTED);
}

#[test]
fn a_block_is_a_call_of_its_own() {
    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    fn outer(log: &Log) -> Result<(), ()> {
        note(log, "outer");
        let result = block!(stop = attempts(2), wait = none(), on = any_error(), || {
            note(log, "inner");
            Err(())
        });
        note(log, "outer");
        result
    }
    let log = Log::default();
    outer(&log).unwrap_err();
    assert_eq!(log.into_inner(), EXPECTED);
}

#[test]
fn frames_made_on_every_level_and_in_any_order_come_back() {
    #[retry(stop = attempts(1) | within(1h), wait = none(), on = any_error())]
    fn level(levels: u32, asks_first: bool, ids: &mut Vec<(u32, CallId)>) -> Result<(), ()> {
        if asks_first {
            ids.push((levels, current().unwrap().call_id()));
        }
        if levels > 0 {
            level(levels - 1, asks_first == (levels % 2 == 0), ids)?;
        }
        let at = current().unwrap();
        assert!(at.elapsed().is_some());
        ids.push((levels, at.call_id()));
        Ok(())
    }
    for asks_first in [true, false] {
        let mut ids = Vec::new();
        level(7, asks_first, &mut ids).unwrap();
        ids.sort_unstable();
        ids.dedup();
        // One on each level, whether it was asked for once or twice.
        assert_eq!(ids.len(), 8);
        ids.dedup_by_key(|(_, id)| *id);
        assert_eq!(ids.len(), 8);
    }
}

#[test]
fn an_untimed_call_inside_a_timed_one_does_not_show_its_time() {
    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    fn untimed() -> Result<(), ()> {
        assert_eq!(current().unwrap().elapsed(), None);
        Ok(())
    }
    #[retry(stop = within(1h), wait = none(), on = any_error())]
    fn timed() -> Result<(), ()> {
        assert!(current().unwrap().elapsed().is_some());
        untimed()?;
        assert!(current().unwrap().elapsed().is_some());
        Ok(())
    }
    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    fn outermost() -> Result<(), ()> {
        timed()?;
        assert_eq!(current().unwrap().elapsed(), None);
        Ok(())
    }
    outermost().unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_timed_call_counts_from_its_own_start_after_another_inside_it() {
    #[retry(stop = within(1h), wait = none(), on = any_error())]
    async fn inner() -> Result<(), ()> {
        Ok(())
    }
    #[retry(stop = within(1h), wait = none(), on = any_error())]
    async fn outer() -> Result<(), ()> {
        tokio::time::sleep(ms(10)).await;
        inner().await?;
        // Still in the poll that the inner call was entered and left in.
        assert_eq!(current().unwrap().elapsed(), Some(ms(10)));
        Ok(())
    }
    outer().await.unwrap();
}

#[test]
fn the_inner_call_leaves_facts_of_the_outer_one_as_they_were() {
    #[retry(stop = attempts(3), wait = none(), on = any_error())]
    fn inner() -> Result<bool, ()> {
        Ok(current().unwrap().is_last())
    }
    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    fn outer(seen: &mut Vec<(bool, bool)>) -> Result<(), ()> {
        // In the last attempt of the outer call, the inner one is in its first.
        let inner = inner()?;
        seen.push((current().unwrap().is_last(), inner));
        Err(())
    }
    let mut seen = Vec::new();
    outer(&mut seen).unwrap_err();
    assert_eq!(seen, [(false, false), (true, false)]);
}

#[test]
fn a_hook_of_an_inner_call_is_in_the_outer_attempt() {
    #[retry(
        stop = attempts(2),
        wait = none(),
        on = any_error(),
        after = |_, _| seen.borrow_mut().push(place()),
    )]
    fn inner(seen: &RefCell<Vec<Option<(u32, u32)>>>) -> Result<(), ()> {
        Err(())
    }
    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    fn outer(seen: &RefCell<Vec<Option<(u32, u32)>>>) -> Result<(), ()> {
        inner(seen)
    }
    let seen = RefCell::default();
    outer(&seen).unwrap_err();
    assert_eq!(seen.into_inner(), [(1, 0), (1, 0), (2, 0), (2, 0)].map(Some));
}

#[test]
fn a_very_deep_call_knows_its_depth() {
    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    fn deeper(levels: u32) -> Result<u32, ()> {
        let depth = current().unwrap().depth();
        let at = if levels > 0 { deeper(levels - 1)? } else { depth };
        assert_eq!(current().unwrap().depth(), depth);
        Ok(at)
    }
    let (depth, reports) = record_sync(|| deeper(200));
    assert_eq!(depth, Ok(200));
    assert_eq!(reports.len(), 201);
}
