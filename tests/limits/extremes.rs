//! Limits that are as large as can be, timers that do not keep time, and time that is taken elsewhere.

use std::future::{pending, ready};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use retry::{
    Breaker, BreakerState, Budget, Interrupted, Interruption, StopReason, record, record_sync,
    retry, retry_with,
};

const S: Duration = Duration::from_secs(1);

#[derive(Debug, PartialEq)]
enum Error {
    Real,
    Cut(Interruption),
}

impl From<Interrupted> for Error {
    fn from(it: Interrupted) -> Self {
        Self::Cut(it.by())
    }
}

#[tokio::test(start_paused = true)]
async fn a_limit_that_no_clock_can_show_is_none() {
    static STOP: AtomicBool = AtomicBool::new(false);
    #[retry(
        stop = attempts(3),
        wait = fixed(pause),
        on = any_error(),
        deadline = within,
        attempt_timeout = most,
        idempotent,
        cancel = &STOP,
    )]
    async fn fails(within: Duration, most: Duration, pause: Duration) -> Result<(), Error> {
        tokio::time::sleep(S).await;
        Err(Error::Real)
    }
    let max = Duration::MAX;
    for (within, most) in [(max, max), (max, 10 * S), (max / 2, max / 2)] {
        let (outcome, reports) = record(fails(within, most, S)).await;
        assert_eq!(outcome, Err(Error::Real));
        assert_eq!((reports[0].reason(), reports[0].attempts()), (StopReason::Attempts, 3));
    }
    // A pause without an end still ends with the call.
    let cancel = async {
        tokio::time::sleep(20 * S).await;
        STOP.store(true, Ordering::Release);
    };
    let ((outcome, reports), ()) = tokio::join!(record(fails(max, max, max)), cancel);
    assert_eq!(outcome, Err(Error::Real));
    assert_eq!((reports[0].reason(), reports[0].attempts()), (StopReason::Cancelled, 1));
}

#[test]
fn a_sync_deadline_that_no_clock_can_show_is_none() {
    #[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), deadline = Duration::MAX)]
    fn fails() -> Result<(), Error> {
        Err(Error::Real)
    }
    let (_, reports) = record_sync(|| retry_with().virtual_time().sync_scope(fails));
    assert_eq!((reports[0].reason(), reports[0].attempts()), (StopReason::Attempts, 3));
}

#[tokio::test(start_paused = true)]
async fn a_timer_that_never_ends_cuts_nothing_and_what_ends_by_itself_is_no_worse_for_it() {
    #[retry(
        stop = attempts(2),
        wait = none(),
        on = any_error(),
        deadline = 1s,
        sleep = |_| pending::<()>(),
    )]
    async fn slow() -> Result<u32, Error> {
        tokio::time::sleep(5 * S).await;
        Ok(1)
    }
    assert_eq!(slow().await, Ok(1));
}

#[tokio::test]
async fn a_timer_that_ends_at_once_cuts_nothing_too_early() {
    let start = Instant::now();
    let outcome = retry::block!(
        stop = attempts(2),
        wait = none(),
        on = any_error(),
        deadline = Duration::from_millis(20),
        sleep = |_| ready(()),
        async { pending::<Result<(), Error>>().await }
    );
    assert_eq!(outcome, Err(Error::Cut(Interruption::Deadline)));
    assert!(start.elapsed() >= Duration::from_millis(20));
}

#[tokio::test(start_paused = true)]
async fn a_hook_that_takes_the_time_of_the_pause_is_followed_by_none() {
    #[retry(
        stop = attempts(9),
        wait = fixed(3s),
        on = any_error(),
        deadline = 5s,
        before_sleep = async |_, _| tokio::time::sleep(3 * S).await,
    )]
    async fn limited() -> Result<(), Error> {
        Err(Error::Real)
    }
    #[retry(
        stop = attempts(9),
        wait = fixed(3s),
        on = any_error(),
        before_sleep = async |_, _| tokio::time::sleep(3 * S).await,
    )]
    async fn inside() -> Result<(), Error> {
        Err(Error::Real)
    }
    let start = tokio::time::Instant::now();
    let (outcome, reports) = record(limited()).await;
    assert_eq!((outcome, start.elapsed()), (Err(Error::Real), 3 * S));
    assert_eq!((reports[0].reason(), reports[0].attempts()), (StopReason::Time, 1));
    let start = tokio::time::Instant::now();
    let (outcome, reports) = record(retry::deadline(5 * S).scope(inside())).await;
    assert_eq!((outcome, start.elapsed()), (Err(Error::Real), 3 * S));
    assert_eq!((reports[0].reason(), reports[0].attempts()), (StopReason::Time, 1));
}

#[tokio::test(start_paused = true)]
async fn a_slow_attempt_counts_as_a_failure_the_first_and_in_virtual_time() {
    async fn state(breaker: &Breaker, takes: Duration, fails: u32) -> BreakerState {
        let outcome = retry::block!(
            stop = attempts(3),
            wait = fixed(1s),
            on = any_error(),
            breaker = breaker,
            async {
                tokio::time::sleep(takes).await;
                if retry::current().unwrap().number() <= fails { Err(Error::Real) } else { Ok(()) }
            }
        );
        assert_eq!(outcome, Ok(()));
        breaker.state(tokio::time::Instant::now().into_std())
    }
    let slow = || Breaker::consecutive(1).slow_after(2 * S);
    assert_eq!(state(&slow(), S, 0).await, BreakerState::Closed);
    assert_eq!(state(&slow(), 3 * S, 0).await, BreakerState::Open);
    let twice = || Breaker::consecutive(2).slow_after(2 * S);
    assert_eq!(state(&twice(), S, 1).await, BreakerState::Closed);
    let breaker = twice();
    let calls = retry_with().virtual_time().scope(state(&breaker, 3 * S, 1));
    calls.await;
    assert_eq!(breaker.opened(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_time_without_traffic_leaves_the_guards_as_they_were() {
    static BUDGET: Budget = Budget::new(100).initial(14);
    static BREAKER: Breaker = Breaker::consecutive(3);
    #[retry(stop = attempts(2), wait = fixed(1s), on = any_error(), budget = BUDGET, breaker = BREAKER)]
    async fn call(succeeds: bool) -> Result<(), Error> {
        if succeeds { Ok(()) } else { Err(Error::Real) }
    }
    call(false).await.unwrap_err();
    tokio::time::sleep(24 * 3600 * S).await;
    let reports = record(call(false)).await.1;
    // Neither has the budget filled itself, nor the breaker forgotten: this is the third in a row.
    assert_eq!((BUDGET.available(), reports[0].attempts()), (0, 1));
    assert_eq!(BREAKER.opened(), 1);
    BREAKER.close();
    for _ in 0..14 {
        call(true).await.unwrap();
    }
    assert_eq!(record(call(false)).await.1[0].attempts(), 2);
}
