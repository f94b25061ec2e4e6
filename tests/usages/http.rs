//! Requests over HTTP.

use std::cell::Cell;
use std::io;
use std::time::Duration;

use http::{Method, Response, StatusCode};
use retry::http::{StatusError, statuses};
use retry::{Mark, Transient, Verdict, record, retry};
use tokio::time::Instant;

use crate::support::{ms, secs};

fn answer(status: u16, after: Option<&str>) -> Response<()> {
    let response = Response::builder().status(status);
    match after {
        Some(after) => response.header("retry-after", after),
        None => response,
    }
    .body(())
    .unwrap()
}

#[derive(Debug)]
enum StoreError {
    Io(io::Error),
    Status(StatusError),
}

impl Transient for StoreError {
    fn verdict(&self) -> Verdict {
        match self {
            Self::Io(error) => error.verdict(),
            Self::Status(error) => error.verdict(),
        }
    }
}

impl From<StatusError> for StoreError {
    fn from(error: StatusError) -> Self {
        Self::Status(error)
    }
}

impl From<io::Error> for StoreError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Only what is safe is sent again after it may have arrived; a refused connection always; and an answer of 200
/// may hold an error all the same, which the body knows where it reads it.
#[tokio::test(start_paused = true)]
async fn an_object_store_client() {
    enum Sent {
        Answer(u16),
        ErrorInBody,
        Refused,
        Reset,
    }
    use Sent::{Answer, ErrorInBody, Refused, Reset};
    #[retry(
        stop = attempts(11) | within(3m),
        wait = decorrelated(100ms, 15s),
        idempotent = idempotent.unwrap_or(method.is_safe()),
    )]
    async fn send(
        method: &Method,
        idempotent: Option<bool>,
        sent: &mut std::slice::Iter<'_, Sent>,
    ) -> Result<u16, StoreError> {
        match sent.next() {
            Some(Refused) => Err(io::Error::from(io::ErrorKind::ConnectionRefused))?,
            Some(Reset) => Err(io::Error::from(io::ErrorKind::ConnectionReset))?,
            Some(ErrorInBody) => Err(StoreError::Io(io::Error::other("InternalError"))).transient(),
            Some(Answer(status)) => Ok(statuses().check(answer(*status, None))?.status().as_u16()),
            None => Ok(200),
        }
    }
    let tried = |method: Method, idempotent, sent: Vec<Sent>| async move {
        let mut sent = sent.iter();
        let (outcome, reports) = record(send(&method, idempotent, &mut sent)).await;
        (outcome.is_ok(), reports[0].attempts())
    };
    assert_eq!(tried(Method::GET, None, vec![Refused, Reset, Answer(503)]).await, (true, 4));
    assert_eq!(tried(Method::POST, None, vec![Refused, Reset]).await, (false, 2));
    assert_eq!(tried(Method::POST, Some(true), vec![Reset, ErrorInBody]).await, (true, 3));
    assert_eq!(tried(Method::GET, None, vec![Answer(404)]).await, (false, 1));
}

fn statuses() -> retry::http::Statuses {
    statuses::transient()
}

/// What the server asks for is waited in place of the backoff; failures of the network count only where a limit
/// was set; and a queue ahead of the request is waited for as well.
#[tokio::test(start_paused = true)]
async fn a_client_that_waits_what_it_is_told_and_for_the_queue_ahead() {
    #[retry(
        stop = attempts(5),
        wait = exponential(1s).unless_hinted() + (|_| queue.get()),
        on = |error: &StoreError| match error {
            StoreError::Io(_) if limit.is_none() => Verdict::Final,
            error => error.verdict(),
        },
        deadline = limit,
        interrupted = |cut| StoreError::Io(cut.into()),
        idempotent,
    )]
    async fn call(
        limit: Option<Duration>,
        queue: &Cell<Duration>,
        answers: &mut std::slice::Iter<'_, Option<(u16, &'static str)>>,
    ) -> Result<StatusCode, StoreError> {
        match answers.next() {
            Some(Some((status, after))) => {
                Ok(statuses().check(answer(*status, Some(after)))?.status())
            }
            Some(None) => Err(io::Error::from(io::ErrorKind::ConnectionRefused))?,
            None => Ok(StatusCode::OK),
        }
    }
    let (queue, start) = (Cell::new(Duration::ZERO), Instant::now());
    let told = [Some((429, "3")), None, Some((429, "1")), None];
    call(Some(secs(60)), &queue, &mut told.iter()).await.unwrap();
    assert_eq!(start.elapsed(), secs(3 + 1 + 1 + 2));
    // Without a limit the network is not tried again.
    call(None, &queue, &mut [None].iter()).await.unwrap_err();
    queue.set(ms(250));
    let start = Instant::now();
    call(None, &queue, &mut [Some((503, "0"))].iter()).await.unwrap();
    assert_eq!(start.elapsed(), ms(250));
}

/// The next mirror at once and without using up an attempt, a backoff after the last; what the layer below has
/// retried by itself is not lost in the conversion of errors.
#[tokio::test(start_paused = true)]
async fn a_package_index_with_mirrors_over_a_client_that_retries_too() {
    #[retry(name = "middleware", stop = attempts(2), wait = none(), on = any_error())]
    async fn request(mirror: &str, up: bool) -> Result<u32, String> {
        if up { Ok(7) } else { Err(format!("{mirror} is down")) }
    }
    #[retry(name = "index", stop = attempts(3), wait = exponential(2s), on = any_error())]
    async fn index(mirrors: &[&str], asked: &mut Vec<String>, up: usize) -> Result<u32, io::Error> {
        let mirror = mirrors[asked.len() % mirrors.len()];
        asked.push(mirror.to_owned());
        let answer = request(mirror, asked.len() == up).await;
        answer.map_err(io::Error::other).next_of(mirrors.len())
    }
    let (mut asked, start) = (Vec::new(), Instant::now());
    let (outcome, reports) = record(index(&["a", "b"], &mut asked, 4)).await;
    assert_eq!(outcome.unwrap(), 7);
    assert_eq!((asked.join(""), start.elapsed()), ("abab".to_owned(), secs(2)));
    let index = reports.iter().find(|report| report.name() == "index").unwrap();
    let inner = index.history().iter().filter_map(retry::PastAttempt::exhausted);
    assert_eq!(inner.map(|inner| inner.attempts()).sum::<u32>(), 6);
}

/// What the other side has not taken is sent again, and only that; how much of it there is may stop it.
#[tokio::test(start_paused = true)]
async fn a_sink_that_sends_again_what_was_not_taken() {
    #[retry(stop = attempts(4), wait = fixed(1s), on = ok(|left: &usize| *left > 0) | transient())]
    async fn flush(batch: &mut Vec<u32>, sent: &mut Vec<usize>) -> io::Result<usize> {
        sent.push(batch.len());
        batch.retain(|item| item % 2 == 0);
        for item in batch.iter_mut() {
            *item /= 2;
        }
        Ok(batch.len())
    }
    let mut sent = Vec::new();
    assert_eq!(flush(&mut vec![1, 2, 4, 6], &mut sent).await.unwrap(), 0);
    assert_eq!(sent, [4, 3, 1]);
}
