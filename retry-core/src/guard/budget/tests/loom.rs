//! Every order in which threads can meet.

use std::sync::Arc;

use ::loom::{model, thread};

use crate::guard::budget::Budget;

/// Made inside a model, and used before its threads start.
fn budget(size: u32, initial: u32) -> Arc<Budget> {
    let budget = Budget::new(size).initial(initial);
    assert_eq!((budget.available(), budget.refused()), (initial, 0));
    Arc::new(budget)
}

#[test]
fn loom_the_last_tokens_are_spent_once() {
    model(|| {
        let budget = budget(20, 14);
        let other = thread::spawn({
            let budget = budget.clone();
            move || {
                let spent = budget.try_spend(false);
                let admitted = spent.is_some();
                spent.into_iter().for_each(|mut spent| spent.made());
                admitted
            }
        });
        let mut here = budget.try_spend(false);
        if let Some(spent) = &mut here {
            spent.made();
        }
        let there = other.join().unwrap();
        assert!(here.is_some() != there);
        assert_eq!((budget.available(), budget.admitted(), budget.refused()), (0, 1, 1));
    });
}

#[test]
fn loom_tokens_stay_within_the_size_whatever_comes_back_first() {
    model(|| {
        let budget = budget(20, 19);
        let other = thread::spawn({
            let budget = budget.clone();
            // Cancelled before it was made.
            move || drop(budget.try_spend(true))
        });
        budget.succeeded();
        assert!((14..=20).contains(&budget.available()));
        other.join().unwrap();
        // All are back but the one that found no room while the other's were not yet taken.
        assert!((19..=20).contains(&budget.available()));
        assert_eq!((budget.admitted(), budget.refused()), (1, 0));
    });
}

#[test]
fn loom_a_retry_dropped_at_every_step_gives_back_what_it_should() {
    for step in 0..3 {
        model(move || {
            let budget = budget(40, 28);
            let other = thread::spawn({
                let budget = budget.clone();
                move || {
                    let mut spent = budget.try_spend(false).unwrap();
                    if step > 0 {
                        spent.made();
                    }
                    if step == 2 {
                        spent.succeeded();
                    }
                }
            });
            let mut spent = budget.try_spend(false).unwrap();
            spent.made();
            drop(spent);
            other.join().unwrap();
            assert_eq!(budget.available(), if step == 1 { 0 } else { 14 });
        });
    }
}
