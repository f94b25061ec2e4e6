//! What reports say of attempts that were cut, and of calls that gave up inside an attempt.

use std::future::pending;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use retry::{
    Breaker, Budget, Interrupted, Interruption, PastAttempt, RetryError, StopReason, Verdict,
    record, record_sync, retry,
};
use tokio::time::sleep;

const S: Duration = Duration::from_secs(1);

#[derive(Clone, Debug, PartialEq)]
enum Error {
    /// A time-out of the peer's own.
    TimedOut(u32),
    Cut(Interruption),
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self:?}")
    }
}

impl std::error::Error for Error {}

impl From<Interrupted> for Error {
    fn from(it: Interrupted) -> Self {
        Self::Cut(it.by())
    }
}

fn cuts(history: &[PastAttempt]) -> Vec<Option<Interruption>> {
    history.iter().map(PastAttempt::interruption).collect()
}

#[tokio::test(start_paused = true)]
async fn an_attempt_cut_by_the_deadline_is_told_apart_from_a_time_out_of_the_peer() {
    #[retry(name = "fetch", stop = attempts(5), wait = fixed(1s), on = any_error(), deadline = 10s)]
    async fn fetch() -> Result<(), Error> {
        let number = retry::current().unwrap().number();
        if number == 3 {
            pending::<()>().await;
        }
        sleep(S).await;
        Err(Error::TimedOut(number))
    }
    let (outcome, reports) = record(fetch()).await;
    let report = &reports[0];
    assert_eq!(outcome, Err(Error::TimedOut(2)));
    assert_eq!((report.reason(), report.attempts()), (StopReason::Time, 3));
    assert_eq!(cuts(report.history()), [None, None, Some(Interruption::Deadline)]);
    let texts: Vec<_> = report.history().iter().map(|it| it.error().unwrap()).collect();
    // The last attempt had no outcome, and not that of the one before.
    let cut = "`fetch` was cut by its deadline after 10.0s";
    assert_eq!(texts, ["TimedOut(1)", "TimedOut(2)", cut]);
    assert_eq!(
        report.to_string(),
        "`fetch` failed after 3 attempts in 10.0s: no time left; the last attempt was cut by the deadline"
    );
}

#[tokio::test(start_paused = true)]
async fn attempts_that_took_too_long_are_seen_as_such_in_the_error() {
    #[retry(
        name = "fetch",
        stop = attempts(2),
        wait = fixed(1s),
        on = any_error(),
        attempt_timeout = 3s,
        idempotent,
    )]
    async fn fetch() -> Result<(), RetryError<Error>> {
        pending().await
    }
    let error = fetch().await.unwrap_err();
    assert_eq!(cuts(&error.history), [Some(Interruption::AttemptTimeout); 2]);
    assert!(error.history.iter().all(|it| it.verdict() == Verdict::Ambiguous));
    assert_eq!(
        error.to_string(),
        "`fetch` failed after 2 attempts in 7.0s: no attempts left; the last attempt timed out"
    );
}

#[tokio::test(start_paused = true)]
async fn a_cut_is_forgotten_by_the_next_attempt() {
    #[retry(
        stop = attempts(3),
        wait = fixed(1s),
        on = any_error(),
        attempt_timeout = 3s,
        idempotent,
    )]
    async fn fetch(succeeds: bool) -> Result<(), Error> {
        match retry::current().unwrap().number() {
            1 => pending().await,
            _ if succeeds => Ok(()),
            number => Err(Error::TimedOut(number)),
        }
    }
    let (_, reports) = record(fetch(false)).await;
    assert_eq!(cuts(reports[0].history()), [Some(Interruption::AttemptTimeout), None, None]);
    assert!(reports[0].to_string().ends_with(": no attempts left"), "{}", reports[0]);
    let (_, reports) = record(fetch(true)).await;
    assert_eq!(cuts(reports[0].history()), [Some(Interruption::AttemptTimeout), None]);
    assert_eq!(reports[0].history()[1].error(), None);
}

/// What the attempts of a call say of a call inside them.
fn inside(history: &[PastAttempt]) -> Vec<Option<(&'static str, StopReason, u32)>> {
    let told = |it: &PastAttempt| it.exhausted().map(|it| (it.name(), it.reason(), it.attempts()));
    history.iter().map(told).collect()
}

/// What the report of a call says that does this in its attempts, of which there are two.
fn around(body: impl Fn() -> Result<(), ()>) -> Vec<Option<(&'static str, StopReason, u32)>> {
    #[retry(name = "outer", stop = attempts(2), wait = none(), on = any_error())]
    fn outer(body: impl Fn() -> Result<(), ()>) -> Result<(), RetryError<()>> {
        body()
    }
    match outer(body) {
        Ok(()) => Vec::new(),
        Err(error) => inside(&error.history),
    }
}

#[retry(name = "inner", stop = attempts(3), wait = none(), on = any_error())]
fn inner() -> Result<(), ()> {
    Err(())
}

#[test]
fn a_call_that_was_used_up_is_seen_in_the_attempt_around_it_from_the_first_on() {
    assert_eq!(around(inner), [Some(("inner", StopReason::Attempts, 3)); 2]);
    let (_, reports) = record_sync(|| around(inner));
    let outer = reports.last().unwrap();
    assert_eq!(inside(outer.history()), [Some(("inner", StopReason::Attempts, 3)); 2]);
    assert_eq!(inside(reports[0].history()), [None; 3]);
    assert_eq!(
        outer.history()[0].exhausted().unwrap().to_string(),
        "`inner` gave up after 3 attempts: no attempts left"
    );
}

#[test]
fn whatever_made_it_give_up_is_said() {
    static EMPTY: Budget = Budget::new(0);
    static OPEN: Breaker = Breaker::consecutive(1);
    static STOP: AtomicBool = AtomicBool::new(true);
    OPEN.open();
    #[retry(name = "in", stop = within(S), wait = fixed(1s), on = any_error())]
    fn late() -> Result<(), ()> {
        Err(())
    }
    #[retry(name = "in", stop = attempts(9), wait = none(), on = any_error(), budget = &EMPTY)]
    fn poor() -> Result<(), ()> {
        Err(())
    }
    #[retry(
        name = "in",
        stop = attempts(9),
        wait = none(),
        on = any_error(),
        breaker = &OPEN,
        interrupted = |_| (),
    )]
    fn refused() -> Result<(), ()> {
        Err(())
    }
    #[retry(
        name = "in",
        stop = attempts(9),
        wait = none(),
        on = any_error(),
        cancel = &STOP,
        interrupted = |_| (),
    )]
    fn cancelled() -> Result<(), ()> {
        Err(())
    }
    #[retry(name = "in", stop = attempts(9), wait = none(), on = any_error(), gate = |_, _| false)]
    fn gated() -> Result<(), ()> {
        Err(())
    }
    #[retry(name = "in", stop = attempts(9) | when(|_| true), wait = none(), on = any_error())]
    fn custom() -> Result<(), ()> {
        Err(())
    }
    #[retry(name = "in", stop = attempts(9), wait = none(), on = |()| Verdict::Ambiguous)]
    fn ambiguous() -> Result<(), ()> {
        Err(())
    }
    #[retry(name = "in", stop = within(1s), wait = none(), on = |()| Verdict::Retry.retry_after(9 * S))]
    fn told_to_wait() -> Result<(), ()> {
        Err(())
    }
    #[allow(clippy::type_complexity)]
    let ends: [(fn() -> Result<(), ()>, StopReason, u32); 8] = [
        (late, StopReason::Time, 1),
        (poor, StopReason::Budget, 1),
        (refused, StopReason::BreakerOpen, 0),
        (cancelled, StopReason::Cancelled, 0),
        (gated, StopReason::Gate, 1),
        (custom, StopReason::Custom, 1),
        (ambiguous, StopReason::Ambiguous, 1),
        (told_to_wait, StopReason::HintTooLong, 1),
    ];
    for (inner, reason, attempts) in ends {
        assert_eq!(around(inner), [Some(("in", reason, attempts)); 2], "{reason}");
    }
    STOP.store(false, Ordering::Release);
}

#[test]
fn a_call_that_got_its_answer_or_leaves_the_retrying_to_the_outer_one_was_not_used_up() {
    #[retry(stop = attempts(3), wait = none(), on = |()| false)]
    fn permanent() -> Result<(), ()> {
        Err(())
    }
    #[retry(stop = attempts(3), wait = none(), on = any_error(), nested = once)]
    fn once() -> Result<(), ()> {
        Err(())
    }
    #[retry(stop = attempts(3), wait = none(), on = any_error(), enabled = false)]
    fn plain() -> Result<(), ()> {
        Err(())
    }
    #[retry(stop = attempts(3), wait = none(), on = any_error())]
    fn recovers() -> Result<(), ()> {
        if retry::current().unwrap().number() < 3 { Err(()) } else { Ok(()) }
    }
    assert_eq!(around(permanent), [None, None]);
    assert_eq!(around(once), [None, None]);
    assert_eq!(around(plain), [None, None]);
    assert_eq!(around(|| recovers().and(Err(()))), [None, None]);
}

#[test]
fn of_three_levels_each_sees_the_next_and_of_several_calls_the_last() {
    #[retry(name = "middle", stop = attempts(2), wait = none(), on = any_error())]
    fn middle() -> Result<(), ()> {
        inner()
    }
    #[retry(name = "other", stop = attempts(4), wait = none(), on = any_error())]
    fn other() -> Result<(), ()> {
        Err(())
    }
    assert_eq!(around(middle), [Some(("middle", StopReason::Attempts, 2)); 2]);
    let both = || inner().or_else(|()| other());
    assert_eq!(around(both), [Some(("other", StopReason::Attempts, 4)); 2]);
}

#[test]
fn an_attempt_that_copes_with_it_says_so_all_the_same_and_the_next_one_starts_anew() {
    #[retry(stop = attempts(3), wait = none(), on = any_error())]
    fn outer() -> Result<(), ()> {
        match retry::current().unwrap().number() {
            1 => inner(),
            2 => Err(()),
            _ => inner().or(Ok(())),
        }
    }
    let (outcome, reports) = record_sync(outer);
    assert_eq!(outcome, Ok(()));
    let inner = Some(("inner", StopReason::Attempts, 3));
    assert_eq!(inside(reports.last().unwrap().history()), [inner, None, inner]);
}

#[tokio::test(start_paused = true)]
async fn async_calls_are_seen_where_they_are_polled_and_a_task_is_not_inside() {
    #[retry(name = "inner", stop = attempts(2), wait = fixed(1s), on = any_error())]
    async fn inner() -> Result<(), ()> {
        Err(())
    }
    #[retry(stop = attempts(2), wait = fixed(1s), on = any_error())]
    async fn joined() -> Result<(), RetryError<()>> {
        let (outcome, ()) = tokio::join!(inner(), sleep(S));
        outcome
    }
    #[retry(stop = attempts(2), wait = fixed(1s), on = any_error())]
    async fn spawned() -> Result<(), RetryError<()>> {
        tokio::spawn(inner()).await.unwrap()
    }
    #[retry(stop = attempts(2), wait = fixed(1s), on = any_error())]
    async fn left_alone() -> Result<(), RetryError<()>> {
        tokio::select! {
            biased;
            outcome = inner() => outcome,
            () = sleep(S / 2) => Err(()),
        }
    }
    let told = Some(("inner", StopReason::Attempts, 2));
    assert_eq!(inside(&joined().await.unwrap_err().history), [told; 2]);
    assert_eq!(inside(&spawned().await.unwrap_err().history), [None; 2]);
    // It was dropped before it had given up.
    assert_eq!(inside(&left_alone().await.unwrap_err().history), [None; 2]);
}
