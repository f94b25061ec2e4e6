//! Ranges: from the least to the most that comes out of many draws.

use super::*;

#[track_caller]
pub(crate) fn assert_range(name: &str, wait: &dyn Wait, range: RangeInclusive<Duration>) {
    let draw = |seed| wait.delay(&State::new(1).seeded(seed)).total();
    let (least, most) = (0..4_000)
        .map(draw)
        .fold((Duration::MAX, Duration::ZERO), |(least, most), d| (least.min(d), most.max(d)));
    assert!(range.contains(&least) && range.contains(&most), "{name}: {least:?}..={most:?}");
    // 4,000 draws of a uniform range come so close to its ends.
    let close = range.end().saturating_sub(*range.start()) / 100;
    assert!(least <= *range.start() + close, "{name}: nothing below {least:?}");
    assert!(most >= range.end().saturating_sub(close), "{name}: nothing above {most:?}");
}

#[test]
fn each_shaper_draws_from_exactly_its_range() {
    let second = wait::fixed(secs(1));
    let zero = Duration::ZERO;
    let waits = [
        ("full", boxed(second.full_jitter()), zero..=secs(1)),
        ("equal", boxed(second.equal_jitter()), ms(500)..=secs(1)),
        ("additive", boxed(second.jitter(ms(250))), secs(1)..=ms(1_250)),
        ("additive, of no width", boxed(second.jitter(zero)), secs(1)..=secs(1)),
        ("additive, over nothing", boxed(wait::none().jitter(ms(250))), zero..=ms(250)),
        ("factor 0.2", boxed(second.jitter_factor(0.2)), ms(800)..=secs(1)),
        ("factor 0", boxed(second.jitter_factor(0.0)), secs(1)..=secs(1)),
        ("factor 1", boxed(second.jitter_factor(1.0)), zero..=secs(1)),
        ("factor above 1", boxed(second.jitter_factor(7.0)), zero..=secs(1)),
        ("factor ∞", boxed(second.jitter_factor(f64::INFINITY)), zero..=secs(1)),
        ("negative factor", boxed(second.jitter_factor(-0.5)), secs(1)..=secs(1)),
        ("no factor at all", boxed(second.jitter_factor(f64::NAN)), secs(1)..=secs(1)),
        ("jitter of nothing", boxed(wait::none().full_jitter()), zero..=zero),
        ("full, on a floor", boxed(second.full_jitter().floor(ms(100))), ms(100)..=secs(1)),
        ("full and additive", boxed(second.full_jitter().jitter(zero)), zero..=secs(1)),
        ("a capped range", boxed(wait::random(secs(1)..secs(3)).cap(ms(300))), ms(100)..=ms(300)),
    ];
    for (name, wait, range) in waits {
        assert_range(name, &wait, range);
    }
}

#[test]
fn a_random_range_may_be_reversed_empty_or_start_at_zero() {
    let zero = Duration::ZERO;
    assert_range("forwards", &wait::random(secs(1)..secs(3)), secs(1)..=secs(3));
    assert_range("reversed", &wait::random(secs(3)..secs(1)), secs(1)..=secs(3));
    assert_range("empty", &wait::random(secs(2)..secs(2)), secs(2)..=secs(2));
    assert_range("from zero", &wait::random(zero..secs(1)), zero..=secs(1));
    assert_range("zero", &wait::random(zero..zero), zero..=zero);
    assert_range("everything", &wait::random(zero..Duration::MAX), zero..=Duration::MAX);
}

#[test]
fn a_fraction_that_is_no_number_draws_the_least() {
    for wait in [boxed(wait::fixed(secs(2)).equal_jitter()), boxed(wait::random(secs(1)..secs(2)))]
    {
        assert_eq!(wait.delay(&State::new(1).draw(f64::NAN)).total(), secs(1));
    }
}

#[test]
fn two_draws_of_one_call_differ() {
    let wait = wait::random(secs(0)..secs(1)) + wait::none();
    for state in [State::new(1).seeded(1), State::new(1)] {
        assert_ne!(wait.delay(&state), wait.delay(&state));
    }
    // Without a seed, two calls differ as well.
    assert_ne!(wait.delay(&State::new(1)), wait.delay(&State::new(1)));
}
