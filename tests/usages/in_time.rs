//! Limits in time: of one attempt, of a call, of several steps.

use std::future::pending;
use std::io;
use std::time::Duration;

use retry::{RetryError, StopReason, retry};
use tokio::time::{Instant, sleep, timeout};

use crate::support::{ms, secs};

/// A status of a foreign crate, which cannot be made of what cuts a call; a limit in all only if the caller sets
/// one; ten seconds for each attempt, which is told its number.
#[tokio::test(start_paused = true)]
async fn a_page_server_client_with_a_foreign_status_and_a_limit_if_one_is_set() {
    #[derive(Debug, PartialEq)]
    enum Status {
        Unavailable,
        DeadlineExceeded,
    }
    #[retry(
        forever,
        wait = none().times(1).then(exponential(100ms).cap(10s)),
        on = matches(Err(Status::Unavailable)),
        deadline = limit,
        attempt_timeout = 10s,
        idempotent,
        interrupted = |_| Status::DeadlineExceeded,
    )]
    async fn get_page(
        limit: Option<Duration>,
        answers: &[Option<u32>],
        numbers: &mut Vec<u32>,
    ) -> Result<u32, Status> {
        let attempt = retry::current().unwrap().number();
        numbers.push(attempt);
        match answers.get(numbers.len() - 1) {
            Some(Some(page)) => Ok(*page),
            Some(None) => Err(Status::Unavailable),
            None => pending().await,
        }
    }
    let (mut numbers, start) = (Vec::new(), Instant::now());
    let page = get_page(None, &[None, None, Some(7)], &mut numbers).await;
    assert_eq!((page, start.elapsed()), (Ok(7), ms(100)));
    assert_eq!(numbers, [1, 2, 3]);
    // Cut in flight. The first that went wrong is said rather than that the time was up.
    let start = Instant::now();
    let page = get_page(Some(secs(3)), &[None], &mut Vec::new()).await;
    assert_eq!((page, start.elapsed()), (Err(Status::Unavailable), secs(3)));
    let page = get_page(Some(secs(3)), &[], &mut Vec::new()).await;
    assert_eq!(page, Err(Status::DeadlineExceeded));
}

/// Cut in flight at the limit; the error says how often it was tried, and what went wrong last.
#[tokio::test(start_paused = true)]
async fn connecting_to_a_daemon_that_is_cut_at_the_limit() {
    #[retry(stop = within(limit), wait = exponential(5ms).cap(100ms), on = any_error(), deadline = limit)]
    async fn connect(
        limit: Duration,
        refusals: u32,
        calls: &mut u32,
    ) -> Result<(), RetryError<io::Error>> {
        *calls += 1;
        if *calls > refusals {
            pending::<()>().await;
        }
        Err(io::Error::from(io::ErrorKind::ConnectionRefused))?
    }
    let start = Instant::now();
    let error = connect(secs(2), 3, &mut 0).await.unwrap_err();
    assert_eq!((error.reason, error.attempts), (StopReason::Time, 4));
    assert_eq!(error.source.unwrap().kind(), io::ErrorKind::ConnectionRefused);
    assert_eq!(start.elapsed(), secs(2));
    let error = connect(secs(2), 0, &mut 0).await.unwrap_err();
    assert_eq!((error.attempts, error.source.is_none()), (1, true));
}

/// One limit over many different steps, each of which is tried again for itself.
#[tokio::test(start_paused = true)]
async fn a_start_up_with_one_deadline_over_its_steps() {
    #[retry(stop = attempts(99), wait = fixed(1s), on = any_error())]
    async fn wait_for(step: &str, tries: u32, calls: &mut u32) -> Result<(), String> {
        *calls += 1;
        if *calls < tries { Err(format!("{step} is not there")) } else { Ok(()) }
    }
    async fn start(spawned: u32, listening: u32) -> Result<(), String> {
        retry::deadline(secs(10))
            .scope(async {
                wait_for("the process", spawned, &mut 0).await?;
                wait_for("the socket", listening, &mut 0).await
            })
            .await
    }
    assert_eq!(start(4, 5).await, Ok(()));
    let begun = Instant::now();
    assert_eq!(start(8, 5).await, Err("the socket is not there".to_owned()));
    assert_eq!(begun.elapsed(), secs(9));
}

/// Only timeouts count, each doubles what the next attempt may take, and a page that comes gives all back. The
/// timeout is the body's: the key has one for all attempts of a call.
#[tokio::test(start_paused = true)]
async fn a_listing_whose_timeout_grows_and_whose_pages_reset_it() {
    struct Bucket(std::vec::IntoIter<u64>);
    #[derive(Debug, PartialEq)]
    struct TimedOut;
    impl Bucket {
        async fn page(&mut self) -> usize {
            let takes = self.0.next().unwrap();
            sleep(secs(takes)).await;
            self.0.len()
        }
    }
    #[retry(stop = attempts(3), wait = fixed(100ms), on = is::<TimedOut>())]
    async fn list(
        bucket: &mut Bucket,
        failures: &mut u32,
        pages: &mut u32,
    ) -> Result<u32, TimedOut> {
        loop {
            let most = secs(2) * 2_u32.pow(*failures);
            match timeout(most, bucket.page()).await {
                Ok(left) => {
                    (*failures, *pages) = (0, *pages + 1);
                    if let Some(attempt) = retry::current() {
                        attempt.progress();
                    }
                    if left == 0 {
                        return Ok(*pages);
                    }
                }
                Err(_) => {
                    *failures += 1;
                    return Err(TimedOut);
                }
            }
        }
    }
    impl std::fmt::Display for TimedOut {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("timed out")
        }
    }
    impl std::error::Error for TimedOut {}

    // Two timeouts, a page within eight seconds; two more, and a page.
    let mut bucket = Bucket(vec![9, 9, 7, 9, 9, 1].into_iter());
    assert_eq!(list(&mut bucket, &mut 0, &mut 0).await, Ok(2));
    // The third in a row is one too many.
    let mut bucket = Bucket(vec![1, 9, 9, 99, 1].into_iter());
    assert_eq!(list(&mut bucket, &mut 0, &mut 0).await, Err(TimedOut));
}
