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
    assert_eq!(delays!(5, sequence([1s, 5s, 30s])), all_ms([1000, 5000, 30_000, 30_000, 30_000]));
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
    assert_eq!(delays!(4, |state| ms(10 * u64::from(state.attempt()))), all_ms([10, 20, 30, 40]));
    assert_eq!(delays!(4, by(|state| 3ms * state.attempt())), all_ms([3, 6, 9, 12]));
    assert_eq!(delays!(4, by(quadratic)), all_ms([1, 4, 9, 16]));
    assert_eq!(delays!(3, fixed(100ms) + (|state| 1ms * state.attempt())), all_ms([101, 102, 103]));
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
