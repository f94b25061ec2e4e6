//! `deadline`.

use std::future::pending;
use std::io;
use std::time::{Duration, Instant};

use retry::{
    Interrupted, Interruption, RetryError, StopReason, Verdict, record, record_sync, retry,
    retry_with,
};

const S: Duration = Duration::from_secs(1);

#[derive(Debug, PartialEq)]
enum Error {
    Real(u32),
    Cut(Interruption),
}

impl From<Interrupted> for Error {
    fn from(it: Interrupted) -> Self {
        Self::Cut(it.by())
    }
}

/// Hangs in the attempt of this number, and fails in the others.
#[retry(stop = attempts(10), wait = fixed(1s), on = any_error(), deadline = 5s)]
async fn hangs_in(attempt: u32) -> Result<(), Error> {
    let number = retry::current().unwrap().number();
    if number == attempt {
        pending::<()>().await;
    }
    Err(Error::Real(number))
}

#[tokio::test(start_paused = true)]
async fn a_hung_first_attempt_is_cut_at_the_deadline_and_gives_the_interruption() {
    let start = tokio::time::Instant::now();
    let (outcome, reports) = record(hangs_in(1)).await;
    assert_eq!(outcome, Err(Error::Cut(Interruption::Deadline)));
    assert_eq!(start.elapsed(), 5 * S);
    assert_eq!((reports[0].reason(), reports[0].attempts()), (StopReason::Time, 1));
}

#[tokio::test(start_paused = true)]
async fn a_hung_later_attempt_gives_the_last_real_error() {
    let start = tokio::time::Instant::now();
    let (outcome, reports) = record(hangs_in(3)).await;
    assert_eq!(outcome, Err(Error::Real(2)));
    assert_eq!(start.elapsed(), 5 * S);
    assert_eq!((reports[0].reason(), reports[0].attempts()), (StopReason::Time, 3));
}

#[tokio::test(start_paused = true)]
async fn no_pause_ends_at_the_deadline_or_past_it() {
    let start = tokio::time::Instant::now();
    let (outcome, reports) = record(hangs_in(99)).await;
    // The fifth pause would end at the deadline.
    assert_eq!(outcome, Err(Error::Real(5)));
    assert_eq!(start.elapsed(), 4 * S);
    assert_eq!(reports[0].reason(), StopReason::Time);
}

#[tokio::test(start_paused = true)]
async fn a_thousand_hung_calls_return_exactly_at_their_deadline() {
    let start = tokio::time::Instant::now();
    let calls: Vec<_> = (0..1000).map(|_| tokio::spawn(hangs_in(1))).collect();
    for call in calls {
        assert_eq!(call.await.unwrap(), Err(Error::Cut(Interruption::Deadline)));
    }
    assert_eq!(start.elapsed(), 5 * S);
}

#[tokio::test(start_paused = true)]
async fn the_body_knows_what_is_left_from_its_first_attempt_on() {
    #[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), deadline = within)]
    async fn left(within: Duration, seen: &mut Vec<Duration>) -> io::Result<()> {
        seen.push(retry::current().unwrap().remaining().unwrap());
        tokio::time::sleep(S).await;
        seen.push(retry::current().unwrap().remaining().unwrap());
        Err(io::ErrorKind::ConnectionReset.into())
    }
    let mut seen = Vec::new();
    left(10 * S, &mut seen).await.unwrap_err();
    assert_eq!(seen, [10 * S, 9 * S, 8 * S, 7 * S, 6 * S, 5 * S]);
}

#[test]
fn a_sync_call_makes_no_attempt_at_or_past_its_deadline() {
    #[retry(stop = attempts(10), wait = fixed(2s), on = any_error(), deadline = 5s)]
    fn fails() -> Result<(), String> {
        Err(retry::current().unwrap().remaining().unwrap().as_secs().to_string())
    }
    let (outcome, reports) = record_sync(|| retry_with().virtual_time().sync_scope(fails));
    assert_eq!(outcome, Err("0".to_owned()));
    assert_eq!((reports[0].reason(), reports[0].attempts()), (StopReason::Time, 3));
    assert_eq!(reports[0].waited(), 4 * S);
}

#[test]
fn a_sync_sleep_that_takes_too_long_is_followed_by_no_attempt() {
    fn oversleeps(_: Duration) {
        std::thread::sleep(Duration::from_millis(30));
    }
    #[retry(stop = attempts(10), wait = fixed(1ms), on = any_error(), sleep = oversleeps, deadline = 20ms)]
    fn fails(calls: &mut u32) -> Result<(), String> {
        *calls += 1;
        Err(calls.to_string())
    }
    let mut calls = 0;
    let (outcome, reports) = record_sync(|| fails(&mut calls));
    assert_eq!(outcome, Err("1".to_owned()));
    assert_eq!((reports[0].reason(), reports[0].attempts()), (StopReason::Time, 1));
}

#[tokio::test(start_paused = true)]
async fn a_moment_and_an_option_are_deadlines_too() {
    #[retry(stop = attempts(10), wait = fixed(1s), on = any_error(), deadline = at)]
    async fn until(at: Instant) -> io::Result<()> {
        Err(io::ErrorKind::ConnectionReset.into())
    }
    #[retry(stop = attempts(10), wait = fixed(1s), on = any_error(), deadline = at)]
    async fn maybe(at: Option<Duration>) -> io::Result<()> {
        Err(io::ErrorKind::ConnectionReset.into())
    }
    let attempts = |reports: Vec<retry::Report>| reports[0].attempts();
    let at = tokio::time::Instant::now().into_std() + 3 * S;
    assert_eq!(attempts(record(until(at)).await.1), 3);
    assert_eq!(attempts(record(maybe(None)).await.1), 10);
    assert_eq!(attempts(record(maybe(Some(2 * S))).await.1), 2);
}

#[tokio::test(start_paused = true)]
async fn an_inner_call_inherits_the_deadline_around_it() {
    #[retry(stop = attempts(2), wait = fixed(1s), on = any_error(), deadline = 4s)]
    async fn outer(seen: &mut Vec<Duration>) -> Result<(), Error> {
        inner(seen).await
    }
    #[retry(stop = attempts(100), wait = fixed(1s), on = any_error())]
    async fn inner(seen: &mut Vec<Duration>) -> Result<(), Error> {
        seen.push(retry::current().unwrap().remaining().unwrap());
        Err(Error::Real(0))
    }
    let mut seen = Vec::new();
    let (outcome, reports) = record(outer(&mut seen)).await;
    assert_eq!(outcome, Err(Error::Real(0)));
    assert_eq!(seen, [4 * S, 3 * S, 2 * S, S]);
    let reasons: Vec<_> = reports.iter().map(|it| (it.attempts(), it.reason())).collect();
    assert_eq!(reasons, [(4, StopReason::Time), (1, StopReason::Time)]);
}

#[tokio::test(start_paused = true)]
async fn the_smaller_of_two_deadlines_counts() {
    #[retry(stop = attempts(2), wait = fixed(1s), on = any_error(), deadline = 10s)]
    async fn outer(within: Duration) -> Result<(), Error> {
        inner(within).await
    }
    #[retry(stop = attempts(100), wait = fixed(1s), on = |_| false, deadline = within)]
    async fn inner(within: Duration) -> Result<(), Error> {
        let left = retry::current().unwrap().remaining().unwrap();
        assert_eq!(left, within.min(10 * S));
        pending().await
    }
    let start = tokio::time::Instant::now();
    assert_eq!(outer(60 * S).await, Err(Error::Cut(Interruption::Deadline)));
    assert_eq!(start.elapsed(), 10 * S);
    // An inner call that was cut by its own deadline can be repeated by the one around it.
    let start = tokio::time::Instant::now();
    assert_eq!(outer(2 * S).await, Err(Error::Cut(Interruption::Deadline)));
    assert_eq!(start.elapsed(), 5 * S);
}

#[tokio::test(start_paused = true)]
async fn one_deadline_holds_over_several_steps() {
    #[retry(stop = attempts(100), wait = fixed(1s), on = any_error())]
    async fn step(succeeds_at: u32) -> Result<(), String> {
        let attempt = retry::current().unwrap();
        if attempt.number() < succeeds_at {
            return Err(format!("{:?}", attempt.remaining().unwrap()));
        }
        Ok(())
    }
    let steps = async {
        step(3).await?;
        step(100).await
    };
    let outcome = retry::deadline(5 * S).scope(steps).await;
    assert_eq!(outcome, Err("1s".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn a_hint_that_does_not_fit_ends_the_call_with_the_real_error_at_once() {
    #[retry(
        stop = attempts(5),
        wait = none(),
        on = |_| Verdict::Retry.retry_after(3600 * S),
        deadline = 20s,
    )]
    async fn throttled() -> Result<(), Error> {
        Err(Error::Real(429))
    }
    let start = tokio::time::Instant::now();
    let (outcome, reports) = record(throttled()).await;
    assert_eq!(outcome, Err(Error::Real(429)));
    assert_eq!(reports[0].reason(), StopReason::HintTooLong);
    assert_eq!(start.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn a_caller_learns_from_a_retry_error_that_there_was_no_error() {
    /// Is not `From<Interrupted>`.
    #[derive(Debug, PartialEq)]
    struct Plain;
    #[retry(stop = attempts(5), wait = fixed(1s), on = any_error(), deadline = 3s)]
    async fn hangs(at: u32) -> Result<(), RetryError<Plain>> {
        if retry::current().unwrap().number() == at {
            pending::<()>().await;
        }
        Err::<(), _>(Plain)
    }
    let error = hangs(1).await.unwrap_err();
    assert_eq!((error.source, error.reason, error.attempts), (None, StopReason::Time, 1));
    let error = hangs(2).await.unwrap_err();
    assert_eq!((error.source, error.reason, error.attempts), (Some(Plain), StopReason::Time, 2));
}

#[tokio::test(start_paused = true)]
async fn an_error_can_be_made_on_the_spot() {
    #[retry(
        stop = attempts(5),
        wait = fixed(1s),
        on = any_error(),
        deadline = 3s,
        interrupted = |it| it.to_string(),
    )]
    async fn hangs() -> Result<(), String> {
        pending().await
    }
    let error = hangs().await.unwrap_err();
    assert!(error.ends_with("was cut by its deadline after 3.0s"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn io_errors_boxed_errors_anyhow_and_options_know_what_to_be() {
    #[retry(stop = attempts(5), wait = fixed(1s), on = any_error(), deadline = 3s)]
    async fn io() -> io::Result<()> {
        pending().await
    }
    #[retry(stop = attempts(5), wait = fixed(1s), on = any_error(), deadline = 3s)]
    async fn boxed() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        pending().await
    }
    #[retry(stop = attempts(5), wait = fixed(1s), on = any_error(), deadline = 3s)]
    async fn any() -> anyhow::Result<()> {
        pending().await
    }
    #[retry(stop = attempts(5), wait = fixed(1s), on = any_error(), deadline = 3s)]
    async fn option() -> Option<()> {
        pending().await
    }
    assert_eq!(io().await.unwrap_err().kind(), io::ErrorKind::TimedOut);
    assert!(boxed().await.unwrap_err().is::<Interrupted>());
    assert!(any().await.unwrap_err().is::<Interrupted>());
    assert_eq!(option().await, None);
}

#[tokio::test(start_paused = true)]
async fn a_block_can_be_cut_too() {
    let start = tokio::time::Instant::now();
    let outcome: Result<(), Error> = retry::block!(
        stop = attempts(5),
        wait = fixed(1s),
        on = any_error(),
        deadline = 3s,
        async { pending::<Result<(), Error>>().await }
    );
    assert_eq!(outcome, Err(Error::Cut(Interruption::Deadline)));
    assert_eq!(start.elapsed(), 3 * S);
}

#[tokio::test(start_paused = true)]
async fn a_deadline_counts_in_virtual_time() {
    let calls = retry_with().virtual_time().scope(async {
        // The time skipped by the first call is not the second one's.
        let first = record(hangs_in(99)).await.1;
        let second = record(hangs_in(99)).await.1;
        [first[0].attempts(), second[0].attempts()]
    });
    assert_eq!(calls.await, [5, 5]);
}
