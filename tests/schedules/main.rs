//! When each attempt starts, for every strategy and everything that moves a schedule: through the
//! attribute, on tokio's paused clock, or with the delays recorded by `sleep = …`.

// Moments and bounds in ascending order are subtracted, and a macro writes functions in place.
#![allow(clippy::unchecked_time_subtraction, clippy::items_after_statements)]
#![allow(clippy::unwrap_used)] // a test that cannot go on should say where
#![allow(clippy::expect_used, clippy::panic)] // panics are what some of these tests are about
#![allow(missing_docs, unreachable_pub)]

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use retry::{Delay, State, Stop, StopReason, Verdict, Wait, retry};
use tokio::time::Instant;

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

const fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

/// Several durations in milliseconds.
fn all_ms<const N: usize>(millis: [u64; N]) -> Vec<Duration> {
    millis.map(ms).to_vec()
}

/// What happened in a call, as its body and its sleep see it.
#[derive(Debug)]
struct Log {
    start: Instant,
    /// When each attempt started, on tokio's clock, counted from the log's own start.
    starts: Vec<Duration>,
    /// What each sleep was asked for; a wait of zero does not ask.
    sleeps: Vec<Duration>,
}

impl Log {
    fn new() -> Self {
        Self { start: Instant::now(), starts: Vec::new(), sleeps: Vec::new() }
    }

    /// Notes the start of an attempt and gives its number, from 1.
    fn attempt(&mut self) -> u32 {
        self.starts.push(self.start.elapsed());
        u32::try_from(self.starts.len()).unwrap()
    }

    fn attempts(&self) -> usize {
        self.starts.len()
    }

    /// From the start of one attempt to the start of the next.
    fn gaps(&self) -> Vec<Duration> {
        self.starts.windows(2).map(|pair| pair[1] - pair[0]).collect()
    }

    /// Notes the delay of a sync call instead of sleeping.
    fn sleep(&mut self, delay: Duration) {
        self.sleeps.push(delay);
    }

    /// Notes the delay of an async call, and sleeps.
    fn pause(&mut self, delay: Duration) -> tokio::time::Sleep {
        self.sleeps.push(delay);
        tokio::time::sleep(delay)
    }
}

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

mod waits {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn none_waits_not_at_all() {
        assert_eq!(delays!(4, none()), all_ms([0, 0, 0, 0]));
    }

    #[tokio::test(start_paused = true)]
    async fn fixed_waits_the_same_every_time() {
        assert_eq!(delays!(4, fixed(250ms)), all_ms([250; 4]));
    }

    #[tokio::test(start_paused = true)]
    async fn a_delay_of_zero_is_a_fine_delay() {
        assert_eq!(delays!(3, fixed(0ms)), all_ms([0; 3]));
        assert_eq!(delays!(4, sequence([0ms, 10ms, 0ms])), all_ms([0, 10, 0, 0]));
        assert_eq!(delays!(4, linear(0s, 50ms)), all_ms([0, 50, 100, 150]));
    }

    #[tokio::test(start_paused = true)]
    async fn linear_grows_by_its_step() {
        assert_eq!(delays!(5, linear(100ms, 50ms)), all_ms([100, 150, 200, 250, 300]));
    }

    #[tokio::test(start_paused = true)]
    async fn exponential_doubles_unless_told_another_factor() {
        assert_eq!(delays!(6, exponential(100ms)), all_ms([100, 200, 400, 800, 1600, 3200]));
        assert_eq!(delays!(4, exponential(100ms).factor(3)), all_ms([100, 300, 900, 2700]));
        assert_eq!(delays!(4, exponential(80ms).factor(1.5)), all_ms([80, 120, 180, 270]));
        assert_eq!(delays!(3, exponential(80ms).factor(1)), all_ms([80, 80, 80]));
    }

    #[tokio::test(start_paused = true)]
    async fn fibonacci_adds_the_two_before() {
        assert_eq!(delays!(7, fibonacci(10ms)), all_ms([10, 10, 20, 30, 50, 80, 130]));
    }

    #[tokio::test(start_paused = true)]
    async fn a_sequence_repeats_its_last_delay() {
        assert_eq!(
            delays!(5, sequence([1s, 5s, 30s])),
            all_ms([1000, 5000, 30_000, 30_000, 30_000])
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_sequence_from_a_list_that_is_empty_at_run_time_waits_not_at_all() {
        assert_eq!(delays!(3, sequence(Vec::new())), all_ms([0, 0, 0]));
        assert_eq!(delays!(3, sequence(vec![ms(7), ms(9)])), all_ms([7, 9, 9]));
    }

    #[tokio::test(start_paused = true)]
    async fn what_follows_the_first_few_waits_counts_from_one_again() {
        let delays = delays!(6, fixed(10ms).times(2).then(exponential(100ms)));
        assert_eq!(delays, all_ms([10, 10, 100, 200, 400, 800]));
        let delays = delays!(5, none().times(1).then(linear(50ms, 50ms)));
        assert_eq!(delays, all_ms([0, 50, 100, 150, 200]));
    }

    #[tokio::test(start_paused = true)]
    async fn three_phases_follow_each_other() {
        let delays =
            delays!(7, fixed(1ms).times(2).then(fixed(10ms).times(2).then(exponential(100ms))));
        assert_eq!(delays, all_ms([1, 1, 10, 10, 100, 200, 400]));
    }

    #[tokio::test(start_paused = true)]
    async fn a_sum_waits_both() {
        let delays = delays!(4, exponential(100ms).cap(300ms) + fixed(5ms));
        assert_eq!(delays, all_ms([105, 205, 305, 305]));
        assert_eq!(
            delays!(3, fixed(1ms) + fixed(10ms) + linear(100ms, 100ms)),
            all_ms([111, 211, 311])
        );
    }

    #[tokio::test(start_paused = true)]
    async fn of_two_strategies_the_longer_or_the_shorter_delay_can_be_had() {
        let longer = delays!(5, exponential(100ms).max(fixed(500ms)));
        assert_eq!(longer, all_ms([500, 500, 500, 800, 1600]));
        let shorter = delays!(5, exponential(100ms).min(fixed(500ms)));
        assert_eq!(shorter, all_ms([100, 200, 400, 500, 500]));
    }

    #[tokio::test(start_paused = true)]
    async fn closures_and_functions_say_how_long() {
        fn quadratic(state: &State) -> Duration {
            ms(u64::from(state.attempt()).pow(2))
        }
        assert_eq!(
            delays!(4, |state| ms(10 * u64::from(state.attempt()))),
            all_ms([10, 20, 30, 40])
        );
        assert_eq!(delays!(4, by(|state| 3ms * state.attempt())), all_ms([3, 6, 9, 12]));
        assert_eq!(delays!(4, by(quadratic)), all_ms([1, 4, 9, 16]));
        assert_eq!(
            delays!(3, fixed(100ms) + (|state| 1ms * state.attempt())),
            all_ms([101, 102, 103])
        );
        assert_eq!(delays!(3, by(|_| Delay::from(ms(20))).cap(10ms)), all_ms([10, 10, 10]));
    }

    #[tokio::test(start_paused = true)]
    async fn a_type_of_ones_own_is_a_strategy_like_any_other() {
        struct Odd;
        impl Wait for Odd {
            fn delay(&self, state: &State) -> Delay {
                ms(u64::from(2 * state.attempt() - 1)).into()
            }
        }
        assert_eq!(delays!(4, Odd), all_ms([1, 3, 5, 7]));
        assert_eq!(delays!(4, (Odd + fixed(10ms)).cap(14ms)), all_ms([11, 13, 14, 14]));
        assert_eq!(delays!(3, &Odd as &dyn Wait), all_ms([1, 3, 5]));
        assert_eq!(delays!(3, Box::new(Odd) as Box<dyn Wait>), all_ms([1, 3, 5]));
    }

    #[tokio::test(start_paused = true)]
    async fn the_strategy_can_be_chosen_by_an_if_or_a_match() {
        for (urgent, expected) in [(true, [1, 1, 1]), (false, [100, 100, 100])] {
            #[retry(
                stop = attempts(4),
                wait = if urgent { fixed(1ms) } else { fixed(100ms) },
                on = any_error(),
            )]
            async fn call(log: &mut Log, urgent: bool) -> Result<(), u32> {
                Err(log.attempt())
            }
            let mut log = Log::new();
            assert_eq!(call(&mut log, urgent).await, Err(4));
            assert_eq!(log.gaps(), all_ms(expected));
        }
    }

    #[test]
    fn random_uses_all_of_its_range_every_time() {
        let drawn = drawn!(300 calls, 2 failures, random(50ms..150ms));
        assert_spread(drawn.concat(), ms(50), ms(150));
        // Zero is a fine start of a range.
        assert_spread(drawn!(500 calls, 1 failures, random(0ms..50ms)).concat(), ms(0), ms(50));
    }

    #[test]
    fn decorrelated_draws_up_to_three_times_its_own_previous_delay() {
        let drawn = drawn!(600 calls, 8 failures, decorrelated(100ms, 2s));
        assert_spread(nth(&drawn, 0), ms(100), ms(300));
        for call in &drawn {
            for pair in call.windows(2) {
                let most = (pair[0] * 3).min(secs(2));
                assert!((ms(100)..=most).contains(&pair[1]), "{call:?}");
            }
        }
        // It grows, up to the cap.
        assert!(nth(&drawn, 7).any(|delay| delay > ms(1800)));
    }

    #[tokio::test(start_paused = true)]
    async fn an_async_call_sleeps_what_was_drawn() {
        #[retry(
            stop = attempts(6),
            wait = random(50ms..150ms),
            on = any_error(),
            sleep = |delay| log.pause(delay),
        )]
        async fn call(log: &mut Log) -> Result<(), u32> {
            Err(log.attempt())
        }
        let mut log = Log::new();
        assert_eq!(call(&mut log).await, Err(6));
        for (gap, asked) in log.gaps().into_iter().zip(&log.sleeps) {
            // tokio's timer goes by whole milliseconds, and never ends early.
            assert!(gap >= *asked && gap < *asked + ms(2), "{log:?}");
        }
        assert_eq!(log.sleeps.len(), 5);
    }
}

mod shapers {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_cap_limits_the_growth() {
        let delays = delays!(6, exponential(100ms).cap(1s));
        assert_eq!(delays, all_ms([100, 200, 400, 800, 1000, 1000]));
    }

    #[tokio::test(start_paused = true)]
    async fn a_floor_lifts_what_is_too_short() {
        let delays = delays!(5, exponential(100ms).floor(300ms));
        assert_eq!(delays, all_ms([300, 300, 400, 800, 1600]));
        assert_eq!(delays!(2, none().floor(20ms)), all_ms([20, 20]));
    }

    #[tokio::test(start_paused = true)]
    async fn a_floor_beats_a_cap_in_whatever_order() {
        let floor = ms(500);
        let capped = |log: Log| log.gaps();
        #[retry(stop = attempts(5), wait = exponential(100ms).cap(300ms).floor(floor), on = any_error())]
        async fn floor_last(log: &mut Log, floor: Duration) -> Result<(), u32> {
            Err(log.attempt())
        }
        #[retry(stop = attempts(5), wait = exponential(100ms).floor(floor).cap(300ms), on = any_error())]
        async fn floor_first(log: &mut Log, floor: Duration) -> Result<(), u32> {
            Err(log.attempt())
        }
        let mut log = Log::new();
        assert_eq!(floor_last(&mut log, floor).await, Err(5));
        assert_eq!(capped(log), all_ms([500; 4]));
        let mut log = Log::new();
        assert_eq!(floor_first(&mut log, floor).await, Err(5));
        assert_eq!(capped(log), all_ms([500; 4]));
    }

    #[test]
    fn full_jitter_draws_from_zero_to_the_delay() {
        let drawn = drawn!(600 calls, 3 failures, exponential(100ms).full_jitter());
        for (n, most) in [100, 200, 400].into_iter().enumerate() {
            assert_spread(nth(&drawn, n), ms(0), ms(most));
        }
    }

    #[test]
    fn equal_jitter_draws_from_half_the_delay_to_the_delay() {
        let drawn = drawn!(600 calls, 3 failures, exponential(100ms).equal_jitter());
        for (n, most) in [100, 200, 400].into_iter().enumerate() {
            assert_spread(nth(&drawn, n), ms(most / 2), ms(most));
        }
    }

    #[test]
    fn additive_jitter_comes_on_top() {
        let drawn = drawn!(600 calls, 3 failures, exponential(100ms).jitter(50ms));
        for (n, least) in [100, 200, 400].into_iter().enumerate() {
            assert_spread(nth(&drawn, n), ms(least), ms(least + 50));
        }
    }

    #[test]
    fn a_jitter_factor_comes_early_by_at_most_its_part() {
        let drawn = drawn!(600 calls, 3 failures, exponential(100ms).jitter_factor(0.2));
        for (n, most) in [100, 200, 400].into_iter().enumerate() {
            assert_spread(nth(&drawn, n), ms(most * 8 / 10), ms(most));
        }
    }

    #[test]
    fn a_cap_keeps_the_spread_wherever_it_is_written() {
        // A cap that cut off what is above it would give most callers exactly one second.
        let before = drawn!(600 calls, 6 failures, exponential(500ms).cap(1s).full_jitter());
        assert_spread(nth(&before, 5), ms(0), secs(1));
        let after = drawn!(600 calls, 6 failures, exponential(500ms).full_jitter().cap(1s));
        assert_spread(nth(&after, 5), ms(0), secs(1));
        let random = drawn!(600 calls, 1 failures, random(1s..4s).cap(2s));
        assert_spread(random.concat(), ms(500), secs(2));
        let sum = drawn!(600 calls, 1 failures, (random(0ms..3s) + random(0ms..1s)).cap(400ms));
        assert!(sum.concat().iter().all(|delay| *delay <= ms(400)));
        assert!(sum.concat().iter().filter(|delay| **delay == ms(400)).count() < 10);
    }

    #[test]
    fn a_thousand_clients_on_their_sixth_attempt_do_not_come_together() {
        let drawn = drawn!(1000 calls, 6 failures, exponential(500ms).full_jitter().cap(8s));
        let mut slots: Vec<_> = nth(&drawn, 5).map(|delay| delay.as_millis() / 100).collect();
        slots.sort_unstable();
        slots.dedup();
        assert!(slots.len() >= 78, "{} slots", slots.len());
    }

    #[test]
    fn additive_jitter_exceeds_a_cap_by_its_width_at_most() {
        let drawn = drawn!(600 calls, 6 failures, exponential(500ms).jitter(100ms).cap(1s));
        assert_spread(nth(&drawn, 5), secs(1), ms(1100));
    }

    #[test]
    fn each_part_of_a_sum_keeps_its_own_jitter() {
        let drawn = drawn!(600 calls, 1 failures, fixed(1s) + fixed(100ms).full_jitter());
        assert_spread(drawn.concat(), secs(1), ms(1100));
    }

    #[test]
    fn every_wait_of_every_call_is_drawn_anew() {
        let drawn = drawn!(20 calls, 20 failures, fixed(1h).full_jitter());
        let mut all = drawn.concat();
        all.sort_unstable();
        all.dedup();
        // 400 numbers of 3.6 · 10^12: two are the same once in 10^8 runs.
        assert_eq!(all.len(), 400);
    }
}

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

mod stops {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn attempts_counts_all_calls_the_first_included() {
        assert_eq!(starts!(stop = (attempts(2)), wait = (fixed(10ms))), [0, 10]);
        assert_eq!(starts!(stop = (attempts(4)), wait = (fixed(10ms))), [0, 10, 20, 30]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_configured_number_of_zero_or_one_attempts_still_makes_one() {
        #[retry(stop = attempts(n), wait = fixed(10ms), on = any_error())]
        async fn call(log: &mut Log, n: u32) -> Result<(), u32> {
            Err(log.attempt())
        }
        for n in [0, 1] {
            let mut log = Log::new();
            assert_eq!(call(&mut log, n).await, Err(1));
            assert_eq!(log.attempts(), 1);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn within_counts_the_coming_delay_and_elapsed_does_not() {
        let hundreds = [0, 100, 200, 300, 400];
        // An attempt at 500 ms would start at the limit, which counts as over it.
        assert_eq!(starts!(stop = (within(500ms)), wait = (fixed(100ms))), hundreds);
        assert_eq!(
            starts!(stop = (within(501ms)), wait = (fixed(100ms)))[..],
            [0, 100, 200, 300, 400, 500]
        );
        // The failure at 400 ms is not yet over the limit, so one more attempt starts at it.
        assert_eq!(
            starts!(stop = (elapsed(500ms)), wait = (fixed(100ms)))[..],
            [0, 100, 200, 300, 400, 500]
        );
        assert_eq!(starts!(stop = (elapsed(400ms)), wait = (fixed(100ms))), hundreds);
        assert_eq!(
            starts!(stop = (elapsed(401ms)), wait = (fixed(100ms)))[..],
            [0, 100, 200, 300, 400, 500]
        );
    }

    #[tokio::test(start_paused = true)]
    async fn within_stops_before_a_delay_that_would_be_too_long() {
        // 0, +100, +200, +400; the next 800 would end at 1500.
        assert_eq!(
            starts!(stop = (within(1500ms)), wait = (exponential(100ms))),
            [0, 100, 300, 700]
        );
        assert_eq!(
            starts!(stop = (within(1501ms)), wait = (exponential(100ms))),
            [0, 100, 300, 700, 1500]
        );
        // `elapsed` starts it late.
        assert_eq!(
            starts!(stop = (elapsed(701ms)), wait = (exponential(100ms))),
            [0, 100, 300, 700, 1500]
        );
    }

    #[tokio::test(start_paused = true)]
    async fn the_time_that_bodies_take_counts() {
        let starts = starts!(stop = (within(1s)), wait = (fixed(100ms)), takes = 300);
        assert_eq!(starts, [0, 400, 800]);
        // The fourth attempt ends at the limit exactly.
        assert_eq!(starts!(stop = (within(1s)), wait = (none()), takes = 250), [0, 250, 500, 750]);
        assert_eq!(starts!(stop = (elapsed(1s)), wait = (none()), takes = 250), [0, 250, 500, 750]);
        assert_eq!(
            starts!(stop = (elapsed(1001ms)), wait = (none()), takes = 250),
            [0, 250, 500, 750, 1000]
        );
    }

    #[tokio::test(start_paused = true)]
    async fn an_attempt_that_has_started_is_not_cut_short() {
        #[retry(stop = within(1s), wait = fixed(100ms), on = any_error())]
        async fn call(log: &mut Log) -> Result<Duration, ()> {
            if log.attempt() == 1 {
                return Err(());
            }
            tokio::time::sleep(secs(60)).await;
            Ok(log.start.elapsed())
        }
        assert_eq!(call(&mut Log::new()).await, Ok(ms(60_100)));
    }

    #[tokio::test(start_paused = true)]
    async fn until_is_within_for_a_moment_of_either_clock() {
        #[retry(stop = until(moment), wait = fixed(100ms), on = any_error())]
        async fn tokios(log: &mut Log, moment: Instant) -> Result<(), u32> {
            Err(log.attempt())
        }
        #[retry(stop = until(moment), wait = fixed(100ms), on = any_error())]
        async fn stds(log: &mut Log, moment: std::time::Instant) -> Result<(), u32> {
            Err(log.attempt())
        }
        for (limit, attempts) in [(299, 3), (300, 3), (301, 4), (0, 1)] {
            let mut log = Log::new();
            assert_eq!(tokios(&mut log, Instant::now() + ms(limit)).await, Err(attempts));
            let mut log = Log::new();
            let moment = Instant::now().into_std() + ms(limit);
            assert_eq!(stds(&mut log, moment).await, Err(attempts));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_moment_that_has_passed_never_retries_not_even_without_a_wait() {
        #[retry(stop = until(moment), wait = none(), on = any_error())]
        async fn call(log: &mut Log, moment: Instant) -> Result<(), u32> {
            Err(log.attempt())
        }
        let moment = Instant::now();
        tokio::time::advance(secs(5)).await;
        assert_eq!(call(&mut Log::new(), moment).await, Err(1));
    }

    #[test]
    fn a_sync_call_takes_a_moment_of_the_systems_clock() {
        #[retry(stop = until(moment), wait = fixed(1h), on = any_error(), sleep = |_| ())]
        fn call(log: &mut Vec<u8>, moment: std::time::Instant) -> Result<(), usize> {
            log.push(0);
            Err(log.len())
        }
        let now = std::time::Instant::now();
        // One that has passed, one that the delay goes past.
        assert_eq!(call(&mut Vec::new(), now), Err(1));
        assert_eq!(call(&mut Vec::new(), now + secs(60)), Err(1));
    }

    #[tokio::test(start_paused = true)]
    async fn either_of_two_bounds_ends_the_call() {
        let both = starts!(stop = (attempts(3) | within(1s)), wait = (fixed(100ms)));
        assert_eq!(both, [0, 100, 200]);
        let both = starts!(stop = (attempts(30) | within(250ms)), wait = (fixed(100ms)));
        assert_eq!(both, [0, 100, 200]);
        let three = starts!(
            stop = (attempts(30) | within(1s) | when(|state| state.elapsed() >= 150ms)),
            wait = (fixed(100ms))
        );
        assert_eq!(three, [0, 100, 200]);
    }

    #[tokio::test(start_paused = true)]
    async fn both_of_two_bounds_must_be_reached() {
        let both = starts!(stop = (attempts(3) & within(500ms)), wait = (fixed(100ms)));
        assert_eq!(both, [0, 100, 200, 300, 400]);
        let both = starts!(stop = (attempts(8) & within(500ms)), wait = (fixed(100ms)));
        assert_eq!(both, [0, 100, 200, 300, 400, 500, 600, 700]);
    }

    #[tokio::test(start_paused = true)]
    async fn and_binds_stronger_than_or() {
        // (attempts(2) & within(350ms)) | attempts(6): the time comes first.
        let mixed =
            starts!(stop = (attempts(6) | attempts(2) & within(350ms)), wait = (fixed(100ms)));
        assert_eq!(mixed, [0, 100, 200, 300]);
        let mixed =
            starts!(stop = ((attempts(6) | attempts(2)) & within(350ms)), wait = (fixed(100ms)));
        assert_eq!(mixed, [0, 100, 200, 300]);
        let mixed =
            starts!(stop = ((attempts(6) | within(150ms)) & attempts(4)), wait = (fixed(100ms)));
        assert_eq!(mixed, [0, 100, 200, 300]);
    }

    #[tokio::test(start_paused = true)]
    async fn an_optional_bound_bounds_only_if_it_is_there() {
        #[retry(stop = max.map(attempts) | within(550ms), wait = fixed(100ms), on = any_error())]
        async fn bounded(log: &mut Log, max: Option<u32>) -> Result<(), u32> {
            Err(log.attempt())
        }
        assert_eq!(bounded(&mut Log::new(), Some(3)).await, Err(3));
        assert_eq!(bounded(&mut Log::new(), None).await, Err(6));

        #[retry(stop = limit.map(within), forever, wait = fixed(100ms), on = |n| *n < 20)]
        async fn unbounded(log: &mut Log, limit: Option<Duration>) -> Result<(), u32> {
            Err(log.attempt())
        }
        assert_eq!(unbounded(&mut Log::new(), Some(ms(300))).await, Err(3));
        assert_eq!(unbounded(&mut Log::new(), None).await, Err(20));
    }

    #[tokio::test(start_paused = true)]
    async fn forever_goes_on_until_something_else_ends_it() {
        #[retry(forever, wait = fixed(1h), on = any_error())]
        async fn call(log: &mut Log) -> Result<u32, u32> {
            match log.attempt() {
                10_000 => Ok(10_000),
                n => Err(n),
            }
        }
        let mut log = Log::new();
        assert_eq!(call(&mut log).await, Ok(10_000));
        assert_eq!(log.starts.last(), Some(&(secs(3600) * 9999)));
    }

    #[tokio::test(start_paused = true)]
    async fn a_stop_of_ones_own_sees_how_the_call_stands() {
        thread_local! {
            static SEEN: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
        }
        struct Watch;
        impl Stop for Watch {
            type Ends = retry::stop::Unbounded;
            fn stop(&self, state: &State) -> bool {
                let line = format!(
                    "{} after {:?} + {:?}, before {:?}, took {:?}, {:?} after {:?}, {:?} left",
                    state.attempt(),
                    state.elapsed(),
                    state.delay(),
                    state.previous_delay(),
                    state.last_attempt(),
                    state.verdict(),
                    state.previous_verdict(),
                    state.remaining(),
                );
                SEEN.with_borrow_mut(|seen| seen.push(line));
                false
            }
        }
        #[retry(
            stop = Watch | within(1s),
            wait = linear(100ms, 100ms),
            on = |n| if *n == 2 { Verdict::Retry.throttled() } else { Verdict::Retry },
        )]
        async fn call(log: &mut Log) -> Result<(), u32> {
            let n = log.attempt();
            tokio::time::sleep(ms(50)).await;
            Err(n)
        }
        let mut log = Log::new();
        assert_eq!(call(&mut log).await, Err(4));
        let seen = SEEN.take();
        assert_eq!(
            seen,
            [
                "1 after 50ms + 100ms, before None, took Some(50ms), Retry after None, Some(950ms) left",
                "2 after 200ms + 200ms, before Some(100ms), took Some(50ms), Retry.throttled() after Some(Retry), Some(800ms) left",
                "3 after 450ms + 300ms, before Some(200ms), took Some(50ms), Retry after Some(Retry.throttled()), Some(550ms) left",
                "4 after 800ms + 400ms, before Some(300ms), took Some(50ms), Retry after Some(Retry), Some(200ms) left",
            ]
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_wait_is_asked_once_for_each_failure_before_the_stop() {
        #[retry(
            stop = |_: &State| { order.borrow_mut().push("stop"); false },
            forever,
            wait = |_: &State| { order.borrow_mut().push("wait"); ms(1) },
            on = |n| { order.borrow_mut().push("on"); *n < 3 },
        )]
        async fn call(log: &mut Log, order: &RefCell<Vec<&'static str>>) -> Result<(), u32> {
            order.borrow_mut().push("body");
            Err(log.attempt())
        }
        let order = RefCell::default();
        assert_eq!(call(&mut Log::new(), &order).await, Err(3));
        let round = ["body", "on", "wait", "stop"];
        assert_eq!(order.take(), [&round[..], &round, &round[..2]].concat());
    }

    #[tokio::test(start_paused = true)]
    async fn a_stop_of_ones_own_that_asks_another_stops_by_its_reason() {
        struct Quota;
        impl Stop for Quota {
            type Ends = retry::stop::Bounded;
            fn stop(&self, state: &State) -> bool {
                retry::stop::attempts(2).stop(state)
            }
        }
        #[retry(stop = Quota, wait = none(), on = any_error())]
        fn call() -> Result<(), ()> {
            Err(())
        }
        let ((), reports) = retry::record_sync(|| call().unwrap_err());
        assert_eq!(reports[0].reason(), StopReason::Attempts);
        assert_eq!(starts!(stop = (Quota), wait = (fixed(10ms))), [0, 10]);
        assert_eq!(starts!(stop = (&Quota), wait = (fixed(10ms))), [0, 10]);
    }
}

mod hints {
    use super::*;

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
        // A quarter of the draws lies above the hint, the rest is lifted to it.
        assert!(drawn.contains(&secs(3)) && drawn.iter().any(|delay| *delay > secs(3)));
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
        let refused = asked!([ms(1), ms(60_001)], forever, wait = fixed(100ms));
        assert_eq!(refused, (all_ms([100]), 2));
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
        let longer =
            asked!([secs(3600)], stop = attempts(2), wait = fixed(30s), max_hint = clamp(10s));
        assert_eq!(longer, (vec![secs(30)], 2));
        // What is clamped must fit the remaining time all the same.
        let refused =
            asked!([secs(3600)], stop = within(9s), wait = fixed(1s), max_hint = clamp(10s));
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
        assert_eq!(delays[0], secs(50));
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
}

mod verdicts {
    use super::*;

    /// The gaps of a call that is told these verdicts one after the other, the last one for
    /// ever.
    macro_rules! judged {
        ([$($verdict:expr),+], $($key:tt)+) => {{
            #[retry($($key)+, on = |verdict| *verdict)]
            async fn call(log: &mut Log) -> Result<(), Verdict> {
                let attempt = log.attempt();
                let verdicts = [$($verdict),+];
                let index = usize::try_from(attempt).unwrap().min(verdicts.len()) - 1;
                Err(verdicts[index])
            }
            let mut log = Log::new();
            assert!(call(&mut log).await.is_err());
            log.gaps()
        }};
    }

    const RETRY: Verdict = Verdict::Retry;

    #[tokio::test(start_paused = true)]
    async fn now_neither_waits_nor_advances_the_backoff_but_counts() {
        let gaps = judged!(
            [RETRY, RETRY.now(), RETRY.now(), RETRY],
            stop = attempts(6),
            wait = exponential(100ms)
        );
        assert_eq!(gaps, all_ms([100, 0, 0, 200, 400]));
        // At the very first failure, too.
        let gaps = judged!([RETRY.now(), RETRY], stop = attempts(4), wait = linear(10ms, 10ms));
        assert_eq!(gaps, all_ms([0, 10, 20]));
    }

    #[tokio::test(start_paused = true)]
    async fn now_alone_still_ends_with_the_attempts() {
        assert_eq!(judged!([RETRY.now()], stop = attempts(4), wait = fixed(1h)), all_ms([0; 3]));
    }

    #[tokio::test(start_paused = true)]
    async fn now_does_not_move_a_phase_of_the_backoff() {
        let gaps = judged!(
            [RETRY, RETRY.now(), RETRY],
            stop = attempts(6),
            wait = fixed(10ms).times(2).then(exponential(100ms))
        );
        assert_eq!(gaps, all_ms([10, 0, 10, 100, 200]));
        let gaps = judged!(
            [RETRY, RETRY.now(), RETRY],
            stop = attempts(5),
            wait = sequence([1s, 5s, 30s])
        );
        assert_eq!(gaps, all_ms([1000, 0, 5000, 30_000]));
    }

    #[tokio::test(start_paused = true)]
    async fn now_with_a_hint_waits_the_hint() {
        let gaps = judged!(
            [RETRY.now().retry_after(ms(70)), RETRY],
            stop = attempts(4),
            wait = exponential(100ms)
        );
        assert_eq!(gaps, all_ms([70, 100, 200]));
    }

    #[tokio::test(start_paused = true)]
    async fn now_beside_a_condition_that_wants_to_wait_waits() {
        #[retry(
            stop = attempts(3),
            wait = fixed(100ms),
            on = (|_| Verdict::Retry.now()) | (|n| *n == 2),
        )]
        async fn call(log: &mut Log) -> Result<(), u32> {
            Err(log.attempt())
        }
        let mut log = Log::new();
        assert_eq!(call(&mut log).await, Err(3));
        assert_eq!(log.gaps(), all_ms([0, 100]));
    }

    #[tokio::test(start_paused = true)]
    async fn throttled_failures_have_a_backoff_of_their_own() {
        let gaps = judged!(
            [RETRY, RETRY.throttled(), RETRY, RETRY.throttled()],
            stop = attempts(6),
            wait = fixed(10ms).throttled(exponential(1s))
        );
        // Both count the same waits: the second and the fourth are the throttled one's.
        assert_eq!(gaps, all_ms([10, 2000, 10, 8000, 16_000]));
    }

    #[tokio::test(start_paused = true)]
    async fn a_throttled_failure_may_carry_a_hint() {
        let gaps = judged!(
            [RETRY.throttled().retry_after(ms(2500)), RETRY.throttled().retry_after(ms(10))],
            stop = attempts(3),
            wait = none().throttled(fixed(1s))
        );
        assert_eq!(gaps, all_ms([2500, 1000]));
    }

    #[tokio::test(start_paused = true)]
    async fn throttling_changes_nothing_without_a_strategy_for_it() {
        let gaps = judged!([RETRY.throttled()], stop = attempts(3), wait = fixed(10ms));
        assert_eq!(gaps, all_ms([10, 10]));
    }

    #[tokio::test(start_paused = true)]
    async fn a_final_verdict_ends_the_call_whatever_it_carries() {
        const LOUD: Verdict = Verdict::Final.retry_after(ms(1)).now().throttled();
        assert_eq!(judged!([LOUD], stop = attempts(9), wait = fixed(10ms)), []);
        assert_eq!(judged!([RETRY, LOUD], stop = attempts(9), wait = fixed(10ms)), all_ms([10]));
    }

    #[tokio::test(start_paused = true)]
    async fn an_ambiguous_failure_is_repeated_only_where_that_is_harmless() {
        const AMBIGUOUS: Verdict = Verdict::Ambiguous;
        assert_eq!(judged!([AMBIGUOUS], stop = attempts(3), wait = fixed(10ms)), []);
        let gaps = judged!([RETRY, AMBIGUOUS], stop = attempts(5), wait = fixed(10ms));
        assert_eq!(gaps, all_ms([10]));
        let gaps = judged!([AMBIGUOUS], stop = attempts(3), wait = fixed(10ms), idempotent);
        assert_eq!(gaps, all_ms([10, 10]));
        let gaps = judged!(
            [AMBIGUOUS.retry_after(ms(50)), AMBIGUOUS.now()],
            stop = attempts(4),
            wait = fixed(10ms),
            idempotent
        );
        assert_eq!(gaps, all_ms([50, 0, 0]));
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_may_be_repeated_by_its_method() {
        struct Client {
            retry_all: Option<bool>,
        }
        impl Client {
            #[retry(
                stop = attempts(3),
                wait = fixed(10ms),
                on = |_| Verdict::Ambiguous,
                idempotent = self.retry_all.unwrap_or(method == "GET"),
            )]
            async fn send(&self, log: &mut Log, method: &str) -> Result<(), u32> {
                Err(log.attempt())
            }
        }
        for (retry_all, method, attempts) in
            [(None, "GET", 3), (None, "POST", 1), (Some(true), "POST", 3), (Some(false), "GET", 1)]
        {
            let client = Client { retry_all };
            assert_eq!(client.send(&mut Log::new(), method).await, Err(attempts), "{method}");
        }
    }

    #[test]
    fn idempotent_is_asked_after_each_ambiguous_failure_and_no_other() {
        #[retry(
            stop = attempts(9),
            wait = none(),
            on = |verdict| *verdict,
            idempotent = { *asked += 1; *asked < 3 },
        )]
        fn call(calls: &mut usize, asked: &mut u32) -> Result<(), Verdict> {
            use Verdict as V;
            let verdict = [V::Retry, V::Ambiguous, V::Retry, V::Ambiguous, V::Ambiguous][*calls];
            *calls += 1;
            Err(verdict)
        }
        let (mut calls, mut asked) = (0, 0);
        assert_eq!(call(&mut calls, &mut asked), Err(Verdict::Ambiguous));
        assert_eq!((calls, asked), (5, 3));
    }

    #[tokio::test(start_paused = true)]
    async fn what_a_function_returns_is_its_last_outcome_itself() {
        #[derive(Debug)]
        struct Unique(Box<u32>);

        // Given up: the last error, not the first, and not a wrapper.
        #[retry(stop = attempts(3), wait = fixed(1ms), on = any_error())]
        async fn fails(log: &mut Log) -> Result<(), Unique> {
            Err(Unique(Box::new(log.attempt())))
        }
        assert_eq!(*fails(&mut Log::new()).await.unwrap_err().0, 3);

        // Given up on values: the last value.
        #[retry(stop = attempts(3), wait = fixed(1ms), on = ok(|_| true))]
        async fn unready(log: &mut Log) -> Result<Unique, ()> {
            Ok(Unique(Box::new(log.attempt())))
        }
        assert_eq!(*unready(&mut Log::new()).await.unwrap().0, 3);

        // Recovered: the success.
        #[retry(stop = attempts(3), wait = fixed(1ms), on = any_error())]
        async fn recovers(log: &mut Log) -> Result<Unique, u32> {
            match log.attempt() {
                1 => Err(1),
                n => Ok(Unique(Box::new(n))),
            }
        }
        assert_eq!(*recovers(&mut Log::new()).await.unwrap().0, 2);

        // A permanent failure after retries: that failure.
        #[retry(stop = attempts(9), wait = fixed(1ms), on = |n| *n < 2)]
        async fn becomes_permanent(log: &mut Log) -> Result<(), u32> {
            Err(log.attempt())
        }
        assert_eq!(becomes_permanent(&mut Log::new()).await, Err(2));

        #[retry(stop = attempts(4), wait = fixed(1ms), on = any_error())]
        async fn absent(log: &mut Log) -> Option<u32> {
            (log.attempt() > 2).then_some(7)
        }
        let mut log = Log::new();
        assert_eq!((absent(&mut log).await, log.attempts()), (Some(7), 3));

        #[retry(stop = attempts(4), wait = fixed(1ms), on = output(|status| *status >= 500))]
        async fn plain(log: &mut Log) -> u32 {
            499 + 10 - 3 * log.attempt()
        }
        let mut log = Log::new();
        assert_eq!((plain(&mut log).await, log.attempts()), (497, 4));
    }
}

mod at_most {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq)]
    enum E {
        Busy,
        Reset,
        Schema,
    }

    /// How many attempts a call makes that fails with these errors one after the other, the last
    /// one for ever.
    macro_rules! attempts_of {
        ($on:ident, $errors:expr) => {{
            let mut log = Log::new();
            $on(&mut log, &$errors).unwrap_err();
            log.attempts()
        }};
    }

    macro_rules! function {
        ($name:ident, $($on:tt)+) => {
            #[retry(stop = attempts(10), wait = none(), on = $($on)+)]
            fn $name(log: &mut Log, errors: &[E]) -> Result<(), E> {
                let attempt = usize::try_from(log.attempt()).unwrap();
                Err(errors[attempt.min(errors.len()) - 1])
            }
        };
    }

    #[test]
    fn a_condition_grants_no_more_than_its_retries_in_every_call_anew() {
        function!(call, any_error().at_most(2));
        for _ in 0..3 {
            assert_eq!(attempts_of!(call, [E::Busy]), 3);
        }
    }

    #[test]
    fn each_condition_counts_only_what_it_has_granted() {
        function!(
            call,
            matches(Err(E::Busy))
                | matches(Err(E::Schema)).at_most(2)
                | (|e| *e == E::Reset).at_most(1)
        );
        assert_eq!(attempts_of!(call, [E::Busy]), 10);
        assert_eq!(attempts_of!(call, [E::Schema]), 3);
        assert_eq!(attempts_of!(call, [E::Reset]), 2);
        assert_eq!(attempts_of!(call, [E::Reset, E::Schema, E::Busy, E::Schema, E::Schema]), 5);
        assert_eq!(attempts_of!(call, [E::Busy, E::Reset, E::Busy, E::Reset]), 4);
    }

    #[test]
    fn a_limit_around_several_conditions_is_shared_by_them() {
        function!(call, (matches(Err(E::Busy)) | matches(Err(E::Schema))).at_most(2));
        assert_eq!(attempts_of!(call, [E::Busy, E::Schema, E::Busy]), 3);
        assert_eq!(attempts_of!(call, [E::Reset]), 1);
    }

    #[test]
    fn a_limit_within_a_limit_counts_too() {
        function!(call, (matches(Err(E::Busy)).at_most(1) | matches(Err(E::Schema))).at_most(3));
        assert_eq!(attempts_of!(call, [E::Busy]), 2);
        assert_eq!(attempts_of!(call, [E::Schema]), 4);
        assert_eq!(attempts_of!(call, [E::Busy, E::Schema]), 4);
    }

    #[test]
    fn a_limit_joined_with_and_limits_the_whole() {
        function!(call, any_error().at_most(3) & (|e| *e != E::Reset));
        assert_eq!(attempts_of!(call, [E::Busy]), 4);
        assert_eq!(attempts_of!(call, [E::Busy, E::Reset]), 2);
        function!(both, any_error().at_most(3) & any_error().at_most(2));
        assert_eq!(attempts_of!(both, [E::Busy]), 3);
    }

    #[test]
    fn the_number_may_come_from_an_argument_and_may_be_zero() {
        #[retry(stop = attempts(10), wait = none(), on = any_error().at_most(n))]
        fn call(log: &mut Log, n: u32) -> Result<(), u32> {
            Err(log.attempt())
        }
        for n in [0, 1, 4] {
            assert_eq!(call(&mut Log::new(), n), Err(n + 1));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn concurrent_calls_count_for_themselves() {
        #[retry(stop = attempts(10), wait = fixed(10ms), on = any_error().at_most(3))]
        async fn call(log: &mut Log) -> Result<(), u32> {
            Err(log.attempt())
        }
        let (mut a, mut b, mut c) = (Log::new(), Log::new(), Log::new());
        let results = tokio::join!(call(&mut a), call(&mut b), call(&mut c));
        assert_eq!(results, (Err(4), Err(4), Err(4)));
    }

    #[test]
    fn a_call_within_its_own_body_counts_for_itself() {
        #[retry(stop = attempts(10), wait = none(), on = any_error().at_most(2))]
        fn call(log: &mut Vec<u32>, depth: u32) -> Result<(), u32> {
            log.push(depth);
            if depth > 0 {
                call(log, depth - 1)?;
            }
            Err(depth)
        }
        let mut log = Vec::new();
        // `?` hands the innermost failure out.
        assert_eq!(call(&mut log, 2), Err(0));
        // 3 attempts at each depth for every one around it.
        let at = |depth| log.iter().filter(|it| **it == depth).count();
        assert_eq!((at(2), at(1), at(0)), (3, 9, 27));
    }
}

mod live {
    use super::*;

    #[derive(Debug)]
    struct Config {
        attempts: Cell<u32>,
        delay: Cell<Duration>,
    }

    #[tokio::test(start_paused = true)]
    async fn a_policy_read_from_live_configuration_follows_it_in_mid_call() {
        struct Service(Config);
        impl Service {
            #[retry(
                stop = attempts(self.0.attempts.get()),
                wait = fixed(self.0.delay.get()),
                on = any_error(),
            )]
            async fn run(&self, log: &mut Log) -> Result<(), u32> {
                let attempt = log.attempt();
                match attempt {
                    2 => self.0.delay.set(ms(500)),
                    // An operator calls it off.
                    5 => self.0.attempts.set(4),
                    _ => {}
                }
                Err(attempt)
            }
        }
        let service = Service(Config { attempts: Cell::new(1000), delay: Cell::new(ms(10)) });
        let mut log = Log::new();
        assert_eq!(service.run(&mut log).await, Err(5));
        assert_eq!(log.gaps(), all_ms([10, 500, 500, 500]));
    }

    #[tokio::test(start_paused = true)]
    async fn a_limit_in_time_may_be_extended_while_the_call_runs() {
        #[retry(stop = within(limit.get()), wait = fixed(100ms), on = any_error())]
        async fn call(log: &mut Log, limit: &Cell<Duration>) -> Result<(), u32> {
            let attempt = log.attempt();
            if attempt == 2 {
                limit.set(ms(450));
            }
            Err(attempt)
        }
        let limit = Cell::new(ms(250));
        assert_eq!(call(&mut Log::new(), &limit).await, Err(5));
    }

    #[test]
    fn a_success_evaluates_none_of_the_keys_for_failures() {
        fn never() -> u32 {
            panic!("nothing has failed")
        }
        #[retry(
            stop = attempts(never()),
            wait = fixed(1ms * never()),
            on = |_| never() > 0,
            max_hint = 1ms * never(),
            idempotent = never() > 0,
        )]
        fn call() -> Result<u32, u32> {
            Ok(1)
        }
        assert_eq!(call(), Ok(1));
    }

    #[test]
    fn a_permanent_failure_evaluates_neither_stop_nor_wait() {
        fn never() -> u32 {
            panic!("there is no next attempt")
        }
        #[retry(
            stop = attempts(never()),
            wait = fixed(1ms * never()),
            on = |_| false,
            idempotent = never() > 0,
        )]
        fn call() -> Result<(), u32> {
            Err(1)
        }
        assert_eq!(call(), Err(1));
    }

    #[test]
    fn the_keys_are_evaluated_once_for_every_failure() {
        #[retry(
            stop = { stops.set(stops.get() + 1); attempts(4) },
            wait = { waits.set(waits.get() + 1); none() },
            on = any_error(),
        )]
        fn call(stops: &Cell<u32>, waits: &Cell<u32>) -> Result<(), ()> {
            Err(())
        }
        let (stops, waits) = (Cell::new(0), Cell::new(0));
        assert_eq!(call(&stops, &waits), Err(()));
        assert_eq!((stops.get(), waits.get()), (4, 4));
    }

    #[test]
    fn enabled_is_asked_once_and_false_means_the_plain_body() {
        #[retry(
            stop = attempts(4),
            wait = none(),
            on = any_error(),
            enabled = { asked.set(asked.get() + 1); on },
        )]
        fn call(log: &mut Log, on: bool, asked: &Cell<u32>) -> Result<(), u32> {
            Err(log.attempt())
        }
        let asked = Cell::new(0);
        assert_eq!(call(&mut Log::new(), false, &asked), Err(1));
        assert_eq!(asked.replace(0), 1);
        assert_eq!(call(&mut Log::new(), true, &asked), Err(4));
        assert_eq!(asked.get(), 1);
    }
}

mod zero_delays {
    use super::*;

    const MILLION: u32 = 1_000_000;

    /// Runs on a stack that a million frames, or a million nested futures, would overflow.
    fn on_a_small_stack(f: impl FnOnce() + Send + 'static) {
        std::thread::Builder::new().stack_size(256 << 10).spawn(f).unwrap().join().unwrap();
    }

    fn on_one_thread(future: impl Future<Output = ()>) {
        tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap()
            .block_on(future);
    }

    #[test]
    fn a_sync_call_may_fail_a_million_times_in_a_row() {
        #[retry(stop = attempts(MILLION), wait = none(), on = any_error())]
        fn call(calls: &mut u32) -> Result<(), u32> {
            *calls += 1;
            Err(*calls)
        }
        on_a_small_stack(|| assert_eq!(call(&mut 0), Err(MILLION)));
    }

    /// Counts the turns that other tasks get while `call` runs.
    async fn turns_beside(call: impl Future<Output = ()>) -> u32 {
        let turns = std::rc::Rc::new(Cell::new(0));
        let local = tokio::task::LocalSet::new();
        let counted = turns.clone();
        local.spawn_local(async move {
            loop {
                counted.set(counted.get() + 1);
                tokio::task::yield_now().await;
            }
        });
        local.run_until(call).await;
        turns.get()
    }

    #[test]
    fn an_async_call_may_fail_a_million_times_in_a_row_and_lets_others_run() {
        #[retry(stop = attempts(MILLION), wait = none(), on = any_error())]
        async fn call(calls: &mut u32) -> Result<(), u32> {
            *calls += 1;
            Err(*calls)
        }
        on_a_small_stack(|| {
            on_one_thread(async {
                let turns =
                    turns_beside(async { assert_eq!(call(&mut 0).await, Err(MILLION)) }).await;
                // The body never waits: every turn is one that a retry has given away.
                assert!(turns >= MILLION / 64, "{turns} turns");
            });
        });
    }

    #[test]
    fn a_sleep_that_ends_at_once_lets_others_run_all_the_same() {
        #[retry(
            stop = attempts(100_000),
            wait = fixed(1s),
            on = any_error(),
            sleep = |_| std::future::ready(()),
        )]
        async fn call(calls: &mut u32) -> Result<(), u32> {
            *calls += 1;
            Err(*calls)
        }
        on_a_small_stack(|| {
            on_one_thread(async {
                let turns =
                    turns_beside(async { assert_eq!(call(&mut 0).await, Err(100_000)) }).await;
                assert!(turns >= 1000, "{turns} turns");
            });
        });
    }

    #[test]
    fn a_call_polled_by_hand_yields_before_every_retry() {
        #[retry(stop = attempts(4), wait = none(), on = any_error())]
        async fn zero(calls: &Cell<u32>) -> Result<(), ()> {
            calls.set(calls.get() + 1);
            Err(())
        }
        #[retry(
            stop = attempts(4),
            wait = fixed(1s),
            on = any_error(),
            sleep = |_| std::future::ready(()),
        )]
        async fn instant(calls: &Cell<u32>) -> Result<(), ()> {
            calls.set(calls.get() + 1);
            Err(())
        }
        fn check(call: impl Future<Output = Result<(), ()>>, calls: &Cell<u32>) {
            let mut call = pin!(call);
            let mut cx = Context::from_waker(Waker::noop());
            for n in 1..=3 {
                assert_eq!(call.as_mut().poll(&mut cx), Poll::Pending);
                assert_eq!(calls.get(), n);
            }
            assert_eq!(call.as_mut().poll(&mut cx), Poll::Ready(Err(())));
            assert_eq!(calls.get(), 4);
        }
        let calls = Cell::new(0);
        check(zero(&calls), &calls);
        let calls = Cell::new(0);
        check(instant(&calls), &calls);
    }

    #[test]
    fn a_yielding_call_asks_to_be_polled_again() {
        struct Flag(std::sync::atomic::AtomicU32);
        impl std::task::Wake for Flag {
            fn wake(self: std::sync::Arc<Self>) {
                self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            }
        }
        #[retry(stop = attempts(2), wait = none(), on = any_error())]
        async fn call() -> Result<(), ()> {
            Err(())
        }
        let flag = std::sync::Arc::new(Flag(0.into()));
        let waker = Waker::from(flag.clone());
        let mut call = pin!(call());
        assert!(call.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
        assert_eq!(flag.0.load(std::sync::atomic::Ordering::Relaxed), 1);
    }
}

mod concurrency {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn two_calls_of_one_function_have_a_backoff_each() {
        #[retry(stop = attempts(5), wait = exponential(100ms), on = any_error())]
        async fn call(log: &mut Log) -> Result<(), u32> {
            Err(log.attempt())
        }
        let (mut early, mut late) = (Log::new(), Log::new());
        let results = tokio::join!(call(&mut early), async {
            tokio::time::sleep(ms(250)).await;
            call(&mut late).await
        });
        assert_eq!(results, (Err(5), Err(5)));
        assert_eq!(early.starts, all_ms([0, 100, 300, 700, 1500]));
        assert_eq!(late.starts, all_ms([250, 350, 550, 950, 1750]));
    }

    #[tokio::test(start_paused = true)]
    async fn two_calls_have_a_time_limit_each() {
        #[retry(stop = within(1s), wait = fixed(300ms), on = any_error())]
        async fn call(log: &mut Log) -> Result<(), u32> {
            Err(log.attempt())
        }
        let (mut early, mut late) = (Log::new(), Log::new());
        let results = tokio::join!(call(&mut early), async {
            tokio::time::sleep(ms(500)).await;
            call(&mut late).await
        });
        assert_eq!(results, (Err(4), Err(4)));
        assert_eq!(late.starts, all_ms([500, 800, 1100, 1400]));
    }

    #[tokio::test(start_paused = true)]
    async fn two_calls_have_a_decorrelated_value_each() {
        #[retry(
            stop = attempts(9),
            wait = decorrelated(10ms, 1h),
            on = any_error(),
            sleep = |delay| log.pause(delay),
        )]
        async fn call(log: &mut Log) -> Result<(), u32> {
            Err(log.attempt())
        }
        let mut logs: Vec<_> = (0..20).map(|_| Log::new()).collect();
        let calls = futures::future::join_all(logs.iter_mut().map(call)).await;
        assert!(calls.iter().all(|result| *result == Err(9)));
        for log in &logs {
            assert!(log.sleeps[0] <= ms(30), "starts from its base: {:?}", log.sleeps);
            for pair in log.sleeps.windows(2) {
                assert!(pair[1] >= ms(10) && pair[1] <= pair[0] * 3, "{:?}", log.sleeps);
            }
        }
        // No two of them drew the same.
        let first: std::collections::BTreeSet<_> = logs.iter().map(|log| log.sleeps[0]).collect();
        assert_eq!(first.len(), 20);
    }

    #[test]
    fn calls_on_many_threads_do_not_meet() {
        #[retry(
            stop = attempts(50),
            wait = linear(1s, 1s),
            on = any_error().at_most(40),
            sleep = |delay| sleeps.push(delay),
        )]
        fn call(sleeps: &mut Vec<Duration>, calls: &mut u32) -> Result<(), u32> {
            *calls += 1;
            std::thread::yield_now();
            Err(*calls)
        }
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let mut sleeps = Vec::new();
                    assert_eq!(call(&mut sleeps, &mut 0), Err(41));
                    assert_eq!(sleeps, (1..=40).map(secs).collect::<Vec<_>>());
                });
            }
        });
    }
}

mod dropping {
    use super::*;

    struct NoteDrop<'a>(&'a Cell<u32>);
    impl Drop for NoteDrop<'_> {
        fn drop(&mut self) {
            self.0.set(self.0.get() + 1);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_dropped_in_its_sleep_runs_nothing_more() {
        #[retry(stop = attempts(9), wait = fixed(100ms), on = any_error())]
        async fn call(log: &RefCell<Log>, drops: &Cell<u32>) -> Result<(), u32> {
            let _attempt = NoteDrop(drops);
            Err(log.borrow_mut().attempt())
        }
        let (log, drops) = (RefCell::new(Log::new()), Cell::new(0));
        let cut = tokio::time::timeout(ms(250), call(&log, &drops)).await;
        assert!(cut.is_err());
        tokio::time::sleep(secs(60)).await;
        assert_eq!(log.borrow().starts, all_ms([0, 100, 200]));
        assert_eq!(drops.get(), 3);
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_dropped_in_an_attempt_drops_that_attempt_and_runs_nothing_more() {
        #[retry(stop = attempts(9), wait = fixed(100ms), on = any_error())]
        async fn call(log: &RefCell<Log>, drops: &Cell<u32>) -> Result<(), u32> {
            let _attempt = NoteDrop(drops);
            let attempt = log.borrow_mut().attempt();
            if attempt == 2 {
                std::future::pending::<()>().await;
            }
            Err(attempt)
        }
        let (log, drops) = (RefCell::new(Log::new()), Cell::new(0));
        let cut = tokio::time::timeout(ms(250), call(&log, &drops)).await;
        assert!(cut.is_err());
        tokio::time::sleep(secs(60)).await;
        assert_eq!(log.borrow().starts, all_ms([0, 100]));
        assert_eq!(drops.get(), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn a_failed_outcome_is_gone_before_the_sleep_begins() {
        struct Failure<'a>(NoteDrop<'a>);
        #[retry(
            stop = attempts(3),
            wait = fixed(100ms),
            on = any_error(),
            sleep = |delay| { seen.borrow_mut().push(drops.get()); tokio::time::sleep(delay) },
        )]
        async fn call<'a>(
            drops: &'a Cell<u32>,
            seen: &RefCell<Vec<u32>>,
        ) -> Result<(), Failure<'a>> {
            Err(Failure(NoteDrop(drops)))
        }
        let (drops, seen) = (Cell::new(0), RefCell::default());
        let Err(last) = call(&drops, &seen).await else { panic!("it always fails") };
        assert_eq!(*seen.borrow(), [1, 2]);
        drop(last.0);
        assert_eq!(drops.get(), 3);
    }

    #[tokio::test(start_paused = true)]
    async fn a_future_that_is_never_polled_runs_nothing() {
        #[retry(stop = attempts(9), wait = fixed(100ms), on = any_error())]
        async fn call(calls: &Cell<u32>) -> Result<(), ()> {
            calls.set(calls.get() + 1);
            Err(())
        }
        let calls = Cell::new(0);
        drop(call(&calls));
        assert_eq!(calls.get(), 0);
    }
}

mod panics {
    use super::*;

    /// The message of the panic that `f` ends with.
    pub(super) fn panic_of<T>(f: impl FnOnce() -> T) -> String {
        let Err(payload) = catch_unwind(AssertUnwindSafe(f)) else { panic!("it did not panic") };
        match payload.downcast::<String>() {
            Ok(text) => *text,
            Err(payload) => (*payload.downcast::<&str>().unwrap()).to_owned(),
        }
    }

    /// A function that fails, and panics in one of its parts on its second attempt; a later call
    /// without the panic must find everything as it was.
    macro_rules! panicking {
        ($part:literal, $($key:tt)+) => {{
            #[retry($($key)+, sleep = |delay| log.sleep(delay))]
            fn call(log: &mut Log, armed: bool) -> Result<(), u32> {
                let attempt = log.attempt();
                if armed && attempt == 2 {
                    ARMED.set(true);
                }
                trip($part == "body");
                Err(attempt)
            }
            let mut log = Log::new();
            assert_eq!(panic_of(|| call(&mut log, true)), "tripped");
            assert_eq!(log.attempts(), 2, "{}", $part);
            let mut log = Log::new();
            assert_eq!(call(&mut log, false), Err(4), "{}", $part);
            assert_eq!(log.sleeps, all_ms([10, 20, 40]), "{}", $part);
        }};
    }

    thread_local! {
        static ARMED: Cell<bool> = const { Cell::new(false) };
    }

    fn trip(here: bool) {
        assert!(!(here && ARMED.replace(false)), "tripped");
    }

    #[test]
    fn a_panic_in_any_part_propagates_and_a_later_call_works() {
        panicking!("body", stop = attempts(4), wait = exponential(10ms), on = any_error());
        panicking!(
            "on",
            stop = attempts(4),
            wait = exponential(10ms),
            on = |_| {
                trip(true);
                true
            }
        );
        panicking!(
            "stop",
            stop = attempts(4)
                | when(|_| {
                    trip(true);
                    false
                }),
            wait = exponential(10ms),
            on = any_error()
        );
        panicking!(
            "wait",
            stop = attempts(4),
            wait = exponential(10ms)
                + (|_| {
                    trip(true);
                    ms(0)
                }),
            on = any_error()
        );
        panicking!(
            "wait, in the second phase of a backoff",
            stop = attempts(4),
            wait = fixed(10ms).times(1).then(
                exponential(20ms)
                    + (|_| {
                        trip(true);
                        ms(0)
                    })
            ),
            on = any_error()
        );
        panicking!(
            "idempotent",
            stop = attempts(4),
            wait = exponential(10ms),
            on = |_| Verdict::Ambiguous,
            idempotent = {
                trip(true);
                true
            }
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_panic_in_an_async_body_propagates_and_a_later_call_works() {
        #[retry(stop = attempts(4), wait = exponential(10ms), on = any_error())]
        async fn call(log: &mut Log, panics: bool) -> Result<(), u32> {
            let attempt = log.attempt();
            tokio::task::yield_now().await;
            assert!(!panics || attempt < 2, "tripped");
            Err(attempt)
        }
        let task = tokio::spawn(async { call(&mut Log::new(), true).await });
        assert!(task.await.unwrap_err().is_panic());
        let mut log = Log::new();
        assert_eq!(call(&mut log, false).await, Err(4));
        assert_eq!(log.gaps(), all_ms([10, 20, 40]));
    }

    #[test]
    fn a_panic_in_the_sleep_propagates() {
        #[retry(
            stop = attempts(4),
            wait = fixed(10ms),
            on = any_error(),
            sleep = |_| panic!("no time to sleep"),
        )]
        fn call(calls: &mut u32) -> Result<(), ()> {
            *calls += 1;
            Err(())
        }
        let mut calls = 0;
        assert_eq!(panic_of(|| call(&mut calls)), "no time to sleep");
        assert_eq!(calls, 1);
    }
}

mod sleepers {
    use super::panics::panic_of;
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_sync_call_goes_by_the_systems_clock_even_under_a_paused_runtime() {
        // On the paused clock no time would pass, and `within` would never end it.
        #[retry(stop = within(20ms), wait = fixed(5ms), on = any_error())]
        fn call(calls: &mut u32) -> Result<(), ()> {
            *calls += 1;
            Err(())
        }
        let (mut calls, before) = (0, Instant::now());
        assert_eq!(call(&mut calls), Err(()));
        // Each sleep lasts 5 ms at least, and none ends at or after 20 ms.
        assert!(calls <= 4, "{calls} attempts");
        assert_eq!(before.elapsed(), ms(0), "the paused clock has not moved");
    }

    #[test]
    fn a_sync_call_needs_no_runtime() {
        #[retry(stop = attempts(3), wait = fixed(1ms), on = any_error())]
        fn call(log: &mut Vec<u8>) -> Result<(), usize> {
            log.push(0);
            Err(log.len())
        }
        assert_eq!(call(&mut Vec::new()), Err(3));
    }

    #[tokio::test(start_paused = true)]
    async fn a_sleep_may_end_early() {
        // A new address wakes the sleeper.
        let woken = tokio::sync::Notify::new();
        #[retry(
            stop = attempts(3),
            wait = fixed(10s),
            on = any_error(),
            sleep = async |delay| { let _ = tokio::time::timeout(delay, woken.notified()).await; },
        )]
        async fn call(log: &mut Log, woken: &tokio::sync::Notify) -> Result<(), u32> {
            Err(log.attempt())
        }
        let mut log = Log::new();
        let (result, ()) = tokio::join!(call(&mut log, &woken), async {
            tokio::time::sleep(secs(3)).await;
            woken.notify_one();
        });
        assert_eq!(result, Err(3));
        assert_eq!(log.starts, [secs(0), secs(3), secs(13)]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_sleep_that_ends_early_does_not_count_as_slept_for_the_limit_in_time() {
        #[retry(
            stop = within(5s),
            wait = fixed(2s),
            on = |n| *n < 30,
            sleep = |_| std::future::ready(()),
        )]
        async fn call(log: &mut Log) -> Result<(), u32> {
            Err(log.attempt())
        }
        // No time passes, so the limit is never reached.
        assert_eq!(call(&mut Log::new()).await, Err(30));
    }

    #[tokio::test(start_paused = true)]
    async fn a_wait_of_zero_does_not_call_the_sleep() {
        fn never(_: Duration) -> std::future::Ready<()> {
            panic!("there is nothing to sleep for")
        }
        #[retry(stop = attempts(3), wait = none(), on = any_error(), sleep = never)]
        async fn call(log: &mut Log) -> Result<(), u32> {
            Err(log.attempt())
        }
        assert_eq!(call(&mut Log::new()).await, Err(3));
    }

    #[test]
    fn a_sync_call_may_sleep_by_a_method_of_a_field() {
        struct Clock(RefCell<Vec<Duration>>);
        impl Clock {
            fn sleep(&self, delay: Duration) {
                self.0.borrow_mut().push(delay);
            }
        }
        struct Device {
            clock: Clock,
        }
        impl Device {
            #[retry(
                stop = attempts(3),
                wait = exponential(1s),
                on = any_error(),
                sleep = |delay| self.clock.sleep(delay),
            )]
            fn connect(&mut self) -> Result<(), ()> {
                Err(())
            }
        }
        let mut device = Device { clock: Clock(RefCell::default()) };
        assert_eq!(device.connect(), Err(()));
        assert_eq!(device.clock.0.take(), [secs(1), secs(2)]);
    }

    #[retry(stop = attempts(3), wait = fixed(1s), on = any_error())]
    async fn waits(calls: &Cell<u32>) -> Result<(), u32> {
        calls.set(calls.get() + 1);
        Err(calls.get())
    }

    /// The message names both ways out.
    fn assert_names_the_fix(message: &str) {
        assert!(message.contains("`enable_time()`"), "{message}");
        assert!(message.contains("`sleep = …`"), "{message}");
    }

    #[test]
    fn outside_a_runtime_the_default_sleep_says_what_is_missing() {
        let calls = Cell::new(0);
        let message = panic_of(|| {
            let mut call = pin!(waits(&calls));
            call.as_mut().poll(&mut Context::from_waker(Waker::noop()))
        });
        assert_names_the_fix(&message);
        assert_eq!(calls.get(), 1);
    }

    #[test]
    fn in_a_runtime_without_a_timer_the_default_sleep_says_what_is_missing() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let calls = Cell::new(0);
        assert_names_the_fix(&panic_of(|| runtime.block_on(waits(&calls))));
        assert_eq!(calls.get(), 1);
    }

    #[test]
    fn outside_a_runtime_a_success_and_a_wait_of_zero_need_no_timer() {
        #[retry(stop = within(1h), wait = fixed(1s), on = any_error())]
        async fn succeeds() -> Result<u32, ()> {
            Ok(1)
        }
        #[retry(stop = within(1h) | attempts(2), wait = none(), on = any_error())]
        async fn at_once() -> Result<u32, u32> {
            Err(2)
        }
        let mut cx = Context::from_waker(Waker::noop());
        assert_eq!(pin!(succeeds()).poll(&mut cx), Poll::Ready(Ok(1)));
        let mut at_once = pin!(at_once());
        assert_eq!(at_once.as_mut().poll(&mut cx), Poll::Pending);
        assert_eq!(at_once.as_mut().poll(&mut cx), Poll::Ready(Err(2)));
    }

    #[test]
    fn a_sleep_of_ones_own_needs_no_runtime() {
        #[retry(
            stop = attempts(3),
            wait = exponential(1s),
            on = any_error(),
            sleep = |delay| { asked.borrow_mut().push(delay); std::future::ready(()) },
        )]
        async fn call(asked: &RefCell<Vec<Duration>>) -> Result<(), u32> {
            Err(7)
        }
        let asked = RefCell::default();
        let mut call = pin!(call(&asked));
        let mut cx = Context::from_waker(Waker::noop());
        assert!(call.as_mut().poll(&mut cx).is_pending());
        assert!(call.as_mut().poll(&mut cx).is_pending());
        assert_eq!(call.as_mut().poll(&mut cx), Poll::Ready(Err(7)));
        assert_eq!(*asked.borrow(), [secs(1), secs(2)]);
    }
}

mod blocks {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn an_async_block_has_the_schedule_of_the_attribute() {
        let mut log = Log::new();
        let result: Result<(), u32> = retry::block!(
            stop = attempts(5) | within(10s),
            wait = exponential(100ms).cap(300ms),
            on = any_error(),
            async { Err(log.attempt()) }
        );
        assert_eq!(result, Err(5));
        assert_eq!(log.gaps(), all_ms([100, 200, 300, 300]));

        let mut log = Log::new();
        let result = retry::block!(
            stop = within(1s),
            wait = fixed(100ms),
            on = any_error(),
            async || -> Result<(), u32> {
                tokio::time::sleep(ms(300)).await;
                Err(log.attempt())
            }
        );
        assert_eq!(result, Err(3));
        assert_eq!(log.starts, all_ms([300, 700, 1100]));
    }

    #[test]
    fn a_sync_block_has_the_schedule_of_the_attribute() {
        let (mut calls, mut sleeps) = (0, Vec::new());
        let result = retry::block!(
            stop = attempts(4),
            wait = fibonacci(1s),
            on = |n| *n < 9,
            sleep = |delay| sleeps.push(delay),
            || -> Result<(), u32> {
                calls += 1;
                Err(calls)
            }
        );
        assert_eq!(result, Err(4));
        assert_eq!(sleeps, [secs(1), secs(1), secs(2)]);
    }

    #[tokio::test(start_paused = true)]
    async fn hints_verdicts_and_limits_of_a_condition_work_in_a_block() {
        let mut log = Log::new();
        let result: Result<(), u32> = retry::block!(
            stop = attempts(9),
            wait = fixed(100ms),
            on = (|n| *n < 3) & (|_| Verdict::Ambiguous.retry_after(2s)) | any_error().at_most(3),
            idempotent,
            async { Err(log.attempt()) }
        );
        assert_eq!(result, Err(4));
        // Both sides grant the first two retries; the third is the last that the limit grants.
        assert_eq!(log.gaps(), all_ms([2000, 2000, 100]));
    }

    #[tokio::test(start_paused = true)]
    async fn a_block_that_only_a_success_ends_gives_its_value() {
        let mut log = Log::new();
        let leader: u32 = retry::block!(
            forever,
            wait = linear(100ms, 100ms).cap(250ms),
            on = any_error(),
            async {
                let attempt = log.attempt();
                if attempt < 5 { Err("no leader yet") } else { Ok(attempt) }
            }
        );
        assert_eq!(leader, 5);
        assert_eq!(log.gaps(), all_ms([100, 200, 250, 250]));

        let mut left = 3;
        let value: &str = retry::block!(forever, wait = none(), on = any_error(), || {
            left -= 1;
            (left == 0).then_some("here")
        });
        assert_eq!((value, left), ("here", 0));
    }
}
