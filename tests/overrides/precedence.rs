//! Who wins: overrides over the attribute over its policy, and an inner scope over an outer one.

use std::sync::LazyLock;
use std::time::Duration;

use retry::{BoxedPolicy, StopReason, record_sync, retry, retry_with, stop, wait};

use super::report;
use crate::support::secs;

static POLICY: LazyLock<BoxedPolicy<()>> = LazyLock::new(|| {
    retry::policy! { stop = attempts(7), wait = fixed(7s), on = any_error() }.boxed()
});

#[retry(policy = *POLICY)]
fn by_policy() -> Result<(), ()> {
    Err(())
}

#[retry(policy = *POLICY, stop = attempts(5), wait = fixed(5s))]
fn by_attribute() -> Result<(), ()> {
    Err(())
}

/// Attempts, and the delay between them.
fn run(call: impl FnOnce() -> Result<(), ()>) -> (u32, Option<Duration>) {
    let report = report(call);
    (report.attempts(), report.delays().next())
}

#[test]
fn overrides_win_over_the_attribute_which_wins_over_the_policy() {
    let virtually =
        |call: fn() -> Result<(), ()>| move || retry_with().virtual_time().sync_scope(call);
    assert_eq!(run(virtually(by_policy)), (7, Some(secs(7))));
    assert_eq!(run(virtually(by_attribute)), (5, Some(secs(5))));
    for call in [by_policy, by_attribute] {
        let overrides = || retry_with().virtual_time();
        let stop = || overrides().stop(stop::attempts(3)).sync_scope(call);
        let wait = || overrides().wait(wait::fixed(secs(2))).sync_scope(call);
        assert_eq!(run(stop).0, 3);
        assert_eq!(run(wait).1, Some(secs(2)));
    }
}

#[test]
fn an_inner_scope_wins_key_by_key() {
    let outer = retry_with().virtual_time().stop(stop::attempts(2)).wait(wait::fixed(secs(2)));
    outer.sync_scope(|| {
        assert_eq!(run(by_attribute), (2, Some(secs(2))));
        retry_with().stop(stop::attempts(3)).sync_scope(|| {
            assert_eq!(run(by_attribute), (3, Some(secs(2))));
            retry_with().wait(wait::fixed(secs(4))).sync_scope(|| {
                assert_eq!(run(by_attribute), (3, Some(secs(4))));
            });
            assert_eq!(run(by_attribute), (3, Some(secs(2))));
        });
        assert_eq!(run(by_attribute), (2, Some(secs(2))));
    });
}

#[test]
fn a_longer_stop_than_the_attribute_s_is_one_too() {
    let overrides = retry_with().virtual_time().stop(stop::attempts(20));
    assert_eq!(run(|| overrides.sync_scope(by_attribute)).0, 20);
}

#[test]
fn a_call_that_is_forever_is_ended() {
    #[retry(forever, wait = none(), on = any_error())]
    fn forever() -> Result<(), ()> {
        Err(())
    }
    let report = report(|| retry_with().stop(stop::attempts(4)).sync_scope(forever));
    assert_eq!((report.attempts(), report.reason()), (4, StopReason::Attempts));
}

#[test]
fn stop_of_the_overrides_says_which_attempt_is_the_last() {
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn lasts(seen: &mut Vec<bool>) -> Result<(), ()> {
        seen.push(retry::current().unwrap().is_last());
        Err(())
    }
    let mut seen = Vec::new();
    retry_with().stop(stop::attempts(3)).sync_scope(|| lasts(&mut seen)).unwrap_err();
    assert_eq!(seen, [false, false, true]);
}

/// Counts its hooks.
#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    before = |_| *hooks += 1,
    after = |_, _| *hooks += 1,
    on_give_up = |_, _| *hooks += 1,
    fallback = |_, _| Ok(9),
    enabled = enabled,
)]
fn hooked(enabled: bool, hooks: &mut u32) -> Result<u32, ()> {
    Err(())
}

#[test]
fn a_call_that_is_off_is_its_plain_body() {
    let mut hooks = 0;
    let report = report(|| {
        retry_with().enabled(false).sync_scope(|| assert_eq!(hooked(true, &mut hooks), Err(())));
    });
    assert_eq!((hooks, report.attempts(), report.reason()), (0, 1, StopReason::Disabled));
}

#[test]
fn enabled_of_the_overrides_wins_both_ways() {
    let mut hooks = 0;
    assert_eq!(hooked(false, &mut hooks), Err(()));
    assert_eq!(hooks, 0);
    assert_eq!(retry_with().enabled(true).sync_scope(|| hooked(false, &mut hooks)), Ok(9));
    assert_eq!(hooks, 7);
    retry_with().enabled(false).sync_scope(|| {
        assert_eq!(hooked(true, &mut hooks), Err(()));
        retry_with().enabled(true).sync_scope(|| assert!(hooked(false, &mut hooks).is_ok()));
        // A scope that says nothing about it changes nothing.
        retry_with().seed(1).sync_scope(|| assert!(hooked(true, &mut hooks).is_err()));
    });
    assert_eq!(hooks, 14);
}

#[test]
fn enabled_off_next_to_other_overrides_is_off() {
    let mut hooks = 0;
    let overrides = retry_with().stop(stop::attempts(9)).virtual_time().seed(3);
    let report = report(|| overrides.sync_scope(|| hooked(false, &mut hooks)));
    assert_eq!((hooks, report.attempts(), report.reason()), (0, 1, StopReason::Disabled));
}

#[test]
fn a_disabled_success_is_reported_as_disabled_and_not_as_a_success() {
    #[retry(stop = attempts(3), wait = none(), on = any_error(), name = "disabled success")]
    fn good() -> Result<(), ()> {
        Ok(())
    }
    let report = report(|| retry_with().enabled(false).sync_scope(good));
    assert_eq!((report.reason(), report.is_success()), (StopReason::Disabled, false));
    let sites = retry::sites();
    let stats = sites.get("disabled success").unwrap();
    assert_eq!((stats.disabled(), stats.first_try()), (1, 0));
}

#[retry(stop = attempts(6), wait = exponential(1s).full_jitter(), on = any_error())]
fn jittered() -> Result<(), ()> {
    Err(())
}

fn delays(seed: Option<u64>, calls: usize) -> Vec<Vec<Duration>> {
    let overrides = retry_with().virtual_time();
    let overrides = match seed {
        Some(seed) => overrides.seed(seed),
        None => overrides,
    };
    let run = || overrides.sync_scope(|| (0..calls).for_each(|_| jittered().unwrap_err()));
    let (_, reports) = record_sync(run);
    reports.iter().map(|report| report.delays().collect()).collect()
}

#[test]
fn a_seed_makes_every_call_under_it_reproducible() {
    let first = delays(Some(42), 3);
    assert_eq!(first, delays(Some(42), 3));
    assert_ne!(first, delays(Some(4711), 3));
    // The calls under one seed differ.
    assert!(first[0] != first[1] && first[1] != first[2]);
    assert_ne!(delays(None, 3), delays(None, 3));
}

#[test]
fn an_inner_seed_does_not_move_the_outer_one() {
    let alone = delays(Some(5), 2);
    let (_, reports) = record_sync(|| {
        retry_with().virtual_time().seed(5).sync_scope(|| {
            jittered().unwrap_err();
            retry_with().seed(99).sync_scope(|| jittered().unwrap_err());
            jittered().unwrap_err();
        });
    });
    let all: Vec<Vec<_>> = reports.iter().map(|report| report.delays().collect()).collect();
    assert_eq!((&all[0], &all[2]), (&alone[0], &alone[1]));
    assert_eq!(all[1], delays(Some(99), 1)[0]);
}

#[test]
fn overrides_show_what_they_override() {
    let shown = format!("{:?}", retry_with().stop(stop::attempts(1)).seed(7).only("f"));
    let expected = r#"Overrides { stop: true, wait: false, enabled: None, guards: None, seed: Some(7), virtual_time: false, only: Some("f") }"#;
    assert_eq!(shown, expected);
}

#[test]
fn the_second_call_under_one_seed_draws_nothing_of_the_next_seed() {
    let calls: Vec<_> = (0..20).flat_map(|seed| delays(Some(seed), 3)).collect();
    for (place, call) in calls.iter().enumerate() {
        assert!(!calls[..place].contains(call), "call {place} repeats an earlier one");
    }
}

#[test]
fn every_random_number_can_be_pinned() {
    let waited = |fraction| {
        let overrides = retry_with().virtual_time().draw(fraction);
        report(|| overrides.sync_scope(jittered)).waited()
    };
    // 1 + 2 + 4 + 8 + 16 s at most.
    assert_eq!([0.0, 0.5, 1.0].map(waited), [secs(0), Duration::from_millis(15_500), secs(31)]);
    assert_eq!([-1.0, f64::NAN, 2.0].map(waited), [secs(0), secs(0), secs(31)]);
}

#[test]
fn of_a_seed_and_a_pinned_number_the_later_and_the_inner_one_holds() {
    let waited = |overrides: retry::Overrides| report(|| overrides.sync_scope(jittered)).waited();
    let virtually = || retry_with().virtual_time();
    assert_eq!(waited(virtually().seed(1).draw(1.0)), secs(31));
    assert_ne!(waited(virtually().draw(1.0).seed(1)), secs(31));
    virtually().seed(1).sync_scope(|| assert_eq!(waited(retry_with().draw(0.0)), secs(0)));
}

#[test]
fn a_cap_on_attempts_raises_no_lower_number() {
    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    fn eager() -> Result<(), ()> {
        Err(())
    }
    #[retry(forever, wait = fixed(1s), on = any_error(), on_success = |_, _| {})]
    fn endless() -> Result<(), ()> {
        Err(())
    }
    let attempts = |call: fn() -> Result<(), ()>| {
        let report = report(|| retry_with().at_most_attempts(3).virtual_time().sync_scope(call));
        assert_eq!(report.reason(), StopReason::Attempts);
        report.attempts()
    };
    assert_eq!([eager, by_policy, by_attribute, endless].map(attempts), [2, 3, 3, 3]);
    assert_eq!(report(|| retry_with().at_most_attempts(0).sync_scope(eager)).attempts(), 1);
}

#[test]
fn a_cap_holds_over_resets_and_beside_an_overridden_stop() {
    #[retry(stop = attempts(9), wait = none(), on = any_error(), reset = |_, _| true)]
    fn healthy() -> Result<(), ()> {
        Err(())
    }
    assert_eq!(report(|| retry_with().at_most_attempts(3).sync_scope(healthy)).attempts(), 3);
    let outer = retry_with().at_most_attempts(3).wait(wait::none());
    let attempts = |most| {
        let inner = retry_with().stop(stop::attempts(most));
        report(|| outer.clone().sync_scope(|| inner.sync_scope(by_attribute))).attempts()
    };
    assert_eq!([2, 9].map(attempts), [2, 3]);
    let inner = || retry_with().at_most_attempts(4).sync_scope(by_attribute);
    assert_eq!(report(|| outer.clone().sync_scope(inner)).attempts(), 4);
}

#[test]
fn a_capped_attempt_knows_that_it_is_the_last() {
    #[retry(stop = attempts(9), wait = none(), on = any_error())]
    fn call(seen: &mut Vec<bool>) -> Result<(), ()> {
        seen.push(retry::current().is_some_and(|attempt| attempt.is_last()));
        Err(())
    }
    let mut seen = Vec::new();
    let capped = retry_with().at_most_attempts(3);
    capped.sync_scope(|| call(&mut seen)).unwrap_err();
    assert_eq!(seen, [false, false, true]);
}

#[test]
fn overrides_of_chance_and_number_show_themselves_where_they_are_set() {
    let shown = format!("{:?}", retry_with().at_most_attempts(2).draw(0.5));
    assert!(shown.contains("seed: None"), "{shown}");
    assert!(shown.contains("at_most_attempts: 2, draw: 0.5"), "{shown}");
}
