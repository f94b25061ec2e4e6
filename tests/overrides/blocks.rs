//! Overrides and blocks.

use retry::{StopReason, block, record, retry_with, stop, wait};

use super::report;
use crate::support::secs;

#[test]
fn a_block_is_overridden_like_a_function() {
    fn run() -> Result<(), ()> {
        block!(stop = attempts(4), wait = fixed(1h), on = any_error(), || Err(()))
    }
    let overrides = || retry_with().virtual_time();
    assert_eq!(report(|| overrides().sync_scope(run)).attempts(), 4);
    let changed = overrides().stop(stop::attempts(3)).wait(wait::fixed(secs(2)));
    let report_of = report(|| changed.sync_scope(run));
    assert_eq!((report_of.attempts(), report_of.waited()), (3, secs(4)));
    let off = report(|| retry_with().enabled(false).sync_scope(run));
    assert_eq!((off.attempts(), off.reason()), (1, StopReason::Disabled));
}

#[tokio::test]
async fn an_async_block_is_overridden_like_a_function() {
    let run = || async {
        let mut calls = 0;
        let result = block!(stop = attempts(4), wait = fixed(1h), on = any_error(), async {
            calls += 1;
            tokio::task::yield_now().await;
            Err::<(), _>(())
        });
        result.unwrap_err();
        calls
    };
    assert_eq!(retry_with().virtual_time().scope(run()).await, 4);
    assert_eq!(retry_with().virtual_time().stop(stop::attempts(2)).scope(run()).await, 2);
    assert_eq!(retry_with().enabled(false).scope(run()).await, 1);
}

/// Succeeds with the third attempt; there is nothing else to give.
fn value() -> u32 {
    let mut calls = 0;
    block!(forever, wait = fixed(1h), on = any_error(), || {
        calls += 1;
        if calls < 3 { Err(()) } else { Ok(calls) }
    })
}

#[test]
fn a_block_that_gives_the_value_is_not_ended_by_overrides() {
    let overrides = || retry_with().virtual_time();
    for overrides in [
        overrides(),
        overrides().stop(stop::attempts(2)),
        overrides().enabled(false),
        overrides().enabled(false).stop(stop::attempts(1)),
    ] {
        let report = report(|| assert_eq!(overrides.sync_scope(value), 3));
        assert_eq!((report.attempts(), report.reason()), (3, StopReason::Success));
    }
}

#[test]
fn a_block_that_gives_the_value_waits_as_the_overrides_say() {
    let overrides = retry_with().virtual_time().wait(wait::fixed(secs(5)));
    assert_eq!(report(|| overrides.sync_scope(value)).waited(), secs(10));
}

#[tokio::test]
async fn an_async_block_that_gives_the_value_is_not_ended_by_overrides() {
    let value = async {
        let mut calls = 0;
        let value: u32 = block!(forever, wait = fixed(1h), on = any_error(), async {
            calls += 1;
            if calls < 3 { Err(()) } else { Ok(calls) }
        });
        value
    };
    let overrides = retry_with().virtual_time().stop(stop::attempts(2)).enabled(false);
    let (value, reports) = record(overrides.scope(value)).await;
    assert_eq!((value, reports[0].attempts()), (3, 3));
}
