//! `attempt_timeout`.

use std::future::pending;
use std::time::Duration;

use retry::{Interrupted, Interruption, StopReason, Verdict, record, retry};

const S: Duration = Duration::from_secs(1);

#[derive(Debug, PartialEq)]
enum Error {
    Real,
    Cut(Interruption, Option<Duration>),
}

impl From<Interrupted> for Error {
    fn from(it: Interrupted) -> Self {
        Self::Cut(it.by(), it.after())
    }
}

/// Hangs in all attempts before this one.
#[retry(stop = attempts(3), wait = fixed(1s), on = |_| false, attempt_timeout = 2s, idempotent)]
async fn hangs_until(attempt: u32) -> Result<u32, Error> {
    match retry::current().unwrap().number() {
        number if number < attempt => pending().await,
        number => Ok(number),
    }
}

#[tokio::test(start_paused = true)]
async fn an_attempt_that_takes_too_long_is_cut_and_repeated_whatever_on_says() {
    let start = tokio::time::Instant::now();
    let (outcome, reports) = record(hangs_until(3)).await;
    assert_eq!(outcome, Ok(3));
    assert_eq!(start.elapsed(), 6 * S);
    let verdicts: Vec<_> = reports[0].history().iter().map(retry::PastAttempt::verdict).collect();
    assert_eq!(verdicts, [Verdict::Ambiguous, Verdict::Ambiguous, Verdict::Final]);
}

#[tokio::test(start_paused = true)]
async fn the_last_cut_attempt_gives_the_interruption() {
    let (outcome, reports) = record(hangs_until(99)).await;
    assert_eq!(outcome, Err(Error::Cut(Interruption::AttemptTimeout, Some(2 * S))));
    assert_eq!((reports[0].reason(), reports[0].attempts()), (StopReason::Attempts, 3));
}

#[tokio::test(start_paused = true)]
async fn a_cut_attempt_is_not_repeated_where_that_is_not_harmless() {
    #[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), attempt_timeout = 2s, idempotent = keyed)]
    async fn hangs(keyed: bool) -> Result<(), Error> {
        pending().await
    }
    let reports = record(hangs(false)).await.1;
    assert_eq!((reports[0].reason(), reports[0].attempts()), (StopReason::Ambiguous, 1));
    let reports = record(hangs(true)).await.1;
    assert_eq!((reports[0].reason(), reports[0].attempts()), (StopReason::Attempts, 3));
}

#[tokio::test(start_paused = true)]
async fn an_attempt_has_no_more_time_than_the_call() {
    #[retry(
        stop = attempts(9),
        wait = fixed(1s),
        on = any_error(),
        attempt_timeout = 2s,
        deadline = 4s,
        idempotent,
    )]
    async fn hangs() -> Result<(), Error> {
        pending().await
    }
    let start = tokio::time::Instant::now();
    let (outcome, reports) = record(hangs()).await;
    // 2 s, a pause of 1 s, and the last second.
    assert_eq!(start.elapsed(), 4 * S);
    assert_eq!(outcome, Err(Error::Cut(Interruption::AttemptTimeout, Some(2 * S))));
    assert_eq!((reports[0].reason(), reports[0].attempts()), (StopReason::Time, 2));
}

#[tokio::test(start_paused = true)]
async fn a_large_download_that_moves_is_not_cut() {
    #[retry(stop = attempts(2), wait = none(), on = any_error(), attempt_timeout = idle(3s), idempotent)]
    async fn download(chunks: u32) -> Result<u32, Error> {
        for _ in 0..chunks {
            tokio::time::sleep(2 * S).await;
            retry::current().unwrap().progress();
        }
        if chunks < 10 {
            pending::<()>().await;
        }
        Ok(chunks)
    }
    let start = tokio::time::Instant::now();
    assert_eq!(download(10).await, Ok(10));
    assert_eq!(start.elapsed(), 20 * S);
    // It moves until 4 s, is cut at 7 s, and the same once more: progress begins a new outage, so
    // that there is a third attempt, and so on.
    let start = tokio::time::Instant::now();
    let stalls = tokio::time::timeout(20 * S, download(2));
    assert!(stalls.await.is_err());
    assert_eq!(start.elapsed(), 20 * S);
    let start = tokio::time::Instant::now();
    assert_eq!(download(0).await, Err(Error::Cut(Interruption::AttemptTimeout, Some(3 * S))));
    assert_eq!(start.elapsed(), 6 * S);
}

#[tokio::test(start_paused = true)]
async fn no_timeout_is_none() {
    #[retry(stop = attempts(2), wait = none(), on = any_error(), attempt_timeout = most, idempotent)]
    async fn slow(most: Option<Duration>) -> Result<(), Error> {
        tokio::time::sleep(3600 * S).await;
        Err(Error::Real)
    }
    assert_eq!(slow(None).await, Err(Error::Real));
    let cut = Error::Cut(Interruption::AttemptTimeout, Some(S));
    assert_eq!(slow(Some(S)).await, Err(cut));
}

#[tokio::test(start_paused = true)]
async fn a_block_can_be_cut_at_each_attempt() {
    let mut calls = 0;
    let outcome = retry::block!(
        stop = attempts(3),
        wait = fixed(1s),
        on = any_error(),
        attempt_timeout = 2s,
        idempotent,
        async {
            calls += 1;
            if calls < 3 {
                pending::<()>().await;
            }
            Ok::<_, Error>(calls)
        }
    );
    assert_eq!(outcome, Ok(3));
}

#[tokio::test(start_paused = true)]
async fn a_custom_sleep_is_the_timer_of_the_cut_too() {
    let outcome = retry::block!(
        stop = attempts(2),
        wait = fixed(1s),
        on = any_error(),
        attempt_timeout = 2s,
        idempotent,
        sleep = |pause| tokio::time::sleep(pause * 2),
        async { pending::<Result<(), Error>>().await }
    );
    assert_eq!(outcome, Err(Error::Cut(Interruption::AttemptTimeout, Some(4 * S))));
}
