//! What is logged of the calls by a policy.

use super::*;

use support::events::{Seen, events};

/// The message, name, reason and error of every event, one line each.
fn logged(run: impl FnOnce()) -> Vec<String> {
    let line = |seen: &Seen| {
        let parts = ["message", "name", "reason", "error"].map(|field| seen.text(field));
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    };
    events(run).iter().map(line).collect()
}

#[test]
fn calls_are_named_after_the_function_that_the_policy_stands_in() {
    let lines = logged(|| {
        let policy = policy! { stop = attempts(2), wait = none() };
        let _: Result<(), _> = policy.call(|| Err(ApiError::Status(404)));
        let mut answers = [Err(ApiError::Busy), Ok(1)].into_iter();
        assert_eq!(policy.call(|| answers.next().unwrap()), Ok(1));
        let _: Result<(), _> = policy.call(|| Err(ApiError::Busy));
    });
    let name = "policies::events::calls_are_named_after_the_function_that_the_policy_stands_in";
    // Nothing of the first: it fails for good at once.
    assert_eq!(
        lines,
        [
            format!("attempt failed, retrying, {name}, Busy"),
            format!("succeeded after retrying, {name}, success"),
            format!("attempt failed, retrying, {name}, Busy"),
            format!("giving up, {name}, attempts, Busy"),
        ]
    );
}

#[test]
fn a_final_failure_after_a_retry_is_told_with_its_name() {
    let lines = logged(|| {
        let policy = policy! { stop = attempts(5), wait = none(), name = "orders.fetch" };
        let mut errors = [ApiError::Busy, ApiError::Status(404)].into_iter();
        let _: Result<(), _> = policy.call(|| Err(errors.next().unwrap()));
    });
    assert_eq!(
        lines,
        [
            "attempt failed, retrying, orders.fetch, Busy",
            "giving up, orders.fetch, permanent, Status(404)"
        ]
    );
}

#[test]
fn a_schedule_logs_nothing() {
    let lines = logged(|| {
        let policy = policy! { stop = attempts(2), wait = none() };
        let mut schedule = policy.schedule();
        while let Step::Wait(_) = schedule.failed(&Err::<(), _>(ApiError::Busy)) {}
    });
    assert_eq!(lines, [""; 0]);
}

#[test]
fn retries_are_warnings_when_the_policy_says_so() {
    use tracing::Level;

    let levels = |run: &dyn Fn()| events(run).iter().map(|it| it.level).collect::<Vec<_>>();
    let (warn, debug) = (Level::WARN, Level::DEBUG);
    let late = policy! { stop = attempts(4), wait = none(), on = any_error(), warn_after = 3 };
    let seldom = policy! { stop = attempts(4), wait = none(), on = any_error(), warn_every = 2 };
    let call = || assert_eq!(late.call(|| Err::<(), _>(1)), Err(1));
    assert_eq!(levels(&call), [debug, debug, warn, warn]);
    let block = || {
        let outcome = retry::block!(policy = late, || -> Result<(), u32> { Err(1) });
        assert_eq!(outcome, Err(1));
    };
    assert_eq!(levels(&block), [debug, debug, warn, warn]);
    assert_eq!(
        levels(&|| assert_eq!(seldom.call(|| Err::<(), _>(1)), Err(1))),
        [warn, debug, warn, warn]
    );
}
