//! Caps and floors.

use super::*;
use crate::plain::first_delays;
use crate::ranges::assert_range;

#[test]
fn a_cap_below_the_base_is_the_delay() {
    let wait = wait::exponential(secs(10)).cap(secs(1));
    assert_eq!(first_delays(&wait), [secs(1); 3]);
    assert_range("jittered", &wait.full_jitter(), Duration::ZERO..=secs(1));
    assert_eq!(after(3, &wait.cap(Duration::ZERO)), Duration::ZERO);
}

#[test]
fn a_floor_above_the_cap_beats_it_in_either_order() {
    let backoff = wait::exponential(secs(1));
    for wait in [
        boxed(backoff.cap(secs(2)).floor(secs(5))),
        boxed(backoff.floor(secs(5)).cap(secs(2))),
        boxed(boxed(backoff.floor(secs(5))).cap(secs(2)).full_jitter()),
        boxed(backoff.full_jitter().floor(secs(5)).floor(secs(1)).cap(secs(2))),
    ] {
        assert_eq!(first_delays(&wait), [secs(5); 4]);
    }
}

#[test]
fn the_longer_of_two_keeps_the_floor_of_both() {
    let floored = wait::fixed(secs(1)).floor(secs(5));
    // The cap leaves neither below the floor of the second, which alone would wait 5 s.
    let wait = wait::fixed(secs(10)).max(floored);
    assert_eq!(after(1, &wait), secs(10));
    assert_eq!(after(1, &wait.cap(secs(2))), secs(5));
    assert_eq!(after(1, &floored.max(wait::fixed(secs(10))).cap(secs(2))), secs(5));
}

#[test]
fn the_two_of_a_sum_wait_one_after_the_other_also_where_one_is_at_its_floor() {
    let floored = wait::fixed(secs(1)).floor(secs(5));
    assert_eq!(after(1, &(wait::fixed(secs(10)) + floored)), secs(15));
    assert_eq!(after(1, &(floored + wait::fixed(secs(10)))), secs(15));
    assert_eq!(after(1, &(floored + floored)), secs(10));
}

#[test]
fn each_side_of_a_sum_keeps_its_own_cap() {
    let wait = wait::exponential(secs(1)).cap(secs(4)) + wait::linear(secs(10), secs(10));
    assert_eq!(first_delays(&wait), [11, 22, 34, 44, 54].map(secs));
    assert_eq!(first_delays(&wait.cap(secs(30))), [11, 22, 30, 30].map(secs));
}

#[test]
fn the_longer_and_the_shorter_of_two_are_chosen_anew_each_time() {
    let (backoff, constant) = (wait::exponential(secs(1)), wait::fixed(secs(3)));
    assert_eq!(first_delays(&backoff.max(constant)), [3, 3, 4, 8].map(secs));
    assert_eq!(first_delays(&backoff.min(constant)), [1, 2, 3, 3].map(secs));
    // A closure may stand for a strategy.
    let attempt = |state: &State| secs(u64::from(state.attempt()) * 3);
    assert_eq!(first_delays(&backoff.max(attempt)), [3, 6, 9, 12, 16].map(secs));
}

#[test]
fn only_a_throttled_verdict_asks_the_other_strategy() {
    let wait = wait::fixed(secs(1)).throttled(wait::fixed(secs(9)));
    let delay = |verdict| wait.delay(&State::new(1).with_verdict(verdict)).total();
    assert_eq!(delay(Verdict::Retry), secs(1));
    assert_eq!(delay(Verdict::Ambiguous), secs(1));
    assert_eq!(delay(Verdict::Retry.throttled()), secs(9));
    assert_eq!(delay(Verdict::Ambiguous.throttled()), secs(9));
}

#[test]
fn the_longer_of_two_could_be_as_long_as_either_and_the_shorter_as_the_shorter() {
    let state = State::new(1).draw(0.1);
    let (random, constant) = (wait::random(Duration::ZERO..secs(10)), wait::fixed(secs(3)));
    for longer in [random.max(constant).delay(&state), constant.max(random).delay(&state)] {
        assert_eq!((longer.value(), longer.most()), (secs(3), secs(10)));
    }
    for shorter in [random.min(constant).delay(&state), constant.min(random).delay(&state)] {
        assert_eq!((shorter.value(), shorter.most()), (secs(1), secs(3)));
    }
}

#[test]
fn of_two_that_come_to_the_same_delay_the_first_counts() {
    let (constant, floored) = (wait::fixed(secs(5)), wait::fixed(secs(1)).floor(secs(5)));
    assert_eq!(after(1, &constant.min(floored).cap(secs(2))), secs(2));
    assert_eq!(after(1, &floored.min(constant).cap(secs(2))), secs(5));
    let value = |wait: &dyn Wait| wait.delay(&State::new(1)).value();
    assert_eq!([value(&constant.max(floored)), value(&floored.max(constant))], [secs(5), secs(1)]);
}
