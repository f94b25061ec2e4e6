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
