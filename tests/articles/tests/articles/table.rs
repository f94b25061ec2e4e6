//! A loop in under ninety lines: a table of what is temporary, equal jitter, one attempt for what must not
//! be done twice, and log lines that say which attempt of how many.

use std::error::Error;
use std::fmt;
use std::io::{self, ErrorKind};
use std::sync::Mutex;

use http::{Method, Response};
use retry::http::{IdempotencyKey, StatusError, is_idempotent, statuses};
use retry::{Report, StopReason, Transient, record_sync, retry, retry_with};

use crate::secs;

/// What a client reports below an error of connecting.
#[derive(Debug)]
struct CertificateError;

impl fmt::Display for CertificateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("certificate has expired")
    }
}

impl Error for CertificateError {}

#[derive(Debug, Transient)]
enum CallError {
    #[transient(forward)]
    Io(io::Error),
    #[transient(forward)]
    Status(StatusError),
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Status(error) => error.fmt(f),
        }
    }
}

impl Error for CallError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            Self::Status(_) => None,
        }
    }
}

type Answer = io::Result<Response<&'static str>>;

/// What the other side does, and what was logged meanwhile.
#[derive(Default)]
struct World {
    answers: Mutex<Vec<Answer>>,
    lines: Mutex<Vec<String>>,
}

impl World {
    fn of(answers: impl IntoIterator<Item = Answer>) -> Self {
        Self { answers: Mutex::new(answers.into_iter().collect()), ..Self::default() }
    }

    fn send(&self) -> Answer {
        self.answers.lock().unwrap().remove(0)
    }

    fn log(&self, line: String) {
        self.lines.lock().unwrap().push(line);
    }

    fn lines(&self) -> Vec<String> {
        self.lines.lock().unwrap().clone()
    }
}

#[retry(
    name = "call",
    stop = attempts(if is_idempotent(method) || key.is_some() { 5 } else { 1 }) | within(120s),
    wait = exponential(1s).cap(30s).equal_jitter(),
    on = transient() & !source_is::<CertificateError>(),
    idempotent,
    before_sleep = |attempt, outcome| {
        let number = attempt.number();
        let of = number + attempt.left().unwrap();
        let error = outcome.as_ref().unwrap_err();
        let delay = attempt.next_delay().unwrap().as_secs_f64();
        world.log(format!("attempt {number} of {of} failed ({error}), next in {delay:.1} s"));
    },
    on_success = |report, _| if report.attempts() > 1 {
        world.log(format!("succeeded on attempt {}", report.attempts()));
    },
    on_give_up = |report, outcome| if report.attempts() > 1 {
        let error = outcome.as_ref().unwrap_err();
        world.log(format!("giving up after {} attempts: {error}", report.attempts()));
    },
)]
fn call(
    world: &World,
    method: &Method,
    key: Option<&IdempotencyKey>,
) -> Result<&'static str, CallError> {
    let response = world.send().map_err(CallError::Io)?;
    let statuses = statuses::transient().with_500().for_request(method, key.is_some());
    Ok(statuses.check(response).map_err(CallError::Status)?.into_body())
}

fn reported(
    fraction: f64,
    world: &World,
    method: &Method,
    key: Option<&IdempotencyKey>,
) -> (Result<&'static str, CallError>, Report) {
    let overrides = retry_with().virtual_time().draw(fraction);
    let (outcome, mut reports) = record_sync(|| overrides.sync_scope(|| call(world, method, key)));
    (outcome, reports.pop().unwrap())
}

#[allow(clippy::unnecessary_wraps)] // beside those that failed
fn answer(status: u16, headers: &[(&str, &str)]) -> Answer {
    let builder = Response::builder().status(status);
    let builder = headers.iter().fold(builder, |it, (name, value)| it.header(*name, *value));
    Ok(builder.body("body").unwrap())
}

fn failed(kind: ErrorKind) -> Answer {
    Err(kind.into())
}

fn delays(report: &Report) -> Vec<f64> {
    report.delays().map(|delay| delay.as_secs_f64()).collect()
}

#[test]
fn what_the_table_calls_temporary_is_retried_and_nothing_else() {
    let temporary = [
        failed(ErrorKind::ConnectionRefused),
        failed(ErrorKind::ConnectionReset),
        failed(ErrorKind::ConnectionAborted),
        failed(ErrorKind::BrokenPipe),
        failed(ErrorKind::TimedOut),
        failed(ErrorKind::UnexpectedEof),
    ];
    let statuses = [408, 425, 429, 500, 502, 503, 504].map(|status| answer(status, &[]));
    for first in temporary.into_iter().chain(statuses) {
        let world = World::of([first, answer(200, &[])]);
        let (outcome, report) = reported(0.0, &world, &Method::GET, None);
        assert!(outcome.is_ok() && report.attempts() == 2, "{report:?}");
    }
    let lasting = [
        failed(ErrorKind::PermissionDenied),
        failed(ErrorKind::InvalidInput),
        failed(ErrorKind::Unsupported),
    ];
    let statuses = [400, 401, 403, 404, 405, 409, 410, 422, 501].map(|status| answer(status, &[]));
    for first in lasting.into_iter().chain(statuses) {
        let world = World::of([first, answer(200, &[])]);
        let (outcome, report) = reported(0.0, &world, &Method::GET, None);
        assert!(outcome.is_err() && report.attempts() == 1, "{report:?}");
        assert_eq!(report.reason(), StopReason::Permanent);
    }
}

#[test]
fn a_certificate_is_never_asked_for_again_even_below_an_error_of_connecting() {
    let below = io::Error::new(ErrorKind::ConnectionAborted, io::Error::other(CertificateError));
    let world = World::of([Err(below), answer(200, &[])]);
    let (outcome, report) = reported(0.0, &world, &Method::GET, None);
    assert!(outcome.is_err());
    assert_eq!((report.attempts(), report.reason()), (1, StopReason::Permanent));
    assert_eq!(world.lines(), [""; 0], "one attempt is nothing to write about");
}

#[test]
fn four_waits_are_between_7_5_and_15_seconds() {
    for (fraction, expected) in [(0.0, [0.5, 1.0, 2.0, 4.0]), (1.0, [1.0, 2.0, 4.0, 8.0])] {
        let world = World::of((0..5).map(|_| answer(503, &[])));
        let (outcome, report) = reported(fraction, &world, &Method::GET, None);
        assert!(matches!(outcome, Err(CallError::Status(it)) if it.status() == 503));
        assert_eq!((delays(&report), report.reason()), (expected.to_vec(), StopReason::Attempts));
    }
}

#[test]
fn the_log_says_which_attempt_of_how_many() {
    let answers = [failed(ErrorKind::ConnectionReset), answer(503, &[("retry-after", "7")])];
    let world = World::of(answers.into_iter().chain([answer(200, &[])]));
    reported(1.0, &world, &Method::GET, None).0.unwrap();
    assert_eq!(
        world.lines(),
        [
            "attempt 1 of 5 failed (connection reset), next in 1.0 s",
            "attempt 2 of 5 failed (503 Service Unavailable, to be retried after 7s), next in 7.7 s",
            "succeeded on attempt 3",
        ]
    );

    let world = World::of((0..5).map(|_| answer(502, &[])));
    reported(1.0, &world, &Method::GET, None).0.unwrap_err();
    assert_eq!(
        world.lines(),
        [
            "attempt 1 of 5 failed (502 Bad Gateway), next in 1.0 s",
            "attempt 2 of 5 failed (502 Bad Gateway), next in 2.0 s",
            "attempt 3 of 5 failed (502 Bad Gateway), next in 4.0 s",
            "attempt 4 of 5 failed (502 Bad Gateway), next in 8.0 s",
            "giving up after 5 attempts: 502 Bad Gateway",
        ]
    );

    // What goes well at once, or is wrong at once, says nothing.
    for status in [200, 404] {
        let world = World::of([answer(status, &[])]);
        let _ = reported(1.0, &world, &Method::GET, None);
        assert_eq!(world.lines(), [""; 0]);
    }
}

#[test]
fn a_post_gets_one_attempt_unless_it_has_a_key() {
    let first = || [failed(ErrorKind::ConnectionRefused), answer(200, &[])];
    let world = World::of(first());
    let (outcome, report) = reported(0.0, &world, &Method::POST, None);
    assert!(outcome.is_err() && report.attempts() == 1);

    let key = IdempotencyKey::new("order-7").unwrap();
    let world = World::of(first());
    let (outcome, report) = reported(0.0, &world, &Method::POST, Some(&key));
    assert!(outcome.is_ok() && report.attempts() == 2);
}

#[test]
fn the_longer_of_backoff_and_hint_is_waited_for() {
    let hints = ["1", "3", "1"];
    let answers = hints.map(|hint| answer(429, &[("retry-after", hint)]));
    let world = World::of(answers.into_iter().chain([answer(200, &[])]));
    let (_, report) = reported(0.0, &world, &Method::GET, None);
    assert_eq!(delays(&report), [1.0, 3.0, 2.0]);
}

#[test]
fn what_does_not_fit_into_120_seconds_is_not_waited_for() {
    let minute = || answer(503, &[("retry-after", "60")]);
    let world = World::of((0..5).map(|_| minute()));
    let (outcome, report) = reported(0.0, &world, &Method::GET, None);
    assert!(matches!(outcome, Err(CallError::Status(it)) if it.retry_after() == Some(secs(60))));
    assert_eq!((report.attempts(), report.reason()), (2, StopReason::HintTooLong));
    assert_eq!(delays(&report), [60.0]);
}
