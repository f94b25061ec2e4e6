//! The plain strategies.

use super::*;

pub(crate) fn first_delays<const N: usize>(wait: &impl Wait) -> [Duration; N] {
    let mut attempt = 0;
    [(); N].map(|()| {
        attempt += 1;
        after(attempt, wait)
    })
}

#[test]
fn what_follows_then_counts_from_1() {
    let wait = wait::exponential(secs(1)).times(3).then(wait::exponential(secs(10)));
    assert_eq!(first_delays(&wait), [1, 2, 4, 10, 20, 40].map(secs));

    let three =
        wait::fixed(ms(1)).times(2).then(wait::linear(secs(1), secs(1)).times(2).then(wait));
    assert_eq!(after(2, &three), ms(1));
    assert_eq!([3, 4, 5, 6, 7, 8].map(|n| after(n, &three)), [1, 2, 1, 2, 4, 10].map(secs));
}

#[test]
fn a_first_part_of_no_times_is_skipped_and_one_of_all_times_never_ends() {
    let wait = wait::fixed(secs(1)).times(0).then(wait::exponential(secs(10)));
    assert_eq!(first_delays(&wait), [secs(10), secs(20)]);
    let wait = wait::fixed(secs(1)).times(u32::MAX).then(wait::none());
    assert_eq!(after(u32::MAX, &wait), secs(1));
}

#[test]
fn the_last_of_a_sequence_repeats_and_an_empty_one_waits_not_at_all() {
    let wait = wait::sequence([secs(1), secs(5), secs(30)]);
    assert_eq!(first_delays(&wait), [1, 5, 30, 30].map(secs));
    assert_eq!(after(u32::MAX, &wait), secs(30));
    assert_eq!(first_delays(&wait::sequence(Vec::new())), [Duration::ZERO; 2]);
    assert_eq!(after(2, &wait::sequence(&[secs(1), secs(2)][..])), secs(2));
}

#[test]
fn fibonacci_and_linear_climb_as_their_names_say() {
    assert_eq!(first_delays(&wait::fibonacci(secs(2))), [2, 2, 4, 6, 10, 16, 26].map(secs));
    assert_eq!(first_delays(&wait::linear(secs(3), secs(2))), [3, 5, 7, 9].map(secs));
    assert_eq!(first_delays(&wait::linear(secs(3), secs(0))), [3, 3].map(secs));
}

#[test]
fn a_factor_below_1_or_not_a_number_counts_as_1() {
    for factor in [0.5, 0.0, -2.0, f64::NAN, f64::NEG_INFINITY] {
        let wait = wait::exponential(secs(3)).factor(factor);
        assert_eq!(first_delays(&wait), [secs(3); 5], "{factor}");
    }
    let wait = wait::exponential(secs(3)).factor(f64::INFINITY);
    assert_eq!(first_delays(&wait), [secs(3), Duration::MAX]);
}

#[test]
fn a_base_of_zero_stays_zero_however_many_attempts() {
    for attempt in [1, 2, 1_025, u32::MAX] {
        assert_eq!(after(attempt, &wait::exponential(Duration::ZERO)), Duration::ZERO);
        let steep = wait::exponential(Duration::ZERO).factor(f64::INFINITY).cap(secs(60));
        assert_eq!(after(attempt, &steep), Duration::ZERO);
        assert_eq!(after(attempt, &wait::fibonacci(Duration::ZERO)), Duration::ZERO);
        let flat = wait::linear(Duration::ZERO, Duration::ZERO);
        assert_eq!(after(attempt, &flat), Duration::ZERO);
    }
}

#[test]
fn a_backoff_of_all_attempts_there_are_is_the_longest_delay_there_is() {
    let tiny = Duration::from_nanos(1);
    for wait in [
        boxed(wait::exponential(tiny)),
        boxed(wait::exponential(tiny).factor(1.000_001)),
        boxed(wait::fibonacci(tiny)),
        boxed(wait::linear(tiny, Duration::MAX)),
        boxed(wait::fixed(Duration::MAX) + wait::fixed(tiny)),
        boxed(wait::fixed(Duration::MAX).floor(Duration::MAX).cap(tiny)),
    ] {
        assert_eq!(after(u32::MAX, &wait), Duration::MAX);
    }
    assert_eq!(after(u32::MAX, &wait::linear(tiny, tiny)), Duration::from_nanos(u32::MAX.into()));
}

#[test]
fn attempt_zero_counts_as_the_first() {
    assert_eq!(after(0, &wait::exponential(secs(3))), secs(3));
    assert_eq!(after(0, &wait::linear(secs(3), secs(1))), secs(3));
}

#[test]
fn a_policy_nested_a_thousand_deep_answers() {
    let mut wait = boxed(wait::exponential(ms(1)));
    let mut stop: Box<dyn Stop<Ends = Bounded>> = Box::new(stop::attempts(9));
    for _ in 0..250 {
        wait = boxed(boxed(wait.cap(secs(9)).jitter(Duration::ZERO)).max(wait::none()));
        wait = boxed(wait::none().times(1).then(wait) + wait::none());
        stop = Box::new(stop::and(stop::or(stop, stop::Never), stop::attempts(2)));
    }
    assert_eq!(after(u32::MAX, &wait), secs(9));
    assert_eq!(after(251, &wait), ms(1));
    assert!(!stop.stop(&State::new(8)));
    assert!(stop.stop(&State::new(9)));
}
