//! The same as a part of a policy: in calls by it, and in functions and blocks that take it.

// A function stands beside the policy that it takes.
#![allow(clippy::items_after_statements)]

use std::cell::Cell;
use std::future::pending;
use std::sync::LazyLock;
use std::time::Duration;

use retry::{
    AsPolicy, BoxedPolicy, Breaker, Budget, Interrupted, Interruption, Limited, On, RetryError,
    Stop, StopReason, Uncut, block, policy, record, record_sync, retry, retry_with, stop,
};

const S: Duration = Duration::from_secs(1);

#[derive(Clone, Debug, PartialEq)]
enum Error {
    Real(u32),
    Cut(Interruption),
}

impl From<Interrupted> for Error {
    fn from(it: Interrupted) -> Self {
        Self::Cut(it.by())
    }
}

type Outcome = Result<(), Error>;

/// Hangs in the attempt of this number, and fails in the others.
async fn hangs_in(attempt: u32) -> Outcome {
    let number = retry::current().unwrap().number();
    if number == attempt {
        pending::<()>().await;
    }
    Err(Error::Real(number))
}

fn fails() -> Outcome {
    Err(Error::Real(retry::current().unwrap().number()))
}

static DEADLINE: LazyLock<BoxedPolicy<Error, stop::Bounded, Limited>> = LazyLock::new(|| {
    policy! { stop = attempts(10), wait = fixed(1s), on = any_error(), deadline = 5s }.boxed()
});

#[retry(policy = DEADLINE)]
async fn by_deadline(attempt: u32) -> Outcome {
    hangs_in(attempt).await
}

#[tokio::test(start_paused = true)]
async fn a_hung_attempt_is_cut_at_the_deadline_of_the_policy() {
    let cut = Err(Error::Cut(Interruption::Deadline));
    for attempt in [1, 3] {
        let expected = if attempt == 1 { cut.clone() } else { Err(Error::Real(2)) };
        let start = tokio::time::Instant::now();
        let (outcome, reports) =
            record(DEADLINE.call_async(async || hangs_in(attempt).await)).await;
        assert_eq!((outcome, start.elapsed()), (expected.clone(), 5 * S));
        assert_eq!((reports[0].reason(), reports[0].attempts()), (StopReason::Time, attempt));

        let start = tokio::time::Instant::now();
        let (outcome, reports) = record(by_deadline(attempt)).await;
        assert_eq!((outcome, start.elapsed()), (expected.clone(), 5 * S));
        assert_eq!((reports[0].reason(), reports[0].attempts()), (StopReason::Time, attempt));

        let start = tokio::time::Instant::now();
        let outcome: Outcome = block!(policy = &*DEADLINE, async { hangs_in(attempt).await });
        assert_eq!((outcome, start.elapsed()), (expected, 5 * S));
    }
}

#[tokio::test(start_paused = true)]
async fn nothing_waits_to_the_deadline_of_the_policy_and_the_body_knows_what_is_left() {
    let left = Cell::new(Duration::ZERO);
    let start = tokio::time::Instant::now();
    let outcome = DEADLINE
        .call_async(async || {
            left.set(retry::current().unwrap().remaining().unwrap());
            fails()
        })
        .await;
    // The fifth pause would end at the deadline.
    assert_eq!((outcome, start.elapsed(), left.get()), (Err(Error::Real(5)), 4 * S, S));
}

#[tokio::test(start_paused = true)]
async fn another_sleep_makes_the_timer_of_a_policy_too() {
    let slept = Cell::new(0);
    let sleep = |pause| {
        slept.set(slept.get() + 1);
        tokio::time::sleep(pause)
    };
    let outcome = DEADLINE.call_async_with(sleep, async || hangs_in(2).await).await;
    assert_eq!(outcome, Err(Error::Real(1)));
    // One pause, and the time that is left in the second attempt.
    assert_eq!(slept.get(), 2);
}

#[tokio::test(start_paused = true)]
async fn an_attempt_that_takes_too_long_is_cut_and_repeated_if_the_policy_is_idempotent() {
    let policy = policy! {
        stop = attempts(2), wait = fixed(1s), on = any_error(), attempt_timeout = 2s, idempotent
    };
    #[retry(policy = policy, stop = attempts(3))]
    async fn three_times(policy: impl AsPolicy<Limits = Limited, On: On<Outcome>>) -> Outcome {
        hangs_in(retry::current().unwrap().number()).await
    }
    let cut = Err(Error::Cut(Interruption::AttemptTimeout));
    let start = tokio::time::Instant::now();
    let (outcome, reports) = record(policy.call_async(pending::<Outcome>)).await;
    assert_eq!((outcome, start.elapsed()), (cut.clone(), 5 * S));
    assert_eq!((reports[0].reason(), reports[0].attempts()), (StopReason::Attempts, 2));
    let start = tokio::time::Instant::now();
    assert_eq!((three_times(policy).await, start.elapsed()), (cut.clone(), 8 * S));

    let careful = policy.with_idempotent(false);
    let (outcome, reports) = record(careful.call_async(pending::<Outcome>)).await;
    assert_eq!((outcome, reports[0].reason()), (cut, StopReason::Ambiguous));
}

#[tokio::test(start_paused = true)]
async fn what_moves_is_not_cut_by_the_policy() {
    let policy = policy! {
        stop = attempts(2), wait = none(), on = any_error(), attempt_timeout = idle(2s), idempotent
    };
    let start = tokio::time::Instant::now();
    let outcome: Outcome = policy
        .call_async(async || {
            for _ in 0..5 {
                tokio::time::sleep(S).await;
                retry::current().unwrap().progress();
            }
            Ok(())
        })
        .await;
    assert_eq!((outcome, start.elapsed()), (Ok(()), 5 * S));
}

#[tokio::test(start_paused = true)]
async fn a_key_beside_a_policy_takes_the_place_of_its_guard() {
    #[retry(policy = DEADLINE, deadline = 2s)]
    async fn sooner() -> Outcome {
        pending().await
    }
    #[retry(policy = DEADLINE, deadline = None::<Duration>, attempt_timeout = 8s, idempotent)]
    async fn later() -> Outcome {
        pending().await
    }
    #[retry(policy = DEADLINE, budget = BUDGET)]
    async fn beside() -> Outcome {
        pending().await
    }
    static BUDGET: Budget = Budget::new(14);
    let start = tokio::time::Instant::now();
    assert_eq!((sooner().await, start.elapsed()), (Err(Error::Cut(Interruption::Deadline)), 2 * S));
    let start = tokio::time::Instant::now();
    let cut = Err(Error::Cut(Interruption::AttemptTimeout));
    assert_eq!((later().await, start.elapsed()), (cut, (10 * 8 + 9) * S));
    let start = tokio::time::Instant::now();
    assert_eq!((beside().await, start.elapsed()), (Err(Error::Cut(Interruption::Deadline)), 5 * S));
}

#[tokio::test(start_paused = true)]
async fn a_key_that_may_interrupt_leaves_the_guards_of_the_policy_in_place() {
    #[retry(policy = DEADLINE, cancel = pending::<()>())]
    async fn cancellable() -> Outcome {
        pending().await
    }
    #[retry(policy = DEADLINE, on = any_error(), interrupted = |it| it.to_string())]
    async fn told() -> Result<(), String> {
        pending().await
    }
    let start = tokio::time::Instant::now();
    let cut = Err(Error::Cut(Interruption::Deadline));
    assert_eq!((cancellable().await, start.elapsed()), (cut, 5 * S));
    assert!(told().await.unwrap_err().contains("was cut by its deadline"));
}

#[test]
fn a_breaker_of_a_policy_refuses_the_first_attempt_and_others() {
    static BREAKER: Breaker = Breaker::consecutive(3);
    let policy = policy! {
        stop = attempts(2), wait = none(), on = any_error(), breaker = &BREAKER
    };
    #[retry(policy = policy)]
    fn taking(
        policy: impl AsPolicy<Stop: Stop<Ends = stop::Bounded>, Limits = Limited, On: On<Outcome>>,
    ) -> Outcome {
        fails()
    }
    assert_eq!(policy.call(fails), Err(Error::Real(2)));
    let (outcome, reports) = record_sync(|| taking(policy));
    assert_eq!(outcome, Err(Error::Real(1)));
    assert_eq!((reports[0].reason(), reports[0].attempts()), (StopReason::BreakerOpen, 1));
    let (outcome, reports) = record_sync(|| policy.call(fails));
    assert_eq!(outcome, Err(Error::Cut(Interruption::BreakerOpen)));
    assert_eq!((reports[0].reason(), reports[0].attempts()), (StopReason::BreakerOpen, 0));
    let (outcome, reports) = record_sync(|| taking(policy));
    assert_eq!(outcome, Err(Error::Cut(Interruption::BreakerOpen)));
    assert_eq!((reports[0].reason(), reports[0].attempts()), (StopReason::BreakerOpen, 0));
    assert_eq!(BREAKER.opened(), 1);
    let (_, reports) = retry_with().guards(false).sync_scope(|| record_sync(|| taking(policy)));
    assert_eq!(reports[0].attempts(), 2);
}

/// Neither `From<Interrupted>` nor anything else.
#[derive(Debug, PartialEq)]
struct Opaque;

#[test]
fn a_budget_asks_nothing_of_the_error() {
    static BUDGET: Budget = Budget::new(100).initial(28);
    static POLICY: LazyLock<BoxedPolicy<Opaque, stop::Bounded, Uncut>> = LazyLock::new(|| {
        policy! { stop = attempts(10), wait = none(), on = any_error(), budget = BUDGET }.boxed()
    });
    #[retry(policy = POLICY)]
    fn taking(succeeds_at: u32) -> Result<(), Opaque> {
        if retry::current().unwrap().number() < succeeds_at { Err(Opaque) } else { Ok(()) }
    }
    let (outcome, reports) = record_sync(|| POLICY.call(|| Err::<(), _>(Opaque)));
    assert_eq!((outcome, BUDGET.available()), (Err(Opaque), 0));
    assert_eq!((reports[0].reason(), reports[0].attempts()), (StopReason::Budget, 3));
    taking(1).unwrap();
    assert_eq!(BUDGET.available(), 1);
    let (outcome, reports) = record_sync(|| taking(2));
    assert_eq!((outcome, reports[0].reason()), (Err(Opaque), StopReason::Budget));
    assert_eq!(reports[0].attempts(), 1);
}

#[test]
fn a_policy_that_leaves_the_retrying_to_the_call_around_it_may_be_told_otherwise() {
    let once = policy! { stop = attempts(3), wait = none(), on = any_error(), nested = once };
    #[retry(policy = once)]
    fn single(
        once: impl AsPolicy<
            Stop: Stop<Ends = stop::Bounded>,
            Limits = Uncut,
            On: On<Result<(), Opaque>>,
        >,
        calls: &mut u32,
    ) -> Result<(), Opaque> {
        *calls += 1;
        Err(Opaque)
    }
    #[retry(policy = once, nested = multiply)]
    fn several(
        once: impl AsPolicy<
            Stop: Stop<Ends = stop::Bounded>,
            Limits = Uncut,
            On: On<Result<(), Opaque>>,
        >,
        calls: &mut u32,
    ) -> Result<(), Opaque> {
        *calls += 1;
        Err(Opaque)
    }
    let outer = policy! { stop = attempts(2), wait = none(), on = any_error() };
    let mut calls = [0, 0];
    assert_eq!(outer.call(|| single(once, &mut calls[0])), Err(Opaque));
    assert_eq!(outer.call(|| several(once, &mut calls[1])), Err(Opaque));
    assert_eq!(calls, [2, 6]);
}

#[test]
fn a_policy_without_guards_is_not_asked_before_a_failure() {
    fn asked(times: &Cell<u32>) -> BoxedPolicy<Opaque> {
        times.set(times.get() + 1);
        policy! { stop = attempts(2), wait = none(), on = any_error() }.boxed()
    }
    #[retry(policy = asked(times), on = any_error())]
    fn call(times: &Cell<u32>, fails: bool) -> Result<(), Opaque> {
        if fails { Err(Opaque) } else { Ok(()) }
    }
    let times = Cell::new(0);
    call(&times, false).unwrap();
    assert_eq!(times.get(), 0);
    assert!(call(&times, true).is_err());
    assert_eq!(times.get(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_call_by_a_limited_policy_can_be_spawned_and_is_no_larger_without() {
    fn sendable<T: Send>(future: T) -> T {
        future
    }
    assert!(tokio::spawn(sendable(by_deadline(1))).await.unwrap().is_err());
    let limited = DEADLINE.clone();
    let call = async move { limited.call_async(|| hangs_in(1)).await };
    assert!(tokio::spawn(sendable(call)).await.unwrap().is_err());
    let plain = policy! { stop = attempts(10), wait = fixed(1s), on = any_error() };
    let guarded = plain.with_deadline(5 * S);
    let sizes = [
        size_of_val(&plain.call_async(|| hangs_in(1))),
        size_of_val(&guarded.call_async(|| hangs_in(1))),
    ];
    assert!(sizes[0] + size_of::<tokio::time::Sleep>() <= sizes[1], "{sizes:?}");
}

#[tokio::test(start_paused = true)]
async fn every_other_key_stands_beside_a_limited_policy() {
    #[retry(
        policy = DEADLINE,
        before = |_| *seen += 1,
        after = |_, _| *seen += 10,
        before_sleep = |_, _| *seen += 100,
        discard = |_, outcome: Outcome| discarded.push(outcome),
        gate = |_, _| true,
        reset = 1h,
        fallback = |_, outcome| outcome,
        on_give_up = |_, _| *seen += 1000,
        enabled = true,
        sleep = tokio::time::sleep,
    )]
    async fn all(seen: &mut u32, discarded: &mut Vec<Outcome>) -> Outcome {
        hangs_in(3).await
    }
    let (mut seen, mut discarded) = (0, Vec::new());
    let start = tokio::time::Instant::now();
    let outcome = all(&mut seen, &mut discarded).await;
    assert_eq!(start.elapsed(), 5 * S);
    // What was given away cannot be returned.
    assert_eq!(outcome, Err(Error::Cut(Interruption::Deadline)));
    assert_eq!(discarded, [Err(Error::Real(1)), Err(Error::Real(2))]);
    assert_eq!(seen, 3 + 20 + 200 + 1000);
}

#[tokio::test(start_paused = true)]
async fn a_gate_leaves_the_last_outcome_to_a_limited_policy() {
    #[retry(policy = DEADLINE, gate = |_, _| true)]
    async fn gated() -> Outcome {
        hangs_in(3).await
    }
    #[retry(policy = DEADLINE, gate = |_, _| false)]
    async fn closed() -> Outcome {
        hangs_in(3).await
    }
    assert_eq!(gated().await, Err(Error::Real(2)));
    let (outcome, reports) = record(closed()).await;
    assert_eq!((outcome, reports[0].reason()), (Err(Error::Real(1)), StopReason::Gate));
}

#[tokio::test(start_paused = true)]
async fn a_caller_learns_from_a_retry_error_what_has_cut_a_call_by_a_policy() {
    #[retry(policy = DEADLINE)]
    async fn hangs() -> Result<(), RetryError<Error>> {
        pending().await
    }
    let error = hangs().await.unwrap_err();
    assert_eq!((error.reason, error.attempts), (StopReason::Time, 1));
}

#[test]
fn in_a_sync_call_nothing_is_cut_but_nothing_waits_to_the_deadline() {
    let policy = policy! {
        stop = attempts(9), wait = fixed(1s), on = any_error(), deadline = 3s,
        attempt_timeout = 1ms, idempotent
    };
    #[retry(policy = policy, deadline = 2s)]
    fn sooner(
        policy: impl AsPolicy<Stop: Stop<Ends = stop::Bounded>, Limits = Limited, On: On<Outcome>>,
    ) -> Outcome {
        fails()
    }
    retry_with().virtual_time().sync_scope(|| {
        assert_eq!(policy.call(fails), Err(Error::Real(3)));
        assert_eq!(sooner(policy), Err(Error::Real(2)));
        let outcome: Outcome = block!(policy = policy, || { fails() });
        assert_eq!(outcome, Err(Error::Real(3)));
    });
}

#[retry(policy = DEADLINE, sleep = |pause| tokio::time::sleep(10 * pause))]
async fn oversleeps() -> Outcome {
    fails()
}

#[tokio::test(start_paused = true)]
async fn a_pause_after_which_the_call_is_refused_counts_as_waited() {
    let sleep = |pause| tokio::time::sleep(10 * pause);
    let by_attribute = record(oversleeps()).await;
    let by_call = record(DEADLINE.call_async_with(sleep, async || fails())).await;
    for (outcome, reports) in [by_attribute, by_call] {
        assert_eq!(outcome, Err(Error::Real(1)));
        assert_eq!((reports[0].attempts(), reports[0].waited()), (1, S));
    }
}

#[tokio::test(start_paused = true)]
async fn a_guard_that_is_added_takes_no_other_away() {
    static BUDGET: Budget = Budget::new(1_000);
    let limited = || {
        policy! { stop = attempts(10), wait = fixed(1s), on = any_error(), deadline = 5s }
    };
    let cut: Outcome = Err(Error::Cut(Interruption::Deadline));
    let policy = limited().with_budget(&BUDGET);
    assert_eq!(policy.call_async(async || hangs_in(1).await).await, cut);
    let policy = limited().with_nested_once();
    assert_eq!(policy.call_async(async || hangs_in(1).await).await, cut);
}
