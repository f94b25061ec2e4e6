//! Several that can do the same are tried in turn: the next at once, and without using up an attempt.

use super::*;

use retry::{Budget, Mark, Step, policy, record_sync, retry_with};

/// Asks one host after the other; which were asked, and the waits in between in milliseconds.
fn asked(hosts: usize, up: Option<usize>) -> (Vec<usize>, Vec<u64>, Option<StopReason>) {
    #[retry(stop = attempts(3), wait = exponential(100ms), on = any_error(), name = "turns")]
    fn ask(hosts: usize, up: Option<usize>, asked: &mut Vec<usize>) -> Result<(), &'static str> {
        let host = asked.len() % hosts;
        asked.push(host);
        if up == Some(asked.len()) { Ok(()) } else { Err("down").next_of(hosts) }
    }
    let mut asked = Vec::new();
    let run = || retry_with().virtual_time().sync_scope(|| ask(hosts, up, &mut asked).is_ok());
    let (is_ok, reports) = record_sync(run);
    let report = &reports[0];
    assert_eq!(usize::try_from(report.attempts()).unwrap(), asked.len());
    let waits = report.delays().map(|delay| u64::try_from(delay.as_millis()).unwrap()).collect();
    (asked, waits, (!is_ok).then(|| report.reason()))
}

#[test]
fn each_round_is_one_attempt_and_one_wait() {
    let (hosts, waits, reason) = asked(3, None);
    assert_eq!(hosts, [0, 1, 2, 0, 1, 2, 0, 1, 2]);
    assert_eq!(waits, [0, 0, 100, 0, 0, 200, 0, 0]);
    assert_eq!(reason, Some(StopReason::Attempts));
}

#[test]
fn a_round_ends_with_the_one_that_answers() {
    assert_eq!(asked(3, Some(5)), (vec![0, 1, 2, 0, 1], vec![0, 0, 100, 0], None));
    assert_eq!(asked(3, Some(2)), (vec![0, 1], vec![0], None));
}

#[test]
fn one_alone_has_no_turns() {
    let every = (vec![0, 0, 0], vec![100, 200], Some(StopReason::Attempts));
    assert_eq!(asked(1, None), every);
}

#[test]
fn a_single_attempt_is_one_round() {
    #[retry(stop = attempts(most), wait = fixed(1h), on = any_error())]
    fn ask(most: u32, calls: &mut u32) -> Result<(), ()> {
        *calls += 1;
        Err(()).next_of(4)
    }
    for most in [0, 1] {
        let mut calls = 0;
        ask(most, &mut calls).unwrap_err();
        assert_eq!(calls, 4, "{most}");
    }
}

#[test]
fn only_failures_in_a_row_make_a_round() {
    let next = Verdict::Retry.next_of(3);
    let policy = policy! { stop = attempts(3), wait = fixed(1s) };
    let mut schedule = policy.into_schedule();
    let mut delay = |verdict| schedule.failed_with(verdict).delay();
    assert_eq!(delay(next), Ok(secs(0)));
    // Something else went wrong: that counts, and the turns begin anew.
    assert_eq!(delay(Verdict::Retry), Ok(secs(1)));
    assert_eq!([delay(next), delay(next), delay(next)], [Ok(secs(0)), Ok(secs(0)), Ok(secs(1))]);
    assert_eq!([delay(next), delay(next)], [Ok(secs(0)), Ok(secs(0))]);
    assert_eq!(delay(next), Err(StopReason::Attempts));
}

#[test]
fn a_schedule_counts_and_stores_only_what_uses_an_attempt_up() {
    let policy = policy! { stop = attempts(3), wait = fixed(1s) };
    let mut schedule = policy.into_schedule();
    let next = Verdict::Retry.next_of(2);
    let mut told = || {
        assert!(schedule.failed_with(next).delay().is_ok());
        (schedule.attempts(), schedule.left())
    };
    assert_eq!([told(), told()], [(0, Some(3)), (1, Some(2))]);
    assert_eq!([told(), told()], [(1, Some(2)), (2, Some(1))]);
}

#[test]
fn the_time_ends_it_in_the_middle_of_a_round() {
    #[retry(stop = within(3s), wait = none(), on = any_error(), sleep = |delay| log.sleep(delay))]
    fn ask(log: &mut Log) -> Result<(), ()> {
        Err(()).next_of(usize::try_from(log.attempt()).unwrap() + 9).retry_after(secs(2))
    }
    let mut log = Log::new();
    let (_, reports) = record_sync(|| retry_with().virtual_time().sync_scope(|| ask(&mut log)));
    // The one that has failed still says when it wants to be asked again.
    assert!(reports[0].delays().eq([secs(2)]));
    assert_eq!(reports[0].reason(), StopReason::HintTooLong);
}

#[test]
fn every_retry_is_paid_for() {
    static BUDGET: Budget = Budget::new(30);
    #[retry(stop = attempts(3), wait = none(), on = any_error(), budget = &BUDGET)]
    fn ask(calls: &mut u32) -> Result<(), ()> {
        *calls += 1;
        Err(()).next_of(9)
    }
    let mut calls = 0;
    ask(&mut calls).unwrap_err();
    assert_eq!(calls, 3);
}

#[test]
fn it_knows_how_many_attempts_are_left_and_a_reset_gives_back_all() {
    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    fn ask(left: &mut Vec<Option<u32>>) -> Result<(), ()> {
        let attempt = retry::current().unwrap();
        left.push(attempt.left());
        if left.len() == 3 {
            attempt.progress();
        }
        Err(()).next_of(2)
    }
    let mut left = Vec::new();
    ask(&mut left).unwrap_err();
    // Two, two that do not end since the first of them was healthy, and what is left of two.
    assert_eq!(left, [1, 1, 0, 1, 0, 0].map(Some));
}

#[tokio::test(start_paused = true)]
async fn async_calls_and_policies_take_turns_too() {
    let policy = policy! { stop = attempts(2), wait = fixed(1s), on = any_error() };
    let (mut calls, start) = (0, Instant::now());
    let outcome = policy
        .call_async(|| {
            calls += 1;
            async { Err::<(), _>("down").next_of(3) }
        })
        .await;
    assert_eq!((outcome, calls, start.elapsed()), (Err("down"), 6, secs(1)));
}

#[test]
fn a_condition_may_say_it_too() {
    #[retry(
        stop = attempts(2),
        wait = none(),
        on = |status: &u16| match status {
            503 => Verdict::Retry.next_of(3),
            _ => Verdict::Final,
        },
    )]
    fn ask(calls: &mut u32) -> Result<(), u16> {
        *calls += 1;
        Err(if *calls < 5 { 503 } else { 404 })
    }
    let mut calls = 0;
    assert_eq!((ask(&mut calls), calls), (Err(404), 5));
}

#[test]
fn a_step_at_once_is_a_wait_of_zero() {
    let policy = policy! { stop = attempts(2), wait = fixed(1s) };
    let step = policy.into_schedule().failed_with(Verdict::Retry.next_of(2));
    assert_eq!(step, Step::Wait(Duration::ZERO));
}
