//! Clients that failed at the same moment must not come back at the same moment.

use super::*;

/// The delays of 1,000 clients, each with randomness of its own, after attempt 6.
fn clients(wait: &dyn Wait) -> Vec<Duration> {
    let client = |seed| State::new(6).with_verdict(Verdict::Retry.throttled()).seeded(seed);
    (0..1_000).map(|seed| wait.delay(&client(seed)).total()).collect()
}

/// How many clients come back in each slot of 100 ms.
pub(crate) fn slots(delays: &[Duration]) -> BTreeMap<u128, usize> {
    let mut slots = BTreeMap::new();
    for delay in delays {
        *slots.entry(delay.as_millis() / 100).or_default() += 1;
    }
    slots
}

#[track_caller]
fn assert_spread(name: &str, wait: &dyn Wait) {
    let delays = clients(wait);
    let slots = slots(&delays);
    assert!(slots.len() >= 78, "{name}: only {} slots", slots.len());
    // A cap that cuts off leaves half of the slots as they are, and everybody else in one.
    let fullest = slots.values().max().unwrap();
    assert!(*fullest <= 40, "{name}: {fullest} clients in one slot");
    assert!(delays.iter().all(|delay| *delay <= secs(8)), "{name}: above the cap");
}

#[test]
fn full_jitter_survives_the_cap_in_whatever_order_and_nesting() {
    let backoff = wait::exponential(ms(500));
    let cap = secs(8);
    let jittered = backoff.full_jitter();
    // A strategy that counts on from attempt 1 after two others.
    let ahead = wait::exponential(secs(2)).full_jitter();
    let asking = move |state: &State| jittered.delay(state);
    let waits = [
        ("before the jitter", boxed(backoff.cap(cap).full_jitter())),
        ("after the jitter", boxed(jittered.cap(cap))),
        ("on both sides", boxed(backoff.cap(secs(10)).full_jitter().cap(cap))),
        ("under a floor", boxed(jittered.floor(ms(1)).cap(cap))),
        ("in a sum", boxed(jittered.cap(cap) + wait::none())),
        ("over a sum", boxed((jittered + wait::none()).cap(cap))),
        ("in a maximum", boxed(jittered.cap(cap).max(wait::none()))),
        ("over a maximum", boxed(jittered.max(wait::none()).cap(cap))),
        ("over a minimum", boxed(jittered.min(wait::fixed(secs(20))).cap(cap))),
        ("in `then`", boxed(wait::none().times(2).then(ahead.cap(cap)))),
        ("over `then`", boxed(wait::none().times(2).then(ahead).cap(cap))),
        ("in `throttled`", boxed(wait::none().throttled(jittered.cap(cap)))),
        ("over `throttled`", boxed(wait::none().throttled(jittered).cap(cap))),
        ("over a box", boxed(boxed(jittered).cap(cap))),
        ("over a box of a sum", boxed(boxed(wait::none() + boxed(jittered)).cap(cap))),
        ("over an arc", boxed(Arc::<dyn Wait>::from(boxed(jittered)).cap(cap))),
        ("over a closure", boxed(wait::by(asking).cap(cap))),
        ("over the jitter of a closure", boxed(wait::by(|_| secs(16)).full_jitter().cap(cap))),
        ("over a random range", boxed(wait::random(ms(0)..secs(16)).cap(cap))),
        ("over the widest factor", boxed(backoff.jitter_factor(1.0).cap(cap))),
    ];
    for (name, wait) in &waits {
        assert_spread(name, wait);
    }
}

#[test]
fn equal_jitter_survives_the_cap_over_the_upper_half() {
    let backoff = wait::exponential(ms(500));
    let cap = secs(8);
    for wait in [boxed(backoff.cap(cap).equal_jitter()), boxed(backoff.equal_jitter().cap(cap))] {
        let delays = clients(&wait);
        assert!(delays.iter().all(|delay| (secs(4)..=cap).contains(delay)));
        assert!(slots(&delays).len() >= 39);
    }
}

#[test]
fn additive_jitter_comes_on_top_of_the_cap_by_no_more_than_its_width() {
    let backoff = wait::exponential(ms(500));
    let (cap, width) = (secs(8), ms(500));
    for wait in [
        boxed(backoff.cap(cap).jitter(width)),
        boxed(backoff.jitter(width).cap(cap)),
        boxed(boxed(backoff.jitter(width)).cap(cap)),
        boxed(backoff.cap(cap) + wait::none().jitter(width)),
        boxed(wait::none().max(backoff.jitter(width)).cap(cap)),
        boxed(wait::none().times(1).then(backoff.jitter(width)).cap(cap)),
    ] {
        let delays = clients(&wait);
        assert!(delays.iter().all(|delay| (cap..=cap + width).contains(delay)));
        assert_eq!(slots(&delays).len(), 5);
    }
}

#[test]
fn a_cap_without_jitter_puts_everybody_in_one_slot() {
    // So the tests above measure the jitter.
    assert_eq!(slots(&clients(&wait::exponential(ms(500)).cap(secs(8)))).len(), 1);
}
