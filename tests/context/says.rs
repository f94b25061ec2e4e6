//! What the body says through its handle.

use std::time::Duration;

use retry::{Current, Mark, StopReason, Verdict, current, record_sync, retry, retry_with};

use crate::support::ms;

type Outcome = Result<u32, u32>;

/// A call of at most three attempts, none of which `on` wants unless it fails.
fn call(body: impl FnMut(&Current) -> Outcome) -> (Outcome, u32, StopReason) {
    #[retry(stop = attempts(3), wait = fixed(1s), on = any_error())]
    fn call(mut body: impl FnMut(&Current) -> Outcome) -> Outcome {
        body(&current().unwrap())
    }
    let (outcome, reports) = record_sync(|| retry_with().virtual_time().sync_scope(|| call(body)));
    (outcome, reports[0].attempts(), reports[0].reason())
}

#[test]
fn a_success_that_is_overruled_is_retried() {
    let body = |at: &Current| {
        if at.number() == 1 {
            at.overrule(Verdict::Retry);
        }
        Ok(at.number())
    };
    assert_eq!(call(body), (Ok(2), 2, StopReason::Success));
}

#[test]
fn a_failure_that_is_overruled_ends_the_call() {
    let body = |at: &Current| {
        if at.number() == 2 {
            at.overrule(Verdict::Final);
        }
        Err(at.number())
    };
    assert_eq!(call(body), (Err(2), 2, StopReason::Permanent));
}

#[test]
fn stop_is_not_overruled() {
    let body = |at: &Current| {
        at.overrule(Verdict::Retry);
        Ok(at.number())
    };
    assert_eq!(call(body), (Ok(3), 3, StopReason::Attempts));
}

#[test]
fn an_ambiguous_success_is_not_repeated() {
    let body = |at: &Current| {
        at.overrule(Verdict::Ambiguous);
        Ok(at.number())
    };
    assert_eq!(call(body), (Ok(1), 1, StopReason::Ambiguous));
}

#[test]
fn the_last_word_counts_and_it_is_over_a_mark() {
    let body = |at: &Current| {
        at.overrule(Verdict::Retry);
        at.overrule(Verdict::Final);
        Err(1).transient()
    };
    assert_eq!(call(body).1, 1);
    let body = |at: &Current| {
        let failed = Err(1).permanent();
        at.overrule(Verdict::Retry);
        failed
    };
    assert_eq!(call(body).1, 3);
}

#[test]
fn on_is_not_asked_about_an_attempt_that_is_overruled() {
    #[retry(stop = attempts(3), wait = none(), on = |_| -> bool { panic!("asked") })]
    fn call() -> Outcome {
        current().unwrap().overrule(Verdict::Retry);
        Err(1)
    }
    assert_eq!(call(), Err(1));
}

#[test]
fn an_overruled_attempt_carries_its_hints() {
    #[retry(stop = attempts(2), wait = fixed(1s), on = any_error())]
    fn call() -> Outcome {
        current().unwrap().overrule(Verdict::Retry.retry_after(ms(4000)));
        Ok(1)
    }
    let (_, reports) = record_sync(|| retry_with().virtual_time().sync_scope(call));
    assert_eq!(reports[0].delays().collect::<Vec<_>>(), [ms(4000)]);
}

#[test]
fn a_handle_of_an_attempt_that_is_over_changes_nothing() {
    let mut kept = None;
    let body = |at: &Current| {
        let old: &Current = kept.get_or_insert_with(|| at.clone());
        if at.number() > 1 {
            old.overrule(Verdict::Final);
            old.progress();
            assert_eq!((old.number(), old.previous_delay()), (1, None));
            assert_eq!(old.call_id(), at.call_id());
        }
        Err(at.number())
    };
    assert_eq!(call(body), (Err(3), 3, StopReason::Attempts));
    // Nor does it say anything about a call that comes after its own.
    kept.unwrap().overrule(Verdict::Final);
    assert_eq!(call(|at| Err(at.number())).1, 3);
}

#[test]
fn a_handle_of_an_attempt_that_is_over_does_not_take_back_what_a_later_one_says() {
    let mut kept = None;
    let body = |at: &Current| {
        let old: &Current = kept.get_or_insert_with(|| at.clone());
        if at.number() == 2 {
            at.overrule(Verdict::Final);
            old.overrule(Verdict::Retry);
        }
        Err(at.number())
    };
    assert_eq!(call(body), (Err(2), 2, StopReason::Permanent));
}

#[test]
fn what_is_said_in_a_hook_is_too_late_for_its_attempt_and_too_early_for_the_next() {
    use std::cell::RefCell;
    #[retry(
        stop = attempts(3),
        wait = none(),
        on = any_error(),
        after = |_, _| for at in kept.borrow().iter() { at.overrule(Verdict::Final) },
        gate = |_, _| { for at in kept.borrow().iter() { at.overrule(Verdict::Final) } true },
        before = |_| for at in kept.borrow().iter() { at.overrule(Verdict::Final) },
    )]
    fn call(kept: &RefCell<Vec<Current>>, calls: &mut u32) -> Outcome {
        *calls += 1;
        kept.borrow_mut().push(current().unwrap());
        Err(*calls)
    }
    assert_eq!(call(&RefCell::default(), &mut 0), Err(3));
}

#[test]
fn a_clone_says_what_its_original_would() {
    let body = |at: &Current| {
        at.clone().overrule(Verdict::Final);
        Err(1)
    };
    assert_eq!(call(body).1, 1);
}

/// The delays of a call of at most three attempts in a row.
fn delays(body: fn(u32) -> Outcome) -> Vec<u64> {
    #[retry(stop = attempts(3), wait = exponential(1s), on = any_error())]
    fn call(body: fn(u32) -> Outcome) -> Outcome {
        body(current().unwrap().number())
    }
    let (_, reports) = record_sync(|| retry_with().virtual_time().sync_scope(|| call(body)));
    reports[0].delays().map(|delay| delay.as_secs()).collect()
}

#[test]
fn progress_starts_count_and_backoff_anew() {
    assert_eq!(delays(Err), [1, 2]);
    let with_progress = |number| {
        if number == 2 || number == 4 {
            current().unwrap().progress();
        }
        Err(number)
    };
    // Attempts 2 and 4 are the first of their rows.
    assert_eq!(delays(with_progress), [1, 1, 2, 1, 2]);
}

#[test]
fn progress_in_an_attempt_that_succeeds_is_nothing() {
    let body = |at: &Current| {
        at.progress();
        if at.number() == 1 { Err(1) } else { Ok(2) }
    };
    assert_eq!(call(body), (Ok(2), 2, StopReason::Success));
}

#[test]
fn progress_starts_a_limit_in_time_anew_from_the_failure_after_it() {
    #[retry(stop = within(10s), wait = fixed(4s), on = any_error())]
    fn call(calls: &mut u32) -> Outcome {
        *calls += 1;
        let at = current().unwrap();
        // Of the outage that goes on until this attempt fails.
        let left = at.remaining().unwrap();
        let before =
            Duration::from_secs(if *calls < 4 { 10 - 4 * u64::from(*calls - 1) } else { 6 });
        if *calls < 5 {
            assert!(left <= before && left + Duration::from_secs(1) > before, "{left:?}");
        }
        if *calls == 3 {
            at.progress();
        }
        Err(*calls)
    }
    let mut calls = 0;
    let (_, reports) = record_sync(|| retry_with().virtual_time().sync_scope(|| call(&mut calls)));
    // Two more than without.
    assert_eq!((calls, reports[0].reason()), (5, StopReason::Time));
}

#[test]
fn progress_that_is_overruled_by_a_final_verdict_ends_all_the_same() {
    let body = |at: &Current| {
        at.progress();
        at.overrule(Verdict::Final);
        Err(1)
    };
    assert_eq!(call(body).1, 1);
}

#[test]
fn a_success_that_is_overruled_is_retried_where_nothing_but_a_success_ends_the_call() {
    let mut calls = 0;
    let value: u32 = retry::block!(forever, wait = none(), on = any_error(), || {
        calls += 1;
        if calls < 3 {
            current().unwrap().overrule(Verdict::Retry);
        }
        Ok::<_, ()>(calls)
    });
    assert_eq!(value, 3);
}
