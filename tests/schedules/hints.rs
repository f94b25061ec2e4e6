use super::*;

use retry::{Policy, Step, on, stop, wait};

/// The other side asks for a wait.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Busy {
    attempt: u32,
    asked: Duration,
}

impl Busy {
    fn verdict(&self) -> Verdict {
        Verdict::Retry.retry_after(self.asked)
    }
}

/// The delays, and the number of the last attempt, of a call whose failures ask for these
/// waits one after the other, and then for none.
macro_rules! asked {
    ([$($hint:expr),+], $($key:tt)+) => {{
        #[retry($($key)+, on = Busy::verdict, sleep = |delay| log.pause(delay))]
        async fn call(log: &mut Log) -> Result<(), Busy> {
            let attempt = log.attempt();
            let hints = [$($hint),+];
            let hint = usize::try_from(attempt).unwrap() - 1;
            Err(Busy { attempt, asked: hints.get(hint).copied().unwrap_or_default() })
        }
        let mut log = Log::new();
        let last = call(&mut log).await.unwrap_err();
        assert_eq!(usize::try_from(last.attempt).unwrap(), log.attempts());
        (log.sleeps, last.attempt)
    }};
}

#[tokio::test(start_paused = true)]
async fn a_hint_is_a_floor_under_the_backoff() {
    let (delays, last) =
        asked!([ms(50), ms(5000), ms(399)], stop = attempts(5), wait = exponential(100ms));
    // Longer than the first and the third backoff, shorter than the second.
    assert_eq!((delays, last), (all_ms([100, 5000, 400, 800]), 5));
}

#[tokio::test(start_paused = true)]
async fn a_hint_lifts_a_wait_of_none_and_beats_a_cap() {
    assert_eq!(asked!([ms(70)], stop = attempts(2), wait = none()).0, all_ms([70]));
    let capped = asked!([secs(9)], stop = attempts(2), wait = exponential(100ms).cap(1s));
    assert_eq!(capped.0, [secs(9)]);
}

#[test]
fn additive_jitter_comes_on_top_of_a_hint() {
    #[retry(
        stop = attempts(2),
        wait = fixed(1s).jitter(100ms),
        on = Busy::verdict,
        sleep = |delay| log.sleep(delay),
    )]
    fn call(log: &mut Log) -> Result<(), Busy> {
        Err(Busy { attempt: log.attempt(), asked: secs(3) })
    }
    let drawn = (0..600).map(|_| {
        let mut log = Log::new();
        assert!(call(&mut log).is_err());
        log.sleeps[0]
    });
    assert_spread(drawn, secs(3), ms(3100));
}

#[test]
fn jitter_that_only_comes_early_does_not_come_before_the_hint() {
    #[retry(
        stop = attempts(20),
        wait = fixed(4s).full_jitter(),
        on = Busy::verdict,
        sleep = |delay| log.sleep(delay),
    )]
    fn call(log: &mut Log) -> Result<(), Busy> {
        Err(Busy { attempt: log.attempt(), asked: secs(3) })
    }
    let drawn: Vec<_> = (0..40)
        .flat_map(|_| {
            let mut log = Log::new();
            assert!(call(&mut log).is_err());
            log.sleeps
        })
        .collect();
    assert!(drawn.iter().all(|delay| (secs(3)..=secs(4)).contains(delay)));
    // A quarter of the draws lies above the hint, the rest is lifted to it and spread by a tenth of it.
    let (lifted, above): (Vec<_>, Vec<_>) = drawn.into_iter().partition(|delay| *delay <= ms(3300));
    assert!(lifted.len() > above.len() && !above.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_hint_that_does_not_fit_the_remaining_time_gives_up_at_once() {
    // 9.9 s remain after the first failure and the first wait.
    let fits = asked!([ms(0), ms(9899)], stop = within(10s), wait = fixed(100ms));
    assert_eq!(fits.0, all_ms([100, 9899]));
    let reaches = asked!([ms(0), ms(9900)], stop = within(10s), wait = fixed(100ms));
    assert_eq!(reaches, (all_ms([100]), 2));
    let exceeds = asked!([ms(0), secs(3600)], stop = within(10s), wait = fixed(100ms));
    assert_eq!(exceeds, (all_ms([100]), 2));
}

#[tokio::test(start_paused = true)]
async fn a_timed_call_grants_more_than_a_minute_if_it_fits() {
    let granted = asked!([secs(600)], stop = within(1h) | attempts(2), wait = fixed(100ms));
    assert_eq!(granted, (vec![secs(600)], 2));
    let granted = asked!([secs(600)], stop = elapsed(1h) | attempts(2), wait = fixed(100ms));
    assert_eq!(granted, (vec![secs(600)], 2));
}

#[tokio::test(start_paused = true)]
async fn where_both_of_two_limits_must_be_reached_the_later_one_grants() {
    let granted = asked!([secs(10)], stop = within(5s) & within(12s), wait = fixed(1s));
    assert_eq!(granted, (vec![secs(10), secs(1)], 3));
    let refused = asked!([secs(12)], stop = within(5s) & within(12s), wait = fixed(1s));
    assert_eq!(refused, (vec![], 1));
    // Where one of them is no limit in time, there is none.
    let granted = asked!([secs(10)], stop = within(5s) & attempts(3), wait = fixed(1s));
    assert_eq!(granted, (vec![secs(10), secs(1)], 3));
}

#[tokio::test(start_paused = true)]
async fn an_untimed_call_grants_a_minute_and_no_more() {
    let granted = asked!([secs(60)], stop = attempts(2), wait = fixed(100ms));
    assert_eq!(granted, (vec![secs(60)], 2));
    let refused = asked!([ms(60_001)], stop = attempts(5), wait = fixed(100ms));
    assert_eq!(refused, (vec![], 1));
}

#[tokio::test(start_paused = true)]
async fn a_backoff_longer_than_a_minute_is_not_a_hint() {
    let (delays, last) = asked!([secs(60)], stop = attempts(3), wait = fixed(1h));
    assert_eq!((delays, last), (vec![secs(3600), secs(3600)], 3));
}

#[tokio::test(start_paused = true)]
async fn max_hint_says_how_long_the_other_side_may_ask_for() {
    let granted = asked!([secs(5)], stop = attempts(2), wait = fixed(1s), max_hint = 5s);
    assert_eq!(granted, (vec![secs(5)], 2));
    let refused = asked!([ms(5001)], stop = attempts(2), wait = fixed(1s), max_hint = 5s);
    assert_eq!(refused, (vec![], 1));
    // More than the default minute.
    let granted = asked!([secs(7200)], stop = attempts(2), wait = fixed(1s), max_hint = 2h);
    assert_eq!(granted, (vec![secs(7200)], 2));
    // Within it, but not within the time that remains.
    let refused = asked!([secs(5)], stop = within(5s), wait = fixed(1s), max_hint = 10s);
    assert_eq!(refused, (vec![], 1));
}

#[tokio::test(start_paused = true)]
async fn a_clamped_hint_waits_the_clamp_and_goes_on() {
    let clamped = asked!(
        [secs(3600), secs(2), secs(11)],
        stop = attempts(4),
        wait = fixed(1s),
        max_hint = clamp(10s)
    );
    assert_eq!(clamped, (vec![secs(10), secs(2), secs(10)], 4));
    // The backoff still counts where it is longer than the clamp.
    let longer = asked!([secs(3600)], stop = attempts(2), wait = fixed(30s), max_hint = clamp(10s));
    assert_eq!(longer, (vec![secs(30)], 2));
    // What is clamped must fit the remaining time all the same.
    let refused = asked!([secs(3600)], stop = within(9s), wait = fixed(1s), max_hint = clamp(10s));
    assert_eq!(refused, (vec![], 1));
}

#[tokio::test(start_paused = true)]
async fn max_hint_may_come_from_an_argument_and_change_between_failures() {
    #[retry(
        stop = attempts(9),
        wait = fixed(1s),
        max_hint = limit.get(),
        on = Busy::verdict,
        sleep = |delay| log.pause(delay),
    )]
    async fn call(log: &mut Log, limit: &Cell<Duration>) -> Result<(), Busy> {
        let attempt = log.attempt();
        if attempt == 3 {
            limit.set(secs(4));
        }
        Err(Busy { attempt, asked: secs(5) })
    }
    let mut log = Log::new();
    let limit = Cell::new(secs(5));
    assert_eq!(call(&mut log, &limit).await.unwrap_err().attempt, 3);
    assert_eq!(log.sleeps, [secs(5), secs(5)]);
}

#[tokio::test(start_paused = true)]
async fn a_hint_does_not_disturb_the_backoff_that_follows_it() {
    let (delays, _) =
        asked!([ms(0), secs(30)], stop = attempts(5), wait = exponential(100ms).cap(10s));
    assert_eq!(delays, all_ms([100, 30_000, 400, 800]));
    // `decorrelated` goes on from its own value, not from the hint.
    let (delays, _) = asked!([secs(50)], stop = attempts(3), wait = decorrelated(100ms, 20s));
    assert!((secs(50)..=secs(55)).contains(&delays[0]), "{delays:?}");
    assert!((ms(100)..=ms(900)).contains(&delays[1]), "{delays:?}");
}

#[tokio::test(start_paused = true)]
async fn of_two_conditions_with_hints_the_longer_counts() {
    #[retry(
        stop = attempts(2),
        wait = fixed(1s),
        on = (|it: &Busy| Verdict::Retry.retry_after(it.asked)) | (|_| Verdict::Retry.retry_after(7s)),
        sleep = |delay| log.pause(delay),
    )]
    async fn call(log: &mut Log, asked: Duration) -> Result<(), Busy> {
        Err(Busy { attempt: log.attempt(), asked })
    }
    for (asked, slept) in [(secs(3), secs(7)), (secs(9), secs(9))] {
        let mut log = Log::new();
        assert!(call(&mut log, asked).await.is_err());
        assert_eq!(log.sleeps, [slept]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_hint_is_waited_in_place_of_the_backoff_if_the_policy_says_so() {
    let (delays, last) = asked!(
        [ms(50), ms(5000), ms(30)],
        stop = attempts(5),
        wait = exponential(100ms).unless_hinted(),
        max_hint = 1m
    );
    // The last failure asks for no wait at all, and for that nobody sleeps.
    assert_eq!((delays, last), (all_ms([50, 5000, 30]), 5));
}

#[tokio::test(start_paused = true)]
async fn a_backoff_in_whose_place_a_hint_was_waited_goes_on_where_it_was() {
    #[retry(
        stop = attempts(7),
        wait = exponential(100ms).throttled(exponential(1s)).unless_hinted(),
        on = |()| Verdict::Retry.throttled() & verdict.get(),
        after = |_, _| verdict.set(verdicts.next().unwrap()),
        sleep = |delay| log.pause(delay),
    )]
    async fn call(
        log: &mut Log,
        verdict: &Cell<Verdict>,
        verdicts: &mut std::vec::IntoIter<Verdict>,
    ) -> Result<(), ()> {
        log.attempt();
        Err(())
    }
    let (plain, hint) = (Verdict::Retry, Verdict::Retry.retry_after(ms(7)));
    let mut verdicts = vec![hint, plain, hint, hint, plain, plain, plain].into_iter();
    let mut log = Log::new();
    call(&mut log, &Cell::new(plain), &mut verdicts).await.unwrap_err();
    assert_eq!(log.sleeps, all_ms([1000, 7, 2000, 7, 7, 4000]));
}

#[tokio::test(start_paused = true)]
async fn a_hint_in_place_of_the_backoff_must_fit_like_any_other() {
    let refused =
        asked!([secs(5)], stop = within(5s), wait = fixed(1s).unless_hinted(), max_hint = 10s);
    assert_eq!(refused, (vec![], 1));
    let clamped = asked!(
        [secs(50)],
        stop = attempts(2),
        wait = fixed(30s).unless_hinted(),
        max_hint = clamp(10s)
    );
    assert_eq!(clamped, (vec![secs(10)], 2));
}

#[tokio::test(start_paused = true)]
async fn shapers_behind_it_hold_for_the_hint_too() {
    let floor = asked!([ms(5)], stop = attempts(2), wait = fixed(30s).unless_hinted().floor(1s));
    assert_eq!(floor.0, [secs(1)]);
    let sum = asked!([ms(5)], stop = attempts(2), wait = fixed(30s).unless_hinted() + fixed(1s));
    assert_eq!(sum.0, [secs(1)]);
}

#[tokio::test(start_paused = true)]
async fn decorrelated_forgets_nothing_while_the_other_side_says_how_long() {
    // It is drawn at its most: three times the one before.
    let waits = |hinted: bool| {
        let policy = Policy::new(
            stop::attempts(9),
            wait::decorrelated(secs(1), secs(100)).unless_hinted(),
            on::any_error(),
        );
        retry::retry_with().draw(1.0).sync_scope(|| {
            let mut schedule = policy.into_schedule();
            let mut wait = |verdict| schedule.failed_with(verdict).delay().unwrap().as_secs();
            let first = wait(Verdict::Retry);
            if hinted {
                assert_eq!(wait(Verdict::Retry.retry_after(secs(10))), 11);
            }
            (first, wait(Verdict::Retry))
        })
    };
    assert_eq!((waits(false), waits(true)), ((3, 9), (3, 9)));
}

#[test]
fn a_function_as_the_backoff_does_not_end_a_call_that_was_told_when_to_come_back() {
    let never = wait::by(|_| None::<Duration>).unless_hinted();
    let mut schedule = Policy::new(stop::attempts(9), never, on::any_error()).into_schedule();
    let step = schedule.failed_with(Verdict::Retry.retry_after(secs(3)));
    assert_eq!(step, Step::Wait(secs(3)));
    assert_eq!(schedule.failed_with(Verdict::Retry), Step::Stop(StopReason::Custom));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_goes_on_forever_grants_more_than_a_minute_whatever_is_hooked_in() {
    let granted = [secs(600)];
    macro_rules! waited {
        ($($key:tt)+) => {{
            #[retry(
                wait = none(),
                on = |it: &Busy| if it.attempt < 3 { it.verdict() } else { Verdict::Final },
                sleep = |delay| log.pause(delay),
                $($key)+
            )]
            async fn call(log: &mut Log) -> Result<(), Busy> {
                let attempt = log.attempt();
                Err(Busy { attempt, asked: minutes(attempt) })
            }
            let mut log = Log::new();
            call(&mut log).await.unwrap_err();
            log.sleeps
        }};
    }
    fn minutes(attempt: u32) -> Duration {
        if attempt == 1 { secs(600) } else { secs(0) }
    }
    assert_eq!(waited!(forever), granted);
    assert_eq!(waited!(forever, after = |_, _| ()), granted);
    assert_eq!(waited!(stop = attempts(9)), []);
    assert_eq!(waited!(stop = attempts(9), after = |_, _| ()), []);
}
