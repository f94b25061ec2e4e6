//! What each step does to the tokens.

use std::thread;

use crate::guard::budget::Budget;

fn spend(budget: &Budget) -> bool {
    budget.try_spend(false).is_some_and(|mut spent| {
        spent.made();
        true
    })
}

#[test]
fn a_retry_takes_its_cost_and_is_refused_where_too_few_are_left() {
    let budget = Budget::new(500).initial(500);
    let made = (0..100).filter(|_| spend(&budget)).count();
    assert_eq!((made, budget.available()), (35, 10));
    assert_eq!((budget.admitted(), budget.refused()), (35, 65));
    // A throttled one is still let through.
    for left in [5, 0] {
        budget.try_spend(true).unwrap().made();
        assert_eq!(budget.available(), left);
    }
    assert!(budget.try_spend(true).is_none());
}

#[test]
fn a_success_brings_one_token_or_what_the_last_retry_took() {
    let budget = Budget::new(100).initial(50);
    budget.succeeded();
    assert_eq!(budget.available(), 51);
    let mut first = budget.try_spend(false).unwrap();
    first.made();
    drop(first);
    let mut second = budget.try_spend(true).unwrap();
    second.made();
    second.succeeded();
    assert_eq!(budget.available(), 51 - 14);
}

#[test]
fn tokens_never_exceed_the_size() {
    let budget = Budget::new(20).initial(20);
    budget.succeeded();
    assert_eq!(budget.available(), 20);
    let spent = budget.try_spend(false).unwrap();
    for _ in 0..20 {
        budget.succeeded();
    }
    assert_eq!(budget.available(), 20);
    spent.succeeded();
    assert_eq!(budget.available(), 20);
}

#[test]
fn a_drained_budget_recovers_by_successes_alone() {
    let budget = Budget::new(500);
    while spend(&budget) {}
    assert_eq!(budget.available(), 0);
    for _ in 0..13 {
        budget.succeeded();
        assert!(!spend(&budget));
    }
    budget.succeeded();
    assert!(spend(&budget));
    for _ in 0..1_000 {
        budget.succeeded();
    }
    assert_eq!(budget.available(), 500);
}

#[test]
fn a_retry_cancelled_before_it_was_made_gives_everything_back() {
    let budget = Budget::new(70);
    drop(budget.try_spend(false).unwrap());
    assert_eq!((budget.available(), budget.admitted()), (70, 1));
    let mut sent = budget.try_spend(false).unwrap();
    sent.made();
    drop(sent);
    assert_eq!(budget.available(), 56);
}

#[test]
fn of_overlapping_calls_each_gives_back_its_own() {
    // One slot for all of a client's retries let calls overwrite each other's.
    let budget = Budget::new(70);
    let mut dear = budget.try_spend(false).unwrap();
    let mut cheap = budget.try_spend(true).unwrap();
    dear.made();
    cheap.made();
    assert_eq!(budget.available(), 51);
    dear.succeeded();
    assert_eq!(budget.available(), 65);
    cheap.succeeded();
    assert_eq!(budget.available(), 70);
}

#[test]
fn a_panic_in_a_retry_leaves_the_budget_whole() {
    let budget = Budget::new(70);
    let panics = |made: bool| {
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let mut spent = budget.try_spend(false).unwrap();
            if made {
                spent.made();
            }
            std::panic::resume_unwind(Box::new(()));
        }))
    };
    assert!(panics(false).is_err());
    assert_eq!(budget.available(), 70);
    assert!(panics(true).is_err());
    assert_eq!(budget.available(), 56);
}

#[test]
fn settings_outside_of_their_range_are_harmless() {
    let none = Budget::new(0);
    none.succeeded();
    assert!(!spend(&none) && none.try_spend(true).is_none());
    assert_eq!((none.available(), none.size(), none.refused()), (0, 0, 2));

    let huge = Budget::new(u32::MAX).initial(u32::MAX).refill(u32::MAX);
    assert_eq!((huge.available(), huge.size()), (Budget::MAX_SIZE, Budget::MAX_SIZE));
    assert!(spend(&huge));
    huge.succeeded();
    assert_eq!((huge.available(), huge.admitted()), (Budget::MAX_SIZE, 1));

    // Nothing is free, and every success counts.
    let zeros = Budget::new(10).initial(0).cost(0).throttled_cost(0).refill(0);
    assert!(!spend(&zeros));
    zeros.succeeded();
    assert_eq!(zeros.available(), 1);
    assert!(spend(&zeros) && !spend(&zeros));

    let dear = Budget::new(10).cost(u32::MAX);
    assert!(!spend(&dear));
}

#[test]
fn counting_past_the_end_leaves_the_tokens_alone() {
    use crate::sync::AtomicU64;

    let mut budget = Budget::new(70);
    budget.word = AtomicU64::new((u64::MAX << 20) + 70);
    assert!(spend(&budget));
    assert_eq!((budget.available(), budget.admitted()), (56, 0));
}

#[test]
fn no_token_is_lost_or_made_by_threads_that_meet() {
    static BUDGET: Budget = Budget::new(1_000).initial(500);
    let spent: u32 = thread::scope(|scope| {
        let threads: Vec<_> =
            (0..8).map(|_| scope.spawn(|| (0..1_000).filter(|_| spend(&BUDGET)).count())).collect();
        threads.into_iter().map(|thread| u32::try_from(thread.join().unwrap()).unwrap()).sum()
    });
    assert_eq!((spent, BUDGET.available()), (35, 10));
    assert_eq!((BUDGET.admitted(), BUDGET.refused()), (35, 8 * 1_000 - 35));
}

#[test]
fn it_can_be_read() {
    let budget = Budget::new(160);
    let mut spent = budget.try_spend(false).unwrap();
    assert_eq!(budget.to_string(), "56 of 160 tokens, 1 retry admitted, 0 refused");
    assert_eq!(format!("{spent:?}"), "Spent { cost: 14, made: false, .. }");
    spent.made();
    assert_eq!(
        format!("{budget:?}"),
        "Budget { available: 56, size: 160, cost: 14, throttled_cost: 5, refill: 1, admitted: 1, \
         refused: 0, .. }"
    );
}
