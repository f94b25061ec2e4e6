//! What the attempt knows of itself.

use std::cell::RefCell;
use std::time::Duration;

use retry::{CallId, Current, current, retry, retry_with};
use tokio::task::yield_now;
use tokio::time::sleep;

use crate::support::ms;

fn asked_deep_down() -> Option<Current> {
    fn deeper() -> Option<Current> {
        current()
    }
    deeper()
}

#[test]
fn outside_of_every_call_there_is_no_attempt() {
    assert!(current().is_none());
    assert!(asked_deep_down().is_none());
}

#[test]
fn a_helper_knows_the_attempt_it_runs_in() {
    #[retry(stop = attempts(3), wait = none(), on = any_error(), name = "asked by a helper")]
    fn call(seen: &mut Vec<(&'static str, u32, bool, u32)>) -> Result<(), ()> {
        let at = asked_deep_down().unwrap();
        seen.push((at.name(), at.number(), at.is_last(), at.depth()));
        Err(())
    }
    let mut seen = Vec::new();
    call(&mut seen).unwrap_err();
    let name = "asked by a helper";
    assert_eq!(seen, [(name, 1, false, 0), (name, 2, false, 0), (name, 3, true, 0)]);
    assert!(current().is_none());
}

#[test]
fn the_name_is_the_path_of_the_function() {
    #[retry(stop = attempts(3), wait = none(), on = any_error())]
    fn named() -> Result<&'static str, ()> {
        Ok(current().unwrap().name())
    }
    assert_eq!(named(), Ok("context::knows::the_name_is_the_path_of_the_function::named"));
}

#[test]
fn only_a_bound_in_attempts_knows_the_last_one() {
    fn lasts(seen: &mut Vec<bool>) -> Result<(), ()> {
        seen.push(current().unwrap().is_last());
        if seen.len() < 3 { Err(()) } else { Ok(()) }
    }
    #[retry(stop = within(1h), wait = none(), on = any_error())]
    fn by_time(seen: &mut Vec<bool>) -> Result<(), ()> {
        lasts(seen)
    }
    #[retry(stop = within(1h) | attempts(3), wait = none(), on = any_error())]
    fn by_either(seen: &mut Vec<bool>) -> Result<(), ()> {
        lasts(seen)
    }
    #[retry(stop = within(1h) & attempts(3), wait = none(), on = any_error())]
    fn by_both(seen: &mut Vec<bool>) -> Result<(), ()> {
        lasts(seen)
    }
    let seen = |call: fn(&mut Vec<bool>) -> Result<(), ()>| {
        let mut seen = Vec::new();
        call(&mut seen).unwrap();
        seen
    };
    assert_eq!(seen(by_time), [false, false, false]);
    assert_eq!(seen(by_either), [false, false, true]);
    assert_eq!(seen(by_both), [false, false, false]);
}

#[test]
fn an_attempt_that_is_not_retried_is_the_last() {
    #[retry(stop = attempts(3), wait = none(), on = any_error(), enabled = false)]
    fn off() -> Result<bool, ()> {
        Ok(current().unwrap().is_last())
    }
    #[retry(stop = attempts(3), wait = none(), on = any_error())]
    fn on() -> Result<bool, ()> {
        Ok(current().unwrap().is_last())
    }
    assert_eq!(off(), Ok(true));
    assert_eq!(on(), Ok(false));
    assert_eq!(retry_with().enabled(false).sync_scope(on), Ok(true));
}

/// Elapsed, remaining and previous delay.
type Times = (Option<Duration>, Option<Duration>, Option<Duration>);

fn times() -> Times {
    let at = current().unwrap();
    (at.elapsed(), at.remaining(), at.previous_delay())
}

#[tokio::test(start_paused = true)]
async fn a_timed_call_knows_its_times_after_every_await() {
    #[retry(stop = within(1s), wait = exponential(100ms), on = any_error())]
    async fn call(seen: &mut Vec<Times>) -> Result<(), ()> {
        seen.push(times());
        yield_now().await;
        seen.push(times());
        sleep(ms(10)).await;
        seen.push(times());
        Err(())
    }
    let mut seen = Vec::new();
    call(&mut seen).await.unwrap_err();
    let at = |elapsed, remaining: Option<u64>, delay: Option<u64>| {
        (Some(ms(elapsed)), remaining.map(ms), delay.map(ms))
    };
    let expected = [
        at(0, Some(1000), None),
        at(0, Some(1000), None),
        at(10, Some(990), None),
        at(110, Some(890), Some(100)),
        at(110, Some(890), Some(100)),
        at(120, Some(880), Some(100)),
        at(320, Some(680), Some(200)),
        at(320, Some(680), Some(200)),
        at(330, Some(670), Some(200)),
        at(730, Some(270), Some(400)),
        at(730, Some(270), Some(400)),
        at(740, Some(260), Some(400)),
    ];
    assert_eq!(seen, expected);
}

#[tokio::test(start_paused = true)]
async fn a_first_attempt_knows_the_time_however_late_it_asks() {
    #[retry(stop = within(1s), wait = none(), on = any_error())]
    async fn call() -> Result<(), ()> {
        sleep(ms(10)).await;
        assert_eq!(current().unwrap().elapsed(), Some(ms(10)));
        sleep(ms(10)).await;
        let at = current().unwrap();
        assert_eq!(at.elapsed(), Some(ms(20)));
        sleep(ms(10)).await;
        // The handle goes on with the time.
        assert_eq!(at.elapsed(), Some(ms(30)));
        Ok(())
    }
    call().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn an_untimed_call_counts_from_its_first_failure() {
    #[retry(stop = attempts(3), wait = fixed(100ms), on = any_error())]
    async fn call(seen: &mut Vec<Times>) -> Result<(), ()> {
        sleep(ms(10)).await;
        seen.push(times());
        Err(())
    }
    let mut seen = Vec::new();
    call(&mut seen).await.unwrap_err();
    let delay = Some(ms(100));
    assert_eq!(
        seen,
        [(None, None, None), (Some(ms(110)), None, delay), (Some(ms(220)), None, delay)]
    );
}

#[test]
fn a_sync_call_under_virtual_time_knows_its_times() {
    #[retry(stop = within(1h), wait = fixed(25m), on = any_error())]
    fn call(seen: &mut Vec<Times>) -> Result<(), ()> {
        seen.push(times());
        Err(())
    }
    let mut seen = Vec::new();
    retry_with().virtual_time().sync_scope(|| call(&mut seen)).unwrap_err();
    assert_eq!(seen.len(), 3);
    let minutes = |time: Option<Duration>| time.map(|time| time.as_secs_f64() / 60.0);
    let close = |time: Option<Duration>, to: f64| (minutes(time).unwrap() - to).abs() < 0.9;
    assert!(close(seen[0].0, 0.0) && close(seen[1].0, 25.0) && close(seen[2].0, 50.0), "{seen:?}");
    assert!(close(seen[0].1, 60.0) && close(seen[1].1, 35.0) && close(seen[2].1, 10.0), "{seen:?}");
    let delay = Some(Duration::from_secs(1500));
    assert_eq!((seen[0].2, seen[1].2, seen[2].2), (None, delay, delay));
}

#[test]
fn the_delay_before_an_attempt_is_the_one_granted_to_the_other_side() {
    use retry::Mark;
    #[retry(stop = attempts(3), wait = fixed(1s), on = any_error())]
    fn call(seen: &mut Vec<Option<Duration>>) -> Result<(), ()> {
        seen.push(current().unwrap().previous_delay());
        match seen.len() {
            1 => Err(()).retry_after(ms(7000)),
            2 => Err(()).now(),
            _ => Ok(()),
        }
    }
    let mut seen = Vec::new();
    retry_with().virtual_time().sync_scope(|| call(&mut seen)).unwrap();
    assert_eq!(seen, [None, Some(ms(7000)), Some(Duration::ZERO)]);
}

#[retry(stop = attempts(3), wait = none(), on = any_error())]
async fn identified(ids: &RefCell<Vec<CallId>>, from: usize) -> Result<(), ()> {
    // Asked late in some calls: the id is that of the call, whoever asks first.
    if current().unwrap().number() as usize > from {
        ids.borrow_mut().push(current().unwrap().call_id());
        yield_now().await;
        ids.borrow_mut().push(asked_deep_down().unwrap().call_id());
    }
    Err(())
}

#[tokio::test]
async fn an_id_is_one_per_call_and_another_for_each() {
    let mut calls = Vec::new();
    for from in [0, 0, 1, 2] {
        let ids = RefCell::new(Vec::new());
        identified(&ids, from).await.unwrap_err();
        let ids = ids.into_inner();
        assert_eq!(ids.len(), 2 * (3 - from));
        assert!(ids.iter().all(|id| *id == ids[0]));
        calls.push(ids[0]);
    }
    calls.sort();
    calls.dedup();
    assert_eq!(calls.len(), 4);
}

#[tokio::test]
async fn an_id_stays_the_same_where_the_call_is_watched() {
    let ids = RefCell::new(Vec::new());
    let (_, reports) = retry::record(identified(&ids, 0)).await;
    assert_eq!(reports.len(), 1);
    let ids = ids.into_inner();
    assert_eq!(ids.len(), 6);
    assert!(ids.iter().all(|id| *id == ids[0]));
}

#[test]
fn an_id_outlives_a_reset() {
    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    fn call(ids: &mut Vec<CallId>) -> Result<(), ()> {
        let at = current().unwrap();
        ids.push(at.call_id());
        if at.number() < 3 {
            at.progress();
        }
        Err(())
    }
    let mut ids = Vec::new();
    call(&mut ids).unwrap_err();
    assert_eq!(ids.len(), 3);
    assert!(ids.iter().all(|id| *id == ids[0]));
}

#[test]
fn hooks_and_strategies_are_not_in_the_attempt() {
    thread_local!(static SEEN: RefCell<Vec<bool>> = const { RefCell::new(Vec::new()) });
    fn look() {
        SEEN.with_borrow_mut(|seen| seen.push(current().is_some()));
    }
    #[retry(
        stop = (|_: &retry::State| { look(); false }) | attempts(2),
        wait = |_| { look(); Duration::ZERO },
        on = |_| { look(); true },
        before = |_| look(),
        after = |_, _| look(),
        before_sleep = |_, _| look(),
        gate = |_, _| { look(); true },
        on_give_up = |_, _| look(),
    )]
    fn call() -> Result<(), ()> {
        Err(())
    }
    call().unwrap_err();
    let seen = SEEN.take();
    assert!(seen.len() >= 12 && seen.iter().all(|in_it| !in_it), "{seen:?}");
}

#[test]
fn a_handle_shows_what_it_knows() {
    #[retry(stop = attempts(3), wait = none(), on = any_error(), name = "shown")]
    fn call() -> Result<String, ()> {
        Ok(format!("{:?}", current().unwrap()))
    }
    let shown = call().unwrap();
    assert!(shown.starts_with(r#"Current { name: "shown", number: 1, is_last: false"#), "{shown}");
}

#[test]
fn an_attempt_knows_that_one_long_ago_may_have_taken_effect() {
    use retry::Mark;
    #[retry(stop = attempts(6), wait = none(), on = any_error(), idempotent)]
    fn call(seen: &mut Vec<bool>) -> Result<(), ()> {
        let at = current().unwrap();
        seen.push(at.was_ambiguous());
        if at.number() == 4 {
            // It is known of the call, whatever outage it is in.
            at.progress();
        }
        if seen.len() == 2 { Err(()).ambiguous() } else { Err(()) }
    }
    let mut seen = Vec::new();
    call(&mut seen).unwrap_err();
    assert_eq!(seen, [false, false, true, true, true, true, true, true, true]);
}

#[test]
fn a_first_attempt_knows_what_is_written_in_numbers() {
    type Known = (Option<u32>, bool, Option<Duration>);
    #[allow(clippy::unnecessary_wraps)] // an outcome is what a retried function gives
    fn known() -> Result<Known, ()> {
        let at = current().unwrap();
        // Rounded up, as time passes.
        let left = at.remaining().map(|left| Duration::from_secs(left.as_secs() + 1));
        Ok((at.left(), at.is_last(), left))
    }
    macro_rules! known {
        ($($keys:tt)+) => {{
            #[retry($($keys)+, wait = none(), on = any_error())]
            fn call() -> Result<Known, ()> {
                known()
            }
            call().unwrap()
        }};
    }
    let minute = Some(Duration::from_secs(60));
    assert_eq!(known!(stop = attempts(3)), (Some(2), false, None));
    assert_eq!(known!(stop = attempts(3) | within(1m)), (Some(2), false, minute));
    assert_eq!(known!(stop = elapsed(60s) | within(2m)), (None, false, minute));
    assert_eq!(known!(stop = attempts(3) & within(1m)), (None, false, None));
    assert_eq!(known!(stop = attempts(u32::from(7_u8)) | within(1m)), (None, false, minute));
    assert_eq!(known!(stop = attempts(u32::from(7_u8))), (None, false, None));
    assert_eq!(known!(forever), (None, false, None));
    assert_eq!(known!(stop = attempts(3), enabled = false), (Some(0), true, None));
    // An override is what holds.
    let run = || known!(stop = attempts(3) | within(1m));
    let overridden = retry_with().stop(retry::stop::attempts(9)).sync_scope(run);
    assert_eq!(overridden, (Some(8), false, None));
    // A policy says it of its own calls.
    let policy = retry::policy! { stop = attempts(4), wait = none(), on = any_error() };
    assert_eq!(policy.call(known), Ok((Some(3), false, None)));
}
