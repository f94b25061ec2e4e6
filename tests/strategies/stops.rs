//! Stops.

use super::*;

#[test]
fn reaching_a_limit_counts_as_over_it() {
    let just_below = |limit: Duration| limit.saturating_sub(Duration::from_nanos(1));
    let at = |elapsed| State::new(1).with_elapsed(elapsed);
    let limit = secs(10);

    assert!(!stop::attempts(3).stop(&State::new(2)));
    assert!(stop::attempts(3).stop(&State::new(3)));
    assert!(stop::attempts(3).stop(&State::new(4)));

    assert!(!stop::elapsed(limit).stop(&at(just_below(limit))));
    assert!(stop::elapsed(limit).stop(&at(limit)));
    // The coming delay is no concern of `elapsed`.
    assert!(!stop::elapsed(limit).stop(&at(just_below(limit)).with_delay(secs(99))));

    assert!(!stop::within(limit).stop(&at(secs(7)).with_delay(just_below(secs(3)))));
    assert!(stop::within(limit).stop(&at(secs(7)).with_delay(secs(3))));
    assert!(stop::within(limit).stop(&at(limit)));
    assert!(!stop::within(limit).stop(&at(just_below(limit))));
    assert!(stop::within(Duration::MAX).stop(&at(secs(1)).with_delay(Duration::MAX)));

    let now = Instant::now();
    let until = stop::until(now + limit);
    let now = State::new(1).with_now(now);
    assert!(!until.stop(&now));
    let now = now.with_delay(just_below(limit));
    assert!(!until.stop(&now));
    assert!(until.stop(&now.with_delay(limit)));
}

#[test]
fn a_limit_of_nothing_never_retries() {
    let first = State::new(1);
    assert!(stop::attempts(0).stop(&first));
    assert!(stop::attempts(1).stop(&first));
    assert!(stop::within(Duration::ZERO).stop(&first));
    assert!(stop::elapsed(Duration::ZERO).stop(&first));
}

#[test]
fn a_moment_in_the_past_never_retries_and_leaves_no_time() {
    let past = Instant::now();
    let state = State::new(1).with_now(past + secs(1));
    assert!(stop::until(past).stop(&state));
    assert_eq!(stop::until(past).limits(&state).remaining, Some(Duration::ZERO));
    assert!(stop::until(past).stop(&State::new(1).with_now(past)));
}

#[test]
fn without_a_clock_a_moment_gives_up_rather_than_never() {
    assert!(stop::until(Instant::now() + secs(60)).stop(&State::new(1)));
    assert_eq!(stop::until(Instant::now()).limits(&State::new(1)).remaining, None);
}

#[test]
fn of_two_times_the_shorter_is_left_with_or_and_the_longer_with_and() {
    let (short, long) = (stop::within(secs(10)), stop::elapsed(secs(30)));
    let state = State::new(1).with_elapsed(secs(4));
    let left = |seconds| Some(secs(seconds));
    assert_eq!((short | long).limits(&state).remaining, left(6));
    assert_eq!((long | short).limits(&state).remaining, left(6));
    assert_eq!((short & long).limits(&state).remaining, left(26));
    assert_eq!((long & short).limits(&state).remaining, left(26));

    // What has no limit in time bounds nothing, and outlasts everything.
    let attempts = stop::attempts(3);
    assert_eq!(attempts.limits(&state).remaining, None);
    assert_eq!((attempts | short).limits(&state).remaining, left(6));
    assert_eq!((short | attempts).limits(&state).remaining, left(6));
    assert_eq!((attempts & short).limits(&state).remaining, None);
    assert_eq!((short & attempts).limits(&state).remaining, None);

    assert_eq!(Some(short).limits(&state).remaining, left(6));
    assert_eq!(None::<stop::Within>.limits(&state).remaining, None);
    assert_eq!((long | Some(short)).limits(&state).remaining, left(6));
    assert_eq!((long | None::<stop::Within>).limits(&state).remaining, left(26));
    assert_eq!(short.limits(&state.with_elapsed(secs(11))).remaining, left(0));
}

#[test]
fn an_absent_stop_never_gives_up_and_a_present_one_as_it_would_alone() {
    let last = State::new(u32::MAX).with_elapsed(Duration::MAX);
    assert!(!None::<stop::Attempts>.stop(&last));
    assert!(!stop::Never.stop(&last));
    assert!(Some(stop::attempts(3)).stop(&State::new(3)));
    assert!(!Some(stop::attempts(3)).stop(&State::new(2)));
}
