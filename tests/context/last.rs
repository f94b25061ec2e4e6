//! The attempt knows that the time leaves no room for another one.

use std::time::Duration;

use retry::{Mark, Report, StopReason, Wait, current, record_sync, retry, retry_with, wait};
use tokio::time::{Instant, sleep};

use crate::support::{ms, secs};

/// What each attempt of a call says under these keys, in virtual time, and the report of the call.
macro_rules! lasts {
    ($($keys:tt)+) => {{
        #[retry($($keys)+, on = any_error(), name = "lasts")]
        fn call(seen: &mut Vec<bool>) -> Result<(), ()> {
            seen.push(current().unwrap().is_last());
            Err(())
        }
        let mut seen = Vec::new();
        let run = || retry_with().virtual_time().draw(1.0).sync_scope(|| call(&mut seen));
        let (_, reports) = record_sync(run);
        assert_eq!(reports[0].reason(), StopReason::Time);
        seen
    }};
}

#[test]
fn the_last_attempt_that_a_limit_in_time_leaves_room_for_knows_it() {
    assert_eq!(lasts!(stop = within(3s), wait = fixed(1s)), [false, false, true]);
    // At 0, 1, 3 and 7 s; the next would be at 15 s.
    let backoff = lasts!(stop = within(10s), wait = exponential(1s));
    assert_eq!(backoff, [false, false, false, true]);
    // The wait may be long, so that it ends after the limit, and one more attempt follows it.
    let elapsed = lasts!(stop = elapsed(3s), wait = fixed(2s));
    assert_eq!(elapsed, [false, false, true]);
    assert_eq!(lasts!(stop = within(3s) | attempts(9), wait = fixed(1s)), [false, false, true]);
    assert_eq!(lasts!(stop = attempts(99), wait = fixed(1s), deadline = 3s), [false, false, true]);
}

#[test]
fn with_jitter_it_is_the_last_only_if_the_shortest_wait_is_too_long() {
    // Drawn at its most, it waits 2 s, and no attempt is sure to be the last: 0 s might be drawn.
    let full = lasts!(stop = within(3s), wait = fixed(2s).full_jitter());
    assert_eq!(full, [false, false]);
    let equal = lasts!(stop = within(3s), wait = fixed(2s).equal_jitter());
    assert_eq!(equal, [false, true]);
    let factor = lasts!(stop = within(3s), wait = fixed(2s).jitter_factor(0.4));
    assert_eq!(factor, [false, true]);
    let additive = lasts!(stop = within(3s), wait = fixed(1s).jitter(1s));
    assert_eq!(additive, [false, true]);
    let decorrelated = lasts!(stop = within(3s), wait = decorrelated(1s, 2s));
    assert_eq!(decorrelated, [false, true]);
    // After 9 s it draws 27 s, but 3 s would do.
    for _ in 0..40 {
        let growing = lasts!(stop = within(14s), wait = decorrelated(3s, 60s));
        assert_eq!(growing, [false, false]);
    }
    let floor = lasts!(stop = within(3s), wait = fixed(2s).full_jitter().floor(1s));
    assert_eq!(floor, [false, true]);
}

#[test]
fn it_knows_through_what_joins_waits() {
    let sum = lasts!(stop = within(3s), wait = fixed(500ms) + fixed(500ms));
    assert_eq!(sum, [false, false, true]);
    let longer = lasts!(stop = within(3s), wait = fixed(10ms).max(fixed(1s)));
    assert_eq!(longer, [false, false, true]);
    let shorter = lasts!(stop = within(3s), wait = fixed(1s).min(fixed(2s)));
    assert_eq!(shorter, [false, false, true]);
    let then = lasts!(stop = within(3s), wait = fixed(10ms).times(1).then(fixed(2s)));
    assert_eq!(then, [false, false, true]);
    let capped = lasts!(stop = within(7s), wait = exponential(1s).cap(2s));
    assert_eq!(capped, [false, false, false, true]);
}

#[test]
fn what_nobody_can_know_before_makes_no_attempt_the_last() {
    let unknown = |seen: Vec<bool>| assert!(seen.iter().all(|last| !last), "{seen:?}");
    unknown(lasts!(stop = within(3s), wait = |_| 1s));
    unknown(lasts!(stop = within(3s), wait = fixed(1s).throttled(fixed(5s))));
    unknown(lasts!(stop = within(3s), wait = fixed(1s).unless_hinted()));
}

#[test]
fn a_strategy_of_ones_own_may_say_what_it_waits_at_least() {
    struct Quadratic;
    impl Wait for Quadratic {
        fn delay(&self, state: &retry::State) -> retry::Delay {
            (Duration::from_secs(1) * state.wait().pow(2)).into()
        }
        fn least(&self, state: &retry::State) -> retry::Delay {
            self.delay(state)
        }
    }
    // At 0, 1, 5 and 14 s.
    let own = lasts!(stop = within(20s), wait = Quadratic);
    assert_eq!(own, [false, false, false, true]);
}

#[test]
fn looking_ahead_asks_nothing_that_notes_what_it_is_asked() {
    let report = |seed| -> Report {
        #[retry(stop = within(1m), wait = decorrelated(1s, 9s).jitter(1s), on = any_error())]
        fn watched() -> Result<(), ()> {
            Err(())
        }
        let run = || retry_with().virtual_time().seed(seed).sync_scope(watched);
        record_sync(run).1.remove(0)
    };
    let policy = retry::policy! { stop = attempts(99), wait = decorrelated(1s, 9s).jitter(1s) };
    let mut schedule = retry_with().seed(7).sync_scope(|| {
        let mut schedule = policy.into_schedule();
        (0..40)
            .map_while(|_| schedule.failed_with(retry::Verdict::Retry).delay().ok())
            .collect::<Vec<_>>()
    });
    let delays: Vec<_> = report(7).delays().collect();
    schedule.truncate(delays.len());
    assert_eq!(delays, schedule, "the limit in time takes no random numbers");
}

#[tokio::test(start_paused = true)]
async fn it_is_asked_as_the_time_stands() {
    #[retry(stop = within(10s), wait = fixed(1s), on = any_error())]
    async fn call(seen: &mut Vec<[bool; 2]>) -> Result<(), ()> {
        let before = current().unwrap().is_last();
        sleep(secs(4)).await;
        seen.push([before, current().unwrap().is_last()]);
        Err(())
    }
    let (mut seen, start) = (Vec::new(), Instant::now());
    call(&mut seen).await.unwrap_err();
    // From 0 to 4 and from 5 to 9 s, after which there is no time for a wait.
    assert_eq!((seen, start.elapsed()), (vec![[false, false], [false, true]], secs(9)));
}

#[tokio::test(start_paused = true)]
async fn hooks_know_it_too() {
    #[retry(
        stop = within(3s),
        wait = fixed(2s),
        on = any_error(),
        before = |attempt| seen.push(("before", attempt.is_last())),
        after = |attempt, _| seen.push(("after", attempt.is_last())),
        before_sleep = |attempt, _| seen.push(("before_sleep", attempt.is_last())),
    )]
    async fn call(seen: &mut Vec<(&'static str, bool)>) -> Result<(), ()> {
        Err(())
    }
    let mut seen = Vec::new();
    call(&mut seen).await.unwrap_err();
    let first = [("before", false), ("after", false), ("before_sleep", false)];
    assert_eq!(seen, [&first[..], &[("before", true), ("after", true)]].concat());
}

#[test]
fn a_wait_that_a_mark_skips_is_the_exception() {
    #[retry(stop = within(3s), wait = fixed(2s), on = any_error())]
    fn call(seen: &mut Vec<bool>) -> Result<(), ()> {
        seen.push(current().unwrap().is_last());
        if seen.len() == 2 { Err(()).now() } else { Err(()) }
    }
    let mut seen = Vec::new();
    retry_with().virtual_time().sync_scope(|| call(&mut seen)).unwrap_err();
    assert_eq!(seen, [false, true, true]);
}

#[tokio::test(start_paused = true)]
async fn a_strategy_is_told_how_long_the_first_attempt_took() {
    type Taken = (Option<Duration>, Option<Duration>);
    #[retry(
        stop = attempts(4),
        wait = |state| {
            seen.push((state.first_attempt(), state.last_attempt()));
            wait::none()
        },
        on = any_error(),
        reset = |attempt, _| attempt.number() == 2,
    )]
    async fn call(
        durations: &mut std::array::IntoIter<Duration, 5>,
        seen: &mut Vec<Taken>,
    ) -> Result<(), ()> {
        sleep(durations.next().unwrap()).await;
        Err(())
    }
    let mut seen = Vec::new();
    let took = [7, 1, 9, 2, 3].map(ms);
    call(&mut took.into_iter(), &mut seen).await.unwrap_err();
    assert_eq!(seen, took.map(|last| (Some(ms(7)), Some(last))));
}
