//! Clients that were given the same hint.

use super::*;

use std::collections::HashSet;

use retry::{Policy, Step, Verdict, Wait, on, stop, wait};

/// The first waits of so many clients which are all told to come back in a minute.
fn waits(wait: impl Wait + Clone + Send + Sync + 'static, limit: Duration) -> Vec<Duration> {
    (0..300)
        .map(|_| {
            let policy = Policy::new(stop::within(limit), wait.clone(), on::any_error());
            match policy.into_schedule().failed_with(Verdict::Retry.retry_after(secs(60))) {
                Step::Wait(wait) => wait,
                step => unreachable!("{step:?}"),
            }
        })
        .collect()
}

fn slots(waits: &[Duration]) -> usize {
    waits.iter().map(|wait| wait.as_millis() / 10).collect::<HashSet<_>>().len()
}

#[test]
fn three_hundred_clients_with_the_same_hint_do_not_come_back_together() {
    let full = waits(wait::exponential(secs(1)).full_jitter(), secs(600));
    assert!(full.iter().all(|wait| (secs(60)..=secs(66)).contains(wait)), "{full:?}");
    // Of 600 slots of 10 ms; by chance alone about 236 are taken.
    assert!(slots(&full) > 150, "{}", slots(&full));
}

#[test]
fn a_wait_that_was_asked_for_is_spread_no_further_than_the_limit_allows() {
    let late = waits(wait::exponential(secs(1)).full_jitter(), secs(61));
    assert!(late.iter().all(|wait| (secs(60)..secs(61)).contains(wait)), "{late:?}");
    assert!(slots(&late) > 30, "{}", slots(&late));
}

#[test]
fn a_policy_without_jitter_keeps_to_the_hint_and_additive_jitter_is_its_own_spread() {
    assert_eq!(waits(wait::fixed(secs(1)), secs(600)), [secs(60); 300]);
    let additive = waits(wait::fixed(secs(1)).jitter(ms(20)), secs(600));
    assert!(additive.iter().all(|wait| (secs(60)..=secs(60) + ms(20)).contains(wait)));
    assert!(slots(&additive) <= 3);
}

#[test]
fn a_decorrelated_wait_spreads_a_hint_too() {
    let decorrelated = waits(wait::decorrelated(secs(1), secs(10)), secs(600));
    assert!(decorrelated.iter().all(|wait| (secs(60)..=secs(66)).contains(wait)));
    assert!(slots(&decorrelated) > 150, "{}", slots(&decorrelated));
}

#[test]
fn beside_additive_jitter_another_one_does_not_spread_a_hint_a_second_time() {
    let both = waits(wait::fixed(secs(1)).full_jitter().jitter(ms(20)), secs(600));
    assert!(both.iter().all(|wait| (secs(60)..=secs(60) + ms(20)).contains(wait)), "{both:?}");
}
