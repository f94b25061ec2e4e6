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
    // Of 100 slots; by chance alone about 95 are taken.
    assert!(slots(&late) > 80, "{}", slots(&late));
}

#[test]
fn a_policy_without_jitter_keeps_to_the_hint_and_additive_jitter_is_its_own_spread() {
    assert_eq!(waits(wait::fixed(secs(1)), secs(600)), [secs(60); 300]);
    let additive = waits(wait::fixed(secs(1)).jitter(ms(20)), secs(600));
    assert!(additive.iter().all(|wait| (secs(60)..=secs(60) + ms(20)).contains(wait)));
    assert!(slots(&additive) <= 3);
}

#[test]
fn beside_additive_jitter_another_one_does_not_spread_a_hint_a_second_time() {
    let both = waits(wait::fixed(secs(1)).full_jitter().jitter(ms(20)), secs(600));
    assert!(both.iter().all(|wait| (secs(60)..=secs(60) + ms(20)).contains(wait)), "{both:?}");
}

#[test]
fn a_hint_in_place_of_a_jittered_backoff_is_spread_too() {
    let replaced = waits(wait::exponential(secs(1)).full_jitter().unless_hinted(), secs(600));
    assert!(replaced.iter().all(|wait| (secs(60)..=secs(66)).contains(wait)), "{replaced:?}");
    assert!(slots(&replaced) > 150, "{}", slots(&replaced));
    let exact = waits(wait::exponential(secs(100)).unless_hinted(), secs(600));
    assert_eq!(exact, [secs(60); 300]);
}

#[test]
fn every_kind_of_jitter_and_every_door_spreads_a_hint() {
    let ms = Duration::from_millis;
    let base = wait::exponential(ms(100));
    let wide: [(&str, Box<dyn Wait + Send + Sync>); 7] = [
        ("equal", Box::new(base.equal_jitter())),
        ("factor", Box::new(base.jitter_factor(0.5))),
        ("random", Box::new(wait::random(ms(1)..ms(9)))),
        ("decorrelated", Box::new(wait::decorrelated(ms(1), secs(1)))),
        ("capped", Box::new(base.full_jitter().cap(secs(8)))),
        ("a sum", Box::new(wait::fixed(ms(1)) + base.full_jitter())),
        ("the longer", Box::new(base.full_jitter().max(wait::fixed(ms(1))))),
    ];
    for (name, wait) in wide {
        let waits = waits(std::sync::Arc::<dyn Wait + Send + Sync>::from(wait), secs(600));
        assert!(slots(&waits) > 150, "{name}: {}", slots(&waits));
    }
}
