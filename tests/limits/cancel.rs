//! `cancel`.

use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use retry::{Interrupted, Interruption, RetryError, StopReason, record, record_sync, retry};
use tokio::sync::{Notify, oneshot};

const S: Duration = Duration::from_secs(1);

#[derive(Debug, PartialEq)]
enum Error {
    Real(u32),
    Permanent,
    Cut(Interruption),
}

impl From<Interrupted> for Error {
    fn from(it: Interrupted) -> Self {
        Self::Cut(it.by())
    }
}

#[tokio::test(start_paused = true)]
async fn a_future_wakes_the_sleep_at_once_and_the_last_real_error_is_returned() {
    #[retry(stop = attempts(5), wait = fixed(1h), on = any_error(), cancel = stop.notified())]
    async fn fails(stop: &Notify) -> Result<(), Error> {
        Err(Error::Real(retry::current().unwrap().number()))
    }
    let stop = Notify::new();
    let start = tokio::time::Instant::now();
    let cancel = async {
        tokio::time::sleep(5 * S).await;
        stop.notify_waiters();
    };
    let ((outcome, reports), ()) = tokio::join!(record(fails(&stop)), cancel);
    assert_eq!(outcome, Err(Error::Real(1)));
    assert_eq!(start.elapsed(), 5 * S);
    assert_eq!((reports[0].reason(), reports[0].attempts()), (StopReason::Cancelled, 1));
    assert_eq!(reports[0].waited(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn an_attempt_in_progress_is_finished() {
    #[retry(stop = attempts(5), wait = fixed(1h), on = any_error(), cancel = &STOP)]
    async fn slow(succeeds: bool) -> Result<u32, Error> {
        STOP.store(true, Ordering::Release);
        tokio::time::sleep(10 * S).await;
        if succeeds { Ok(7) } else { Err(Error::Real(1)) }
    }
    static STOP: AtomicBool = AtomicBool::new(false);
    assert_eq!(slow(true).await, Ok(7));
    STOP.store(false, Ordering::Release);
    let (outcome, reports) = record(slow(false)).await;
    assert_eq!(outcome, Err(Error::Real(1)));
    assert_eq!((reports[0].reason(), reports[0].attempts()), (StopReason::Cancelled, 1));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_cancelled_before_its_first_attempt_makes_none() {
    #[retry(
        name = "never started",
        stop = attempts(5),
        wait = fixed(1h),
        on = any_error(),
        cancel = || true,
    )]
    async fn never(calls: &mut u32) -> Result<(), Error> {
        *calls += 1;
        Ok(())
    }
    let mut calls = 0;
    let (outcome, reports) = record(never(&mut calls)).await;
    assert_eq!(outcome, Err(Error::Cut(Interruption::Cancelled)));
    assert_eq!(calls, 0);
    assert_eq!((reports[0].reason(), reports[0].attempts()), (StopReason::Cancelled, 0));
    assert!(reports[0].history().is_empty());
    never(&mut calls).await.unwrap_err();
    let site = retry::sites().into_iter().find(|it| it.name() == "never started").unwrap();
    assert_eq!((site.attempts(), site.calls()), (0, 2));
}

#[tokio::test(start_paused = true)]
async fn a_permanent_error_is_not_hidden() {
    #[retry(
        stop = attempts(5),
        wait = fixed(1h),
        on = |error| *error != Error::Permanent,
        cancel = &STOP,
    )]
    async fn fails() -> Result<(), Error> {
        STOP.store(true, Ordering::Release);
        Err(Error::Permanent)
    }
    static STOP: AtomicBool = AtomicBool::new(false);
    let (outcome, reports) = record(fails()).await;
    assert_eq!(outcome, Err(Error::Permanent));
    assert_eq!(reports[0].reason(), StopReason::Permanent);
}

#[test]
fn a_sync_sleep_ends_soon_after_the_flag_is_set() {
    #[retry(stop = attempts(5), wait = fixed(1h), on = any_error(), cancel = &stop)]
    fn fails(stop: Arc<AtomicBool>) -> Result<(), Error> {
        Err(Error::Real(1))
    }
    let stop = Arc::new(AtomicBool::new(false));
    let calling = {
        let stop = Arc::clone(&stop);
        std::thread::spawn(move || record_sync(|| fails(stop)))
    };
    std::thread::sleep(Duration::from_millis(20));
    stop.store(true, Ordering::Release);
    let (outcome, reports) = calling.join().unwrap();
    assert_eq!(outcome, Err(Error::Real(1)));
    assert_eq!((reports[0].reason(), reports[0].attempts()), (StopReason::Cancelled, 1));
}

#[tokio::test(start_paused = true)]
async fn a_flag_wakes_an_async_sleep_too() {
    #[retry(stop = attempts(5), wait = fixed(1h), on = any_error(), cancel = &stop)]
    async fn fails(stop: &AtomicBool) -> Result<(), Error> {
        Err(Error::Real(1))
    }
    let stop = AtomicBool::new(false);
    let start = tokio::time::Instant::now();
    let cancel = async {
        tokio::time::sleep(5 * S).await;
        stop.store(true, Ordering::Release);
    };
    let (outcome, ()) = tokio::join!(fails(&stop), cancel);
    assert_eq!(outcome, Err(Error::Real(1)));
    assert!(start.elapsed() < 6 * S, "{:?}", start.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_closure_is_asked_before_every_attempt() {
    let asked = AtomicU32::new(0);
    let mut calls = 0;
    let outcome: Result<(), Error> = retry::block!(
        stop = attempts(5),
        wait = none(),
        on = any_error(),
        cancel = || asked.fetch_add(1, Ordering::Relaxed) > 4,
        async {
            calls += 1;
            Err::<(), _>(Error::Real(calls))
        }
    );
    assert!(matches!(outcome, Err(Error::Real(1..5))), "{outcome:?}");
}

#[tokio::test(start_paused = true)]
async fn a_channel_that_is_lent_can_cancel() {
    let (cancel, mut cancelled) = oneshot::channel::<()>();
    let calling = async {
        retry::block!(
            stop = attempts(5),
            wait = fixed(1h),
            on = any_error(),
            cancel = &mut cancelled,
            async { Err::<(), _>(Error::Real(1)) }
        )
    };
    let cancel = async {
        tokio::time::sleep(S).await;
        cancel.send(()).unwrap();
    };
    let (outcome, ()) = tokio::join!(calling, cancel);
    assert_eq!(outcome, Err(Error::Real(1)));
}

#[tokio::test(start_paused = true)]
async fn a_caller_can_tell_a_cancelled_call_from_a_failed_one() {
    #[retry(stop = attempts(2), wait = fixed(1s), on = any_error(), cancel = stop)]
    async fn fails(stop: &AtomicBool) -> Result<(), RetryError<String>> {
        Err::<(), _>("down".to_owned())
    }
    let stop = AtomicBool::new(false);
    assert_eq!(fails(&stop).await.unwrap_err().reason, StopReason::Attempts);
    stop.store(true, Ordering::Release);
    let error = fails(&stop).await.unwrap_err();
    assert_eq!((error.reason, error.attempts, error.source), (StopReason::Cancelled, 0, None));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_nobody_cancels_goes_on() {
    #[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), cancel = pending::<()>())]
    async fn fails() -> Result<(), Error> {
        Err(Error::Real(retry::current().unwrap().number()))
    }
    let start = tokio::time::Instant::now();
    assert_eq!(fails().await, Err(Error::Real(3)));
    assert_eq!(start.elapsed(), 2 * S);
}

#[tokio::test(start_paused = true)]
async fn the_gate_of_a_cancelled_call_is_not_asked() {
    let asked = AtomicU32::new(0);
    let outcome: Result<(), Error> = retry::block!(
        stop = attempts(3),
        wait = fixed(1s),
        on = any_error(),
        cancel = &STOP,
        before_sleep = |_, _| STOP.store(true, Ordering::Release),
        gate = |_, _| asked.fetch_add(1, Ordering::Relaxed) == 0,
        async { Err::<(), _>(Error::Real(1)) }
    );
    static STOP: AtomicBool = AtomicBool::new(false);
    assert_eq!(outcome, Err(Error::Real(1)));
    assert_eq!(asked.into_inner(), 0);
}
