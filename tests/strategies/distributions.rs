//! Whether what is drawn is spread evenly over its range: a chi-square test of every form, with
//! fixed seeds.

use retry::{State, Wait, wait};

use super::ms;

const BINS: u32 = 20;
const DRAWS: u32 = 20_000;
/// With 19 degrees of freedom an even spread exceeds it once in a thousand seeds.
const CRITICAL: f64 = 43.8;

/// How far the first delays of so many calls are from an even spread from `least` to `most`.
fn chi_square(wait: &impl Wait, least: f64, most: f64) -> f64 {
    let mut seen = [0_u32; BINS as usize];
    for seed in 0..DRAWS {
        let state = State::new(1).seeded(u64::from(seed));
        let drawn = wait.delay(&state).total().as_secs_f64();
        assert!((least..=most).contains(&drawn), "{drawn} is not from {least} to {most}");
        let place = (drawn - least) / (most - least) * f64::from(BINS);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // from 0 to `BINS`
        let bin = (place as usize).min(seen.len() - 1);
        seen[bin] += 1;
    }
    let expected = f64::from(DRAWS) / f64::from(BINS);
    seen.iter().map(|&seen| (f64::from(seen) - expected).powi(2) / expected).sum()
}

fn assert_even(name: &str, wait: &impl Wait, least: f64, most: f64) {
    let chi_square = chi_square(wait, least, most);
    assert!(chi_square < CRITICAL, "{name}: {chi_square}");
    // Far too even would be as wrong: counted, not drawn.
    assert!(chi_square > 4.0, "{name}: {chi_square}");
}

#[test]
fn every_jitter_is_spread_evenly() {
    let second = || wait::fixed(ms(1000));
    assert_even("full", &second().full_jitter(), 0.0, 1.0);
    assert_even("equal", &second().equal_jitter(), 0.5, 1.0);
    assert_even("additive", &second().jitter(ms(500)), 1.0, 1.5);
    assert_even("factor", &second().jitter_factor(0.3), 0.7, 1.0);
    assert_even("random", &wait::random(ms(1000)..ms(3000)), 1.0, 3.0);
    assert_even("decorrelated", &wait::decorrelated(ms(1000), ms(10_000)), 1.0, 3.0);
    assert_even("decorrelated, capped", &wait::decorrelated(ms(1000), ms(2000)), 1.0, 2.0);
}

#[test]
fn a_cap_keeps_the_spread_even() {
    let long = || wait::exponential(ms(60_000));
    assert_even("full", &long().full_jitter().cap(ms(1000)), 0.0, 1.0);
    assert_even("equal", &long().cap(ms(1000)).equal_jitter(), 0.5, 1.0);
    assert_even("factor", &long().jitter_factor(0.5).cap(ms(1000)), 0.5, 1.0);
}

#[test]
fn an_uneven_spread_is_noticed() {
    let bent = wait::by(|state: &State| {
        let drawn = wait::fixed(ms(1000)).full_jitter().delay(state).total().as_secs_f64();
        std::time::Duration::from_secs_f64(drawn.powf(1.1))
    });
    assert!(chi_square(&bent, 0.0, 1.0) > CRITICAL);
}
