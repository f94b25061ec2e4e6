//! The long-lived link: what starts anew with a new outage, and what `forever` is not limited by.

use super::*;

use retry::{Mark, Report, Schedule, Step, current, policy, record, record_sync, retry_with};

/// A call under virtual time, and its report.
fn watched<T>(call: impl FnOnce() -> T) -> (T, Report) {
    let (outcome, mut reports) = record_sync(|| retry_with().virtual_time().sync_scope(call));
    (outcome, reports.pop().unwrap())
}

#[derive(Debug, PartialEq)]
enum Failed {
    Refused,
    Expired,
    Broken,
}

#[test]
fn a_token_may_be_refreshed_once_in_every_outage() {
    macro_rules! refreshing {
        ($($steer:tt)*) => {{
            #[retry(
                stop = attempts(9),
                wait = fixed(1s),
                on = matches(Err(Failed::Expired)).at_most(1),
                $($steer)*
            )]
            fn call(calls: &mut u32, said: bool) -> Result<(), Failed> {
                *calls += 1;
                // The third attempt serves for a while before the token expires again.
                if said && *calls == 3 {
                    current().unwrap().progress();
                }
                Err(Failed::Expired)
            }
            let mut calls = 0;
            let (_, by_key) = watched(|| call(&mut calls, false));
            let mut calls = 0;
            let (_, by_body) = watched(|| call(&mut calls, true));
            (by_key.attempts(), by_body.attempts())
        }};
    }
    // Without health one refresh is all there is: the second attempt ends it.
    assert_eq!(refreshing!(), (2, 2));
    // The second attempt was healthy, so that the grant is there again for the third.
    assert_eq!(refreshing!(reset = |attempt, _| attempt.number() == 2), (3, 4));
}

#[tokio::test(start_paused = true)]
async fn hours_in_which_all_was_well_do_not_count_against_a_limit_in_time() {
    macro_rules! link {
        ($($stop:tt)+) => {{
            #[retry(stop = $($stop)+, wait = fixed(1s), on = any_error(), reset = 30s)]
            async fn call(calls: &mut u32) -> Result<(), Failed> {
                *calls += 1;
                if *calls == 2 {
                    tokio::time::sleep(secs(3 * 3600)).await;
                    return Err(Failed::Broken);
                }
                Err(Failed::Refused)
            }
            let (_, reports) = record(call(&mut 0)).await;
            (reports[0].attempts(), reports[0].reason(), reports[0].elapsed().unwrap())
        }};
    }
    let hours = secs(3 * 3600);
    // Attempts 2 to 6 fail 0, 1, 2, 3 and 4 seconds into the second outage.
    assert_eq!(link!(within(5s)), (6, StopReason::Time, hours + secs(5)));
    assert_eq!(link!(elapsed(4s) | attempts(99)), (6, StopReason::Time, hours + secs(5)));
    assert_eq!(link!(attempts(3)), (4, StopReason::Attempts, hours + secs(3)));
}

#[test]
fn what_is_left_starts_anew_while_the_number_goes_on() {
    #[retry(
        stop = attempts(3),
        wait = none(),
        on = any_error(),
        reset = |attempt, _| attempt.number() == 3,
        before = |attempt| left.push((attempt.number(), attempt.left())),
    )]
    fn call(left: &mut Vec<(u32, Option<u32>)>) -> Result<(), ()> {
        assert_eq!(left.last().unwrap().1, current().unwrap().left());
        Err(())
    }
    let mut left = Vec::new();
    call(&mut left).unwrap_err();
    let wanted = [(1, 2), (2, 1), (3, 0), (4, 1), (5, 0)];
    assert!(left.into_iter().eq(wanted.map(|(number, left)| (number, Some(left)))));
}

#[tokio::test(start_paused = true)]
async fn a_link_that_goes_on_forever_waits_as_long_as_the_other_side_asks() {
    #[retry(forever, wait = fixed(1s), on = |e: &Failed| *e == Failed::Refused)]
    async fn call(calls: &mut u32) -> Result<(), Failed> {
        *calls += 1;
        match *calls {
            1 => Err(Failed::Refused).retry_after(secs(3600)),
            2 => Err(Failed::Refused).retry_after(secs(90)),
            _ => Err(Failed::Broken),
        }
    }
    let (outcome, reports) = record(call(&mut 0)).await;
    assert_eq!(outcome, Err(Failed::Broken));
    assert!(reports[0].delays().eq([secs(3600), secs(90)]));
    // A limit that is written holds all the same.
    #[retry(forever, wait = fixed(1s), on = any_error(), max_hint = 1m)]
    async fn limited() -> Result<(), Failed> {
        Err(Failed::Refused).retry_after(secs(61))
    }
    let (_, reports) = record(limited()).await;
    assert_eq!(reports[0].reason(), StopReason::HintTooLong);
}

#[test]
fn an_endless_policy_and_its_schedule_wait_as_long_as_the_other_side_asks() {
    const fn hint(e: u64) -> Verdict {
        Verdict::Retry.retry_after(secs(e))
    }
    let policy = policy! {
        forever,
        wait = fixed(1s),
        on = |e: &u64| if *e == 0 { Verdict::Final } else { hint(*e) },
    };
    let mut calls = 0;
    let (_, report) = watched(|| {
        policy.call(|| -> Result<(), u64> {
            calls += 1;
            Err(if calls == 1 { 7200 } else { 0 })
        })
    });
    assert!(report.delays().eq([secs(7200)]));
    let mut schedule = Schedule::new(policy.boxed::<u64>());
    assert_eq!(schedule.failed(&Err::<(), _>(7200)), Step::Wait(secs(7200)));
}

#[test]
fn in_a_block_that_only_a_success_ends_marks_and_hints_are_heard() {
    let mut calls = 0;
    let value = || -> u32 {
        retry::block!(forever, wait = fixed(1s), on = any_error(), || -> Result<u32, &str> {
            calls += 1;
            let failed = Err("not yet");
            match calls {
                1 => failed.now(),
                2 => failed.retry_after(secs(7200)),
                3 => failed.ambiguous(),
                // Nothing is final here.
                4 => failed.permanent(),
                5 => {
                    assert!(current().unwrap().was_ambiguous());
                    failed
                }
                n => Ok(n),
            }
        })
    };
    let (value, report) = watched(value);
    assert_eq!((value, report.attempts()), (6, 6));
    assert!(report.delays().eq([secs(0), secs(7200), secs(1), secs(1), secs(1)]));
    let said: Vec<_> = report.history().iter().map(retry::PastAttempt::verdict).collect();
    assert_eq!(
        (said[0], said[2], said[3]),
        (Verdict::Retry.now(), Verdict::Ambiguous, Verdict::Retry)
    );
}

#[tokio::test(start_paused = true)]
async fn no_attempt_starts_after_the_time_that_a_gate_or_a_hook_has_taken() {
    async fn slowly(time: u64) -> bool {
        tokio::time::sleep(secs(time)).await;
        true
    }
    macro_rules! takes {
        ($time:literal, $stop:expr, $key:ident = $hook:expr) => {{
            #[retry(stop = $stop, wait = fixed(1s), on = any_error(), $key = $hook)]
            async fn call(calls: &mut u32) -> Result<(), u32> {
                *calls += 1;
                Err(*calls)
            }
            let (outcome, reports) = record(call(&mut 0)).await;
            (outcome.unwrap_err(), reports[0].reason(), reports[0].elapsed().unwrap())
        }};
    }
    let time = StopReason::Time;
    // 1 s of pause and 4 s of the gate: the limit is reached, and reached is over.
    let gate = takes!(4, within(5s), gate = async |_, _| slowly(4).await);
    assert_eq!(gate, (1, time, secs(5)));
    let gate = takes!(4, within(5001ms), gate = async |_, _| slowly(4).await);
    assert_eq!(gate, (2, time, secs(5)));
    let hook = takes!(
        4,
        within(5s),
        before_sleep = async |_, _| {
            slowly(4).await;
        }
    );
    assert_eq!(hook, (1, time, secs(4)));
    let hook = takes!(
        4,
        within(5s),
        after = async |_, _| {
            slowly(4).await;
        }
    );
    assert_eq!(hook, (1, time, secs(4)));
    // `elapsed` lets the last attempt start late.
    let late = takes!(4, elapsed(5s), gate = async |_, _| slowly(4).await);
    assert_eq!(late, (2, time, secs(5)));
}
