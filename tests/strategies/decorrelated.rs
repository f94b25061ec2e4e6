//! The decorrelated jitter.

use super::*;
use crate::spread::slots;
use crate::trees::is_about;

#[test]
fn decorrelated_draws_from_its_base_to_three_times_its_own_value_before() {
    let wait = wait::decorrelated(secs(1), secs(60));
    for seed in 0..50 {
        let state = State::new(1).seeded(seed);
        let mut before = secs(1);
        for _ in 0..20 {
            let delay = wait.delay(&state);
            assert_eq!(delay.most(), (before * 3).min(secs(60)));
            assert!((secs(1)..=delay.most()).contains(&delay.total()), "{delay:?}");
            before = delay.total();
        }
    }
}

#[test]
fn decorrelated_knows_nothing_of_another_one_of_another_call_or_of_a_hint() {
    let (one, other) = (wait::decorrelated(secs(1), secs(600)), wait::decorrelated(ms(1), secs(9)));
    let asked_to_wait = Verdict::Retry.retry_after(secs(100));
    let state = State::new(1).seeded(5).with_verdict(asked_to_wait);
    let (mut before, mut other_before) = (secs(1), ms(1));
    for _ in 0..10 {
        let delay = one.delay(&state);
        assert_eq!(delay.most(), (before * 3).min(secs(600)));
        before = delay.value();

        let delay = other.delay(&state);
        assert_eq!(delay.most(), (other_before * 3).min(secs(9)));
        other_before = delay.value();
    }
    assert_eq!(one.delay(&State::new(11)).most(), secs(3));
}

#[test]
fn what_shapes_a_decorrelated_one_does_not_change_what_it_grows_from() {
    let plain = wait::decorrelated(secs(1), secs(600));
    let shaped = plain.cap(ms(10)).floor(secs(300)) + wait::fixed(secs(7));
    let (state, same) = (State::new(1).seeded(3), State::new(1).seeded(3));
    for _ in 0..10 {
        shaped.delay(&state);
        plain.delay(&same);
    }
    assert_eq!(plain.delay(&state), plain.delay(&same));
}

#[test]
fn decorrelated_stays_spread_out_at_its_cap() {
    let wait = wait::decorrelated(ms(500), secs(8));
    let delays: Vec<_> = (0..1_000)
        .map(|seed| {
            let state = State::new(1).seeded(seed);
            (0..30).map(|_| wait.delay(&state).total()).last().unwrap()
        })
        .collect();
    let slots = slots(&delays);
    assert!(slots.len() >= 70, "{} slots", slots.len());
    assert!(slots.values().all(|clients| *clients <= 50), "{slots:?}");
    assert!(delays.iter().all(|delay| (ms(500)..=secs(8)).contains(delay)));
}

#[test]
fn decorrelated_with_a_cap_below_its_base_waits_the_base() {
    let wait = wait::decorrelated(secs(5), secs(1));
    let state = State::new(1);
    for _ in 0..5 {
        assert_eq!(wait.delay(&state), Delay::fixed(secs(5)));
    }
}

#[test]
fn decorrelated_by_a_factor_draws_up_to_that_times_its_own_value_before() {
    for (factor, effective) in [(10.0, 10.0), (1.5, 1.5), (1.0, 1.0), (0.5, 1.0), (f64::NAN, 1.0)] {
        let wait = wait::decorrelated(secs(1), secs(60)).factor(factor);
        let state = State::new(1).seeded(4);
        let mut before = secs(1);
        for _ in 0..20 {
            let delay = wait.delay(&state);
            let most = before.mul_f64(effective).min(secs(60));
            assert!(is_about(delay.most(), most), "{factor}: {delay:?}, not {most:?}");
            before = delay.total();
        }
    }
    let endless = wait::decorrelated(secs(1), Duration::MAX).factor(f64::INFINITY);
    let state = State::new(1).seeded(4);
    assert!((0..20).all(|_| endless.delay(&state).most() == Duration::MAX));
}

#[test]
fn decorrelated_ones_that_differ_in_their_factor_alone_keep_apart() {
    let (one, other) =
        (wait::decorrelated(secs(1), secs(600)), wait::decorrelated(secs(1), secs(600)));
    let (one, other) = (one.factor(2), other.factor(20));
    let state = State::new(1).seeded(5);
    let (mut before, mut other_before) = (secs(1), secs(1));
    for _ in 0..10 {
        let (delay, others) = (one.delay(&state), other.delay(&state));
        assert_eq!(delay.most(), (before * 2).min(secs(600)));
        assert_eq!(others.most(), (other_before * 20).min(secs(600)));
        (before, other_before) = (delay.value(), others.value());
    }
}
