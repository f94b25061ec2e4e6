//! The same answers through the whole engine.

use super::*;

use std::io::{self, ErrorKind};

use http::{Method, StatusCode};
use retry::http::{StatusError, Statuses, is_idempotent, statuses};
use retry::{RetryError, StopReason, Transient, Verdict, retry};
use support::all_ms;
use support::log::Log;

const STATUSES: Statuses = statuses::transient();

type Answers<'a> = &'a [Response<&'static str>];

/// The answers one after the other, and then a good one.
fn send(log: &mut Log, answers: Answers<'_>) -> Response<&'static str> {
    answers.get(log.nth() - 1).cloned().unwrap_or(Response::new("done"))
}

#[tokio::test(start_paused = true)]
async fn answers_are_judged_where_they_are_the_success() {
    #[retry(
        stop = attempts(5) | within(20s),
        wait = fixed(100ms),
        on = ok(|response| STATUSES.verdict(response)) | transient(),
        idempotent = is_idempotent(&method),
    )]
    async fn call(
        method: Method,
        log: &mut Log,
        answers: Answers<'_>,
    ) -> io::Result<Response<&'static str>> {
        let response = send(log, answers);
        if response.status() == StatusCode::IM_A_TEAPOT {
            return Err(ErrorKind::ConnectionReset.into());
        }
        Ok(response)
    }
    let answers = [
        answer(503, &[("retry-after", "2")]),
        answer(504, &[]),
        answer(418, &[]),
        answer(429, &[("retry-after-ms", "250")]),
    ];
    let mut log = Log::new();
    let good = call(Method::GET, &mut log, &answers).await.unwrap();
    assert_eq!((*good.body(), log.gaps()), ("done", all_ms([2000, 100, 100, 250])));

    // Refused the first time, perhaps done the second.
    let mut log = Log::new();
    let last = call(Method::POST, &mut log, &answers).await.unwrap();
    assert_eq!((last.status(), log.gaps()), (StatusCode::GATEWAY_TIMEOUT, all_ms([2000])));
    let mut log = Log::new();
    call(Method::POST, &mut log, &answers[2..]).await.unwrap_err();
    assert_eq!(log.attempts(), 1);
    let mut log = Log::new();
    let missing = call(Method::GET, &mut log, &[answer(404, &[])]).await.unwrap();
    assert_eq!((missing.status(), log.attempts()), (StatusCode::NOT_FOUND, 1));
}

#[tokio::test(start_paused = true)]
async fn a_hint_that_does_not_fit_ends_the_call_at_once_with_the_real_answer() {
    #[retry(
        stop = within(20s),
        wait = fixed(100ms),
        on = ok(|response| STATUSES.verdict(response)),
    )]
    async fn call(log: &mut Log, answers: Answers<'_>) -> Result<Response<&'static str>, ()> {
        Ok(send(log, answers))
    }
    let hour = [("retry-after", "3600")];
    let year = [("retry-after", "Fri, 31 Dec 9999 23:59:59 GMT")];
    let most = [("retry-after", "18446744073709551615")];
    for header in [hour, year, most] {
        let mut log = Log::new();
        let last = call(&mut log, &[answer(503, &header)]).await.unwrap();
        assert_eq!((last.status(), log.attempts()), (StatusCode::SERVICE_UNAVAILABLE, 1));
        assert_eq!(last.headers()["retry-after"], header[0].1);
        assert!(log.start.elapsed().is_zero());
    }
}

#[tokio::test(start_paused = true)]
async fn no_hint_and_a_past_one_leave_the_backoff_as_it_is() {
    #[retry(
        stop = attempts(6),
        wait = exponential(100ms),
        on = output(|response| STATUSES.verdict(response)),
    )]
    async fn call(log: &mut Log, answers: Answers<'_>) -> Response<&'static str> {
        send(log, answers)
    }
    let answers = ["0", "-5", "soon", "Thu, 01 Jan 1970 00:00:00 GMT"];
    let answers = answers.map(|it| answer(503, &[("retry-after", it)]));
    let mut log = Log::new();
    assert_eq!(*call(&mut log, &answers).await.body(), "done");
    assert_eq!(log.gaps(), all_ms([100, 200, 400, 800]));
}

#[tokio::test(start_paused = true)]
async fn a_throttled_answer_has_a_backoff_of_its_own() {
    #[retry(
        stop = attempts(6),
        wait = exponential(100ms).throttled(exponential(1s)),
        on = output(|response| STATUSES.verdict(response)),
        idempotent,
    )]
    async fn call(log: &mut Log, answers: Answers<'_>) -> Response<&'static str> {
        send(log, answers)
    }
    let mut log = Log::new();
    call(&mut log, &[502, 429, 503, 504].map(|it| answer(it, &[]))).await;
    assert_eq!(log.gaps(), all_ms([100, 1000, 2000, 200]));
}

#[tokio::test(start_paused = true)]
async fn a_pattern_takes_the_set_in_its_guard() {
    #[retry(
        stop = attempts(3),
        wait = fixed(100ms),
        on = matches(Ok(response) if STATUSES.contains(response.status())),
    )]
    async fn call(log: &mut Log, answers: Answers<'_>) -> Result<Response<&'static str>, ()> {
        Ok(send(log, answers))
    }
    let mut log = Log::new();
    call(&mut log, &[answer(502, &[]), answer(404, &[])]).await.unwrap();
    assert_eq!(log.gaps(), all_ms([100]), "asked for a `bool`, it knows neither hint nor doubt");
}

#[tokio::test(start_paused = true)]
async fn a_body_turns_a_bad_answer_into_an_error_that_knows_itself() {
    #[retry(stop = attempts(4), wait = fixed(100ms))]
    async fn call(
        method: Method,
        keyed: bool,
        log: &mut Log,
        answers: Answers<'_>,
    ) -> Result<&'static str, RetryError<StatusError>> {
        let statuses = STATUSES.for_request(&method, keyed);
        Ok(statuses.check(send(log, answers))?.into_body())
    }
    let done = [503, 504].map(|it| answer(it, &[("retry-after", "1")]));
    let mut log = Log::new();
    assert_eq!(call(Method::PUT, false, &mut log, &done).await.unwrap(), "done");
    assert_eq!(log.gaps(), all_ms([1000, 1000]));

    let error = call(Method::POST, false, &mut Log::new(), &done).await.unwrap_err();
    assert_eq!((error.reason, error.attempts), (StopReason::Ambiguous, 2));

    let conflict = [504, 409, 409].map(|it| answer(it, &[]));
    let mut log = Log::new();
    assert_eq!(call(Method::POST, true, &mut log, &conflict).await.unwrap(), "done");
    assert_eq!(log.attempts(), 4);
    for wrong in [400, 422] {
        let error = call(Method::POST, true, &mut Log::new(), &[answer(wrong, &[])]).await;
        let error = error.unwrap_err();
        assert_eq!((error.reason, error.attempts), (StopReason::Permanent, 1), "{wrong}");
    }
}

#[test]
fn an_error_of_ones_own_asks_the_status_in_it() {
    struct ApiError(StatusError);
    impl Transient for ApiError {
        fn verdict(&self) -> Verdict {
            self.0.verdict()
        }
    }
    #[retry(stop = attempts(3), wait = fixed(100ms), sleep = |delay| log.sleep(delay))]
    fn call(log: &mut Log, answers: Answers<'_>) -> Result<&'static str, ApiError> {
        STATUSES.check(send(log, answers)).map(Response::into_body).map_err(ApiError)
    }
    let mut log = Log::new();
    assert!(call(&mut log, &[answer(429, &[("retry-after", "9")])]).is_ok());
    assert_eq!(log.sleeps, [secs(9)]);
}
