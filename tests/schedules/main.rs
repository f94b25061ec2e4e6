//! When each attempt starts, for every strategy and everything that moves a schedule: through the
//! attribute, on tokio's paused clock, or with the delays recorded by `sleep = …`.

// Moments and bounds in ascending order are subtracted, and a macro writes functions in place.
#![allow(clippy::unchecked_time_subtraction, clippy::items_after_statements)]
#![allow(clippy::unwrap_used)] // a test that cannot go on should say where
#![allow(clippy::expect_used, clippy::panic)] // panics are what some of these tests are about
#![allow(clippy::unused_self)] // what is found in the wild keeps its signature
#![allow(missing_docs, unreachable_pub)]

#[path = "../support/mod.rs"]
mod support;

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use retry::{Delay, State, Stop, StopReason, Verdict, Wait, retry};
use tokio::time::Instant;

use support::log::Log;
use support::polling::poll;
use support::{all_ms, ms, on_one_thread, secs};

/// The delays after `$failures` failures under the wait strategy, through the attribute: first as
/// an async function sleeps them on tokio's paused clock, then as a sync function asks for them;
/// the two must agree.
macro_rules! delays {
    ($failures:literal, $($wait:tt)+) => {{
        #[retry(stop = attempts($failures + 1), wait = $($wait)+, on = any_error())]
        async fn slept(log: &mut Log) -> Result<(), u32> {
            Err(log.attempt())
        }
        #[retry(
            stop = attempts($failures + 1),
            wait = $($wait)+,
            on = any_error(),
            sleep = |delay| log.sleep(delay),
        )]
        fn asked(log: &mut Log) -> Result<(), u32> {
            Err(log.attempt())
        }
        let mut log = Log::new();
        assert_eq!(slept(&mut log).await, Err($failures + 1));
        let gaps = log.gaps();
        let mut log = Log::new();
        assert_eq!(asked(&mut log), Err($failures + 1));
        let slept: Vec<_> = gaps.iter().copied().filter(|gap| !gap.is_zero()).collect();
        assert_eq!(log.sleeps, slept);
        gaps
    }};
}

/// Every delay of `$calls` calls that fail `$failures` times under the wait strategy, call by
/// call, exactly as they were drawn.
macro_rules! drawn {
    ($calls:literal calls, $failures:literal failures, $($wait:tt)+) => {{
        #[retry(
            stop = attempts($failures + 1),
            wait = $($wait)+,
            on = any_error(),
            sleep = |delay| log.sleep(delay),
        )]
        fn call(log: &mut Log) -> Result<(), u32> {
            Err(log.attempt())
        }
        (0..$calls)
            .map(|_| {
                let mut log = Log::new();
                assert_eq!(call(&mut log), Err($failures + 1));
                log.sleeps
            })
            .collect::<Vec<Vec<Duration>>>()
    }};
}

/// All drawn delays lie in the range, and they use all of it: some come near either end. With
/// 500 draws, a fair one misses a tenth of the range once in 10^22 runs.
fn assert_spread(drawn: impl IntoIterator<Item = Duration>, least: Duration, most: Duration) {
    let drawn: Vec<_> = drawn.into_iter().collect();
    assert!(drawn.len() >= 500, "{} draws tell too little", drawn.len());
    let (low, high) = (*drawn.iter().min().unwrap(), *drawn.iter().max().unwrap());
    assert!(low >= least && high <= most, "{low:?}..{high:?} is not within {least:?}..{most:?}");
    let tenth = (most - least) / 10;
    assert!(low < least + tenth && high > most - tenth, "{low:?}..{high:?} of {least:?}..{most:?}");
}

/// The `n`th delay of every call, from 0.
fn nth(drawn: &[Vec<Duration>], n: usize) -> impl Iterator<Item = Duration> + '_ {
    drawn.iter().map(move |call| call[n])
}

mod shapers;
mod waits;

/// The starts of all attempts of a call that always fails, as milliseconds since its start.
macro_rules! starts {
    (stop = ($($stop:tt)+), wait = ($($wait:tt)+)) => {
        starts!(stop = ($($stop)+), wait = ($($wait)+), takes = 0)
    };
    (stop = ($($stop:tt)+), wait = ($($wait:tt)+), takes = $takes:literal) => {{
        #[retry(stop = $($stop)+, wait = $($wait)+, on = any_error())]
        async fn call(log: &mut Log) -> Result<(), u32> {
            let attempt = log.attempt();
            if $takes > 0 {
                tokio::time::sleep(ms($takes)).await;
            }
            Err(attempt)
        }
        let mut log = Log::new();
        let last = call(&mut log).await.unwrap_err();
        // The outcome is that of the last attempt, not of the first.
        assert_eq!(usize::try_from(last).unwrap(), log.attempts());
        log.starts.iter().map(Duration::as_millis).collect::<Vec<_>>()
    }};
}

mod answers;
mod at_most;
mod blocks;
mod concurrency;
mod dropping;
mod herd;
mod hints;
mod links;
mod live;
mod panics;
mod sleepers;
mod stops;
mod turns;
mod usages;
mod verdicts;
mod zero_delays;
