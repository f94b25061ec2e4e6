//! Errors that say where they occur what they mean.

use std::cell::RefCell;
use std::time::Duration;

use retry::{Mark, Report, StopReason, Verdict, record_sync, retry, retry_with};

use crate::support::ms;

type Outcome = Result<u32, &'static str>;

/// Runs the body under an `on` that wants no retry, or any, and gives the report.
fn under(retries: bool, body: &mut dyn FnMut(u32) -> Outcome) -> Report {
    #[retry(
        stop = attempts(3),
        wait = fixed(1s),
        on = |_| retries,
        idempotent = false,
    )]
    fn call(retries: bool, number: &mut u32, body: &mut dyn FnMut(u32) -> Outcome) -> Outcome {
        *number += 1;
        body(*number)
    }
    let run = || retry_with().virtual_time().sync_scope(|| call(retries, &mut 0, body));
    let (_, mut reports) = record_sync(run);
    // Those of the calls in the body come before it.
    reports.pop().unwrap()
}

fn ended(retries: bool, mut body: impl FnMut(u32) -> Outcome) -> (u32, StopReason) {
    let report = under(retries, &mut body);
    (report.attempts(), report.reason())
}

const FAILED: Outcome = Err("no");

#[test]
fn without_a_mark_on_decides() {
    assert_eq!(ended(true, |_| FAILED), (3, StopReason::Attempts));
    assert_eq!(ended(false, |_| FAILED), (1, StopReason::Permanent));
}

#[test]
fn a_mark_decides_in_place_of_on() {
    assert_eq!(ended(true, |_| FAILED.permanent()), (1, StopReason::Permanent));
    assert_eq!(ended(false, |_| FAILED.transient()), (3, StopReason::Attempts));
    assert_eq!(ended(true, |_| FAILED.ambiguous()), (1, StopReason::Ambiguous));
    assert_eq!(ended(false, |_| FAILED.retry_after(ms(5))), (3, StopReason::Attempts));
    assert_eq!(ended(false, |_| FAILED.now()), (3, StopReason::Attempts));
}

#[test]
fn a_mark_holds_for_its_own_attempt_only() {
    let first = |mark: fn(Outcome) -> Outcome| {
        move |number| if number == 1 { mark(FAILED) } else { FAILED }
    };
    assert_eq!(ended(false, first(Mark::transient)), (2, StopReason::Permanent));
    let second = |number| if number == 2 { FAILED.permanent() } else { FAILED };
    assert_eq!(ended(true, second), (2, StopReason::Permanent));
}

#[test]
fn the_result_passes_through_as_it_is() {
    let mut body = |number| {
        assert_eq!(Ok::<_, ()>(7).permanent(), Ok(7));
        assert_eq!(Err::<(), _>("e").ambiguous().now().retry_after(ms(1)), Err("e"));
        if number < 2 { FAILED.transient() } else { Ok(7) }
    };
    assert_eq!(under(false, &mut body).attempts(), 2);
}

#[test]
fn a_good_result_marks_nothing() {
    let body = |_| {
        let _ = Ok::<_, ()>(1).permanent();
        FAILED
    };
    assert_eq!(ended(true, body), (3, StopReason::Attempts));
    let body = |_| {
        let _ = Ok::<_, ()>(1).transient().retry_after(ms(1)).now().ambiguous();
        FAILED
    };
    assert_eq!(ended(false, body), (1, StopReason::Permanent));
}

#[test]
fn a_mark_does_not_speak_about_a_success() {
    let body = |_| {
        let _ = FAILED.transient();
        Ok(7)
    };
    assert_eq!(ended(true, body), (1, StopReason::Success));
}

/// The verdict and the delay of the first attempt.
fn first(mut body: impl FnMut() -> Outcome) -> (Verdict, Option<Duration>) {
    let report = under(true, &mut |_| body());
    (report.history()[0].verdict(), report.history()[0].delay())
}

#[test]
fn a_chain_adds_a_hint_to_what_was_marked_before() {
    let after = |time| Verdict::Retry.retry_after(ms(time));
    assert_eq!(first(|| FAILED.transient()), (Verdict::Retry, Some(ms(1000))));
    assert_eq!(first(|| FAILED.retry_after(ms(2500))), (after(2500), Some(ms(2500))));
    assert_eq!(first(|| FAILED.transient().retry_after(ms(2500))).0, after(2500));
    // The greater of two hints, and the last of two kinds.
    assert_eq!(first(|| FAILED.retry_after(ms(9000)).retry_after(ms(2500))).1, Some(ms(9000)));
    assert_eq!(first(|| FAILED.retry_after(ms(9000)).transient()).1, Some(ms(1000)));
    assert_eq!(first(|| FAILED.permanent().transient()).0, Verdict::Retry);
    assert_eq!(first(|| FAILED.transient().permanent()).0, Verdict::Final);
    // What is final has no use for a hint: the other side does.
    assert_eq!(first(|| FAILED.permanent().retry_after(ms(2500))).0, after(2500));
    assert_eq!(first(|| FAILED.now()).1, Some(Duration::ZERO));
    assert_eq!(first(|| FAILED.ambiguous().now()).0, Verdict::Ambiguous.now());
    assert_eq!(
        first(|| FAILED.ambiguous().retry_after(ms(2500))).0,
        Verdict::Ambiguous.retry_after(ms(2500))
    );
}

#[test]
fn an_ambiguous_mark_is_retried_where_repeating_is_harmless() {
    #[retry(stop = attempts(3), wait = none(), on = any_error(), idempotent)]
    fn call(calls: &mut u32) -> Outcome {
        *calls += 1;
        FAILED.ambiguous()
    }
    let mut calls = 0;
    call(&mut calls).unwrap_err();
    assert_eq!(calls, 3);
}

#[test]
fn a_mark_outside_of_every_call_does_nothing_and_waits_for_none() {
    assert_eq!(FAILED.permanent().transient().now(), FAILED);
    assert_eq!(ended(true, |_| FAILED), (3, StopReason::Attempts));
}

#[test]
fn a_mark_deep_down_and_behind_a_question_mark_is_heard() {
    fn parse(text: &str) -> Result<u32, std::num::ParseIntError> {
        text.parse::<u32>().permanent()
    }
    let body = |_| {
        let value = parse("x").map_err(|_| "no number")?;
        Ok(value)
    };
    assert_eq!(ended(true, body), (1, StopReason::Permanent));
}

#[test]
fn a_mark_in_an_inner_call_does_not_reach_the_outer_one() {
    #[retry(stop = attempts(3), wait = none(), on = any_error())]
    fn inner(calls: &RefCell<Vec<&'static str>>) -> Outcome {
        calls.borrow_mut().push("inner");
        FAILED.permanent()
    }
    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    fn outer(calls: &RefCell<Vec<&'static str>>) -> Outcome {
        calls.borrow_mut().push("outer");
        inner(calls)
    }
    let calls = RefCell::default();
    outer(&calls).unwrap_err();
    assert_eq!(calls.into_inner(), ["outer", "inner", "outer", "inner"]);
}

#[test]
fn a_mark_made_before_an_inner_call_is_still_heard_after_it() {
    #[retry(stop = attempts(3), wait = none(), on = any_error())]
    fn inner() -> Outcome {
        FAILED.transient()
    }
    let body = |_| {
        let failed = FAILED.permanent();
        let _ = inner();
        failed
    };
    assert_eq!(ended(true, body), (1, StopReason::Permanent));
}

#[tokio::test]
async fn marks_in_the_branches_of_a_join_reach_their_own_calls() {
    #[retry(stop = attempts(3), wait = none(), on = any_error())]
    async fn call(permanent: bool, calls: &mut u32) -> Outcome {
        *calls += 1;
        tokio::task::yield_now().await;
        let failed = if permanent { FAILED.permanent() } else { FAILED.transient() };
        tokio::task::yield_now().await;
        failed
    }
    let (mut a, mut b, mut c) = (0, 0, 0);
    let _ = tokio::join!(call(false, &mut a), call(true, &mut b), call(false, &mut c));
    assert_eq!((a, b, c), (3, 1, 3));
}

#[test]
fn a_mark_is_not_heard_where_retrying_is_off() {
    let off = || retry_with().enabled(false);
    let mut calls = 0;
    let mut body = |_| {
        calls += 1;
        FAILED.transient()
    };
    let report = off().sync_scope(|| under(false, &mut body));
    assert_eq!((calls, report.attempts(), report.reason()), (1, 1, StopReason::Disabled));
}

#[test]
fn nothing_but_a_success_ends_a_block_that_gives_the_value() {
    let mut calls = 0;
    let value: u32 = retry::block!(forever, wait = none(), on = any_error(), || {
        calls += 1;
        if calls < 4 { FAILED.permanent() } else { Ok(calls) }
    });
    assert_eq!((value, calls), (4, 4));
}

#[test]
fn a_mark_on_an_error_of_another_type_is_not_what_a_hint_is_added_to() {
    let verdict = |mark: fn(Outcome) -> Outcome| {
        first(move || {
            // Handled: the lock was held, which says nothing about the answer.
            let _ = Err::<(), u8>(1).ambiguous();
            mark(FAILED)
        })
        .0
    };
    assert_eq!(verdict(Mark::now), Verdict::Retry.now());
    assert_eq!(verdict(|failed| failed.retry_after(ms(5))), Verdict::Retry.retry_after(ms(5)));
}

/// The body of a function where nothing is worth another attempt unless it is marked.
fn only_marked(mut body: impl FnMut() -> Outcome) -> (Outcome, u32) {
    #[retry(stop = attempts(4), wait = none(), on = marked())]
    fn call(calls: &mut u32, body: &mut dyn FnMut() -> Outcome) -> Outcome {
        *calls += 1;
        body()
    }
    let mut calls = 0;
    (call(&mut calls, &mut body), calls)
}

#[test]
fn where_only_marks_decide_an_error_without_one_is_final() {
    assert_eq!(only_marked(|| FAILED), (FAILED, 1));
    assert_eq!(only_marked(|| FAILED.transient()), (FAILED, 4));
    assert_eq!(only_marked(|| FAILED.permanent()), (FAILED, 1));
    assert_eq!(only_marked(|| FAILED.retry_after(Duration::ZERO)), (FAILED, 4));
    assert_eq!(only_marked(|| Ok(1)), (Ok(1), 1));
    // One exit of several.
    let mut versions = 0;
    let once = || {
        versions += 1;
        if versions == 1 { Err("conflict").transient() } else { Err("no such row") }
    };
    assert_eq!(only_marked(once), (Err("no such row"), 2));
}

#[test]
fn where_only_marks_decide_other_conditions_may_stand_beside() {
    #[retry(stop = attempts(3), wait = none(), on = marked() | matches(Err("busy")))]
    fn call(calls: &mut u32, error: &'static str) -> Outcome {
        *calls += 1;
        if error == "busy" { Err(error) } else { Err(error).transient() }
    }
    for error in ["busy", "locked"] {
        let mut calls = 0;
        assert_eq!((call(&mut calls, error), calls), (Err(error), 3));
    }
}

#[test]
fn a_policy_may_leave_it_to_the_marks() {
    let policy = retry::policy! { stop = attempts(3), wait = none(), on = marked() };
    let mut calls = 0;
    let outcome: Outcome = policy.boxed::<&'static str>().call(|| {
        calls += 1;
        if calls == 1 { FAILED.transient() } else { Err("lost") }
    });
    assert_eq!((outcome, calls), (Err("lost"), 2));
    let by_hand =
        retry::Policy::new(retry::stop::attempts(3), retry::wait::none(), retry::on::marked());
    assert_eq!(by_hand.call(|| None::<u8>), None);
}
