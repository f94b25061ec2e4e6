#![allow(clippy::unwrap_used)] // a fixture that is no Rust is a mistake of the test

use super::*;
use crate::read::strategy::Kind;

fn read(kind: Kind, text: &str) -> Strategy {
    Strategy::read(kind, syn::parse_str(text).unwrap())
}

/// What all waits come to at most, and the limit in time.
fn worst(stop: &str, wait: &str) -> (Option<Duration>, Option<Duration>) {
    let Some(stop) = stop_value(&read(Kind::Stop, stop)) else { return (None, None) };
    let limit = stop.limits(&State::new(1)).remaining;
    (longest_waits(stop, &read(Kind::Wait, wait)), limit)
}

fn at_most(stop: &str, wait: &str, millis: u64) {
    assert_eq!(worst(stop, wait).0, Some(Duration::from_millis(millis)), "{stop}, {wait}");
}

#[test]
fn the_waits_of_every_strategy_are_added_up() {
    at_most("attempts(5)", "fixed(1s)", 4_000);
    at_most("attempts(4)", "linear(1s, 500ms)", 1_000 + 1_500 + 2_000);
    at_most("attempts(5)", "exponential(100ms)", 100 + 200 + 400 + 800);
    at_most("attempts(4)", "exponential(100ms).factor(3)", 100 + 300 + 900);
    at_most("attempts(4)", "exponential(100ms).factor(1.5)", 100 + 150 + 225);
    at_most("attempts(7)", "fibonacci(10ms)", 10 + 10 + 20 + 30 + 50 + 80);
    at_most("attempts(3)", "random(50ms..200ms)", 400);
    at_most("attempts(5)", "sequence([1s, 5s])", 1_000 + 5_000 * 3);
    at_most("attempts(5)", "decorrelated(100ms, 1s)", 300 + 900 + 1_000 + 1_000);
    at_most("attempts(4)", "decorrelated(100ms, 1s).factor(2)", 200 + 400 + 800);
}

#[test]
fn shapers_count_as_far_as_they_lengthen() {
    at_most("attempts(6)", "exponential(1s).cap(3s)", 1_000 + 2_000 + 3_000 * 3);
    at_most("attempts(3)", "exponential(1s).full_jitter().cap(1s)", 2_000);
    at_most("attempts(3)", "fixed(1s).equal_jitter()", 2_000);
    at_most("attempts(3)", "fixed(1s).jitter_factor(0.2)", 2_000);
    at_most("attempts(3)", "fixed(1s).jitter(100ms)", 2_200);
    at_most("attempts(3)", "fixed(1s).jitter(100ms).cap(500ms)", 1_200);
    at_most("attempts(3)", "exponential(1s).floor(1500ms)", 3_500);
    at_most("attempts(3)", "fixed(1s).floor(3s).cap(2s)", 6_000);
    at_most("attempts(3)", "none().jitter(10ms)", 20);
}

#[test]
fn joined_waits_are_joined() {
    at_most("attempts(3)", "fixed(1s) + random(0ms..500ms)", 3_000);
    at_most("attempts(4)", "exponential(1s).max(fixed(2s))", 2_000 + 2_000 + 4_000);
    at_most("attempts(4)", "exponential(1s).min(fixed(2s))", 1_000 + 2_000 + 2_000);
    at_most("attempts(3)", "fixed(100ms).throttled(exponential(1s)).cap(1s)", 2_000);
    at_most("attempts(3)", "fixed(3s).throttled(sequence([1s, 5s]))", 3_000 + 5_000);
    at_most("attempts(5)", "fixed(100ms).times(2).then(exponential(1s))", 200 + 1_000 + 2_000);
    at_most("attempts(3)", "fixed(1s).floor(1s) + fixed(1s)", 4_000);
    at_most("attempts(3)", "decorrelated(1s, 9s) + fixed(1s)", 3_000 + 9_000 + 2_000);
}

#[test]
fn a_limit_in_time_bounds_what_is_longer_or_unknown() {
    let less = |secs| (None, Some(Duration::from_secs(secs)));
    assert_eq!(worst("attempts(5) | within(3s)", "fixed(1s)"), less(3));
    assert_eq!(worst("attempts(4) | within(3s)", "fixed(1s)"), less(3));
    at_most("attempts(3) | within(3s)", "fixed(1s)", 2_000);
    assert_eq!(worst("within(30s)", "fixed(1s)"), less(30));
    assert_eq!(worst("within(30s) | attempts(n)", "self.wait"), less(30));
    assert_eq!(worst("within(30s) & within(1m)", "fixed(1s)"), less(60));
    at_most("attempts(3) & attempts(5)", "fixed(1s)", 4_000);
    at_most("(attempts(3) | |state| state.x()) | attempts(9)", "fixed(1s)", 2_000);
}

#[test]
fn nothing_is_guessed() {
    for (stop, wait) in [
        ("attempts(n)", "fixed(1s)"),
        ("attempts(3)", "fixed(d)"),
        ("attempts(3)", "exponential(1s).cap(d)"),
        ("attempts(3)", "exponential(1s).factor(f)"),
        ("attempts(3)", "decorrelated(1s, 9s).factor(f)"),
        // Waits of 5 s and 4 s, then 5 s and 3 s, …: each side has its own first one.
        ("attempts(3)", "sequence([5s, 1s]).throttled(sequence([4s, 1s]))"),
        ("attempts(3)", "fixed(5s).times(1).then(none()).throttled(fixed(1s))"),
        ("attempts(3)", "|state| state.x()"),
        ("attempts(3)", "self::fixed(1s)"),
        ("attempts(3)", "fixed(1s).by_mine()"),
        ("attempts(3)", "sequence(self.waits)"),
        ("attempts(3)", "sequence([1s; 3])"),
        ("attempts(3)", "if fast { fixed(1s) } else { fixed(2s) }"),
        ("attempts(3) & within(30s)", "fixed(1s)"),
        ("attempts(3) & |state| state.x()", "fixed(1s)"),
        ("elapsed(30s)", "fixed(1s)"),
        ("until(end)", "fixed(1s)"),
        ("attempts(4000000000)", "fixed(1s)"),
    ] {
        assert_eq!(worst(stop, wait), (None, None), "{stop}, {wait}");
    }
}

#[test]
fn the_first_delay_is_at_least_what_is_known_of_it() {
    for (wait, millis) in [
        ("fixed(2s)", 2_000),
        ("fixed(d)", 0),
        ("linear(2s, d)", 2_000),
        ("exponential(2s).factor(f)", 2_000),
        ("decorrelated(2s, d)", 2_000),
        ("decorrelated(2s, d).factor(f)", 2_000),
        ("random(2s..d)", 2_000),
        ("random(2s..3s)", 2_000),
        ("sequence([2s, d])", 2_000),
        ("fixed(2s).full_jitter()", 0),
        ("fixed(2s).equal_jitter()", 1_000),
        ("fixed(2s).jitter(1s)", 2_000),
        ("fixed(2s).jitter_factor(0.25)", 1_500),
        ("fixed(2s).jitter_factor(f)", 0),
        ("fixed(2s).cap(1s)", 1_000),
        ("fixed(2s).cap(d)", 0),
        ("fixed(2s).cap(1s).floor(3s)", 3_000),
        ("fixed(2s).floor(d)", 2_000),
        ("fixed(2s) + mine()", 2_000),
        ("fixed(2s).max(self.wait)", 2_000),
        ("fixed(2s).min(fixed(1s))", 1_000),
        ("fixed(2s).throttled(fixed(1s))", 1_000),
        ("fixed(2s).throttled(self.wait)", 0),
        ("fixed(2s).unless_hinted()", 0),
        ("fixed(2s).unless_hinted().floor(1s)", 1_000),
        ("fixed(2s).times(n).then(none())", 2_000),
        ("if fast { none() } else { fixed(2s) }", 0),
        ("|state| state.x()", 0),
    ] {
        let least = first_delay_at_least(&read(Kind::Wait, wait));
        assert_eq!(least, Duration::from_millis(millis), "{wait}");
    }
}

#[test]
fn a_delay_that_reaches_the_limit_does_not_fit() {
    let (second, wait) = (Duration::from_secs(1), read(Kind::Wait, "fixed(1s).jitter(1s)"));
    assert!(!fits(second, &wait));
    assert!(fits(second + Duration::from_nanos(1), &wait));
    assert!(fits(second, &read(Kind::Wait, "self.wait")));
}
