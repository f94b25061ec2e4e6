//! When each attempt starts, for every strategy and everything that moves a schedule: through the
//! attribute, on tokio's paused clock, or with the delays recorded by `sleep = …`.

// Moments and bounds in ascending order are subtracted, and a macro writes functions in place.
#![allow(clippy::unchecked_time_subtraction, clippy::items_after_statements)]
#![allow(clippy::unwrap_used)] // a test that cannot go on should say where
#![allow(clippy::expect_used, clippy::panic)] // panics are what some of these tests are about
#![allow(missing_docs, unreachable_pub)]

use std::cell::RefCell;
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
    async fn a_stop_that_answers_with_a_reason_stops_by_it() {
        // `reason` is what the engine asks; one of one's own may name what it stands for.
        struct Quota;
        impl Stop for Quota {
            type Ends = retry::stop::Bounded;
            fn stop(&self, state: &State) -> bool {
                state.attempt() >= 2
            }
            fn reason(&self, state: &State) -> Option<StopReason> {
                self.stop(state).then_some(StopReason::Attempts)
            }
        }
        assert_eq!(starts!(stop = (Quota), wait = (fixed(10ms))), [0, 10]);
        assert_eq!(starts!(stop = (&Quota), wait = (fixed(10ms))), [0, 10]);
    }
}
