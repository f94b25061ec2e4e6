//! The tour's helper for HTTP: its own set of statuses; a hint is waited for, 30 s of it at most, unless the
//! time is up before that.

use std::io;

use http::{Response, StatusCode};
use retry::http::{Statuses, statuses};
use retry::{StopReason, retry};

use super::{delays, reported};

const RETRIED: Statuses = statuses::transient()
    .with_500()
    .without(StatusCode::REQUEST_TIMEOUT)
    .without(StatusCode::TOO_EARLY);

type Answers<'a> = &'a mut Vec<Response<&'static str>>;

#[retry(
    stop = attempts(5) | within(60s),
    wait = exponential(1s).cap(10s),
    on = ok(|response| RETRIED.verdict(response)),
    max_hint = clamp(30s),
    idempotent,
)]
fn get(answers: Answers<'_>) -> io::Result<Response<&'static str>> {
    Ok(answers.remove(0))
}

fn answer(status: u16, retry_after: Option<&str>) -> Response<&'static str> {
    let builder = Response::builder().status(status);
    let builder =
        retry_after.into_iter().fold(builder, |it, value| it.header("retry-after", value));
    builder.body("body").unwrap()
}

#[test]
fn the_statuses_of_its_set_are_retried_and_no_others() {
    for status in 100..600 {
        let mut answers = vec![answer(status, None), answer(200, None)];
        let (outcome, report) = reported(|| get(&mut answers));
        let retried = [429, 500, 502, 503, 504].contains(&status);
        assert_eq!(report.attempts(), if retried { 2 } else { 1 }, "{status}");
        assert_eq!(outcome.unwrap().status(), if retried { 200 } else { status });
    }
}

#[test]
fn a_hint_is_waited_for_and_cut_to_30_seconds() {
    let mut answers = vec![answer(429, Some("7")), answer(503, Some("45")), answer(200, None)];
    let (_, report) = reported(|| get(&mut answers));
    assert_eq!(delays(&report), [7.0, 30.0]);
}

#[test]
fn a_hint_beyond_the_time_that_is_left_ends_the_call() {
    let mut answers = vec![answer(429, Some("30")); 5];
    let (outcome, report) = reported(|| get(&mut answers));
    assert_eq!(outcome.unwrap().status(), 429);
    assert_eq!((report.attempts(), delays(&report)), (2, vec![30.0]));
    assert_eq!(report.reason(), StopReason::HintTooLong);
}

#[test]
fn the_hint_of_a_good_answer_is_not_read() {
    let mut answers = vec![answer(200, Some("3600"))];
    let (outcome, report) = reported(|| get(&mut answers));
    assert!(outcome.is_ok() && report.is_success() && report.attempts() == 1);
}
