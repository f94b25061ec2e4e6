use super::*;

#[test]
fn without_on_the_error_itself_knows() {
    let policy = policy! { stop = attempts(3), wait = none() };
    assert_eq!(calls(&policy, ApiError::Busy), 3);
    assert_eq!(calls(&policy, ApiError::NotFound), 1);
}

#[test]
fn conditions_are_joined_and_turned_around() {
    let policy = policy! {
        stop = attempts(3),
        wait = none(),
        on = ApiError::is_busy | (|error: &ApiError| matches!(error, ApiError::Status(500..)))
            & !matches_501,
    };
    fn matches_501(error: &ApiError) -> bool {
        *error == ApiError::Status(501)
    }
    assert_eq!(calls(&policy, ApiError::Busy), 3);
    assert_eq!(calls(&policy, ApiError::Status(503)), 3);
    assert_eq!(calls(&policy, ApiError::Status(501)), 1);
    assert_eq!(calls(&policy, ApiError::NotFound), 1);
}

#[test]
fn patterns_of_errors_serve_functions_with_any_type_of_success() {
    let policy: BoxedPolicy<ApiError> = policy! {
        stop = attempts(3),
        wait = none(),
        on = matches(Err(ApiError::Busy) | Err(ApiError::Status(500..))),
    }
    .boxed();
    assert_eq!(calls(&policy, ApiError::Busy), 3);
    assert_eq!(policy.call(|| Ok::<u8, ApiError>(1)), Ok(1));
}

#[test]
fn a_pattern_of_a_success_or_of_both_sides_judges_those() {
    let pending = policy! { stop = attempts(3), wait = none(), on = matches(Ok(0)) };
    let mut asked = 0;
    let outcome: Result<u8, ApiError> = pending.call(|| {
        asked += 1;
        Ok(asked - 1)
    });
    assert_eq!((outcome, asked), (Ok(1), 2));

    let either = policy! {
        stop = attempts(3),
        wait = none(),
        on = matches(Ok(0) | Err(ApiError::Busy)),
    };
    let mut answers = [Ok(0), Err(ApiError::Busy), Ok(7)].into_iter();
    assert_eq!(either.call(|| answers.next().unwrap()), Ok(7));
}

#[test]
fn values_and_whole_outcomes_are_judged() {
    let policy = policy! {
        stop = attempts(3),
        wait = none(),
        on = ok(|ready: &bool| !ready) | output(|it: &Result<bool, ApiError>| it.is_err()),
    };
    let mut answers = [Ok(false), Err(ApiError::NotFound), Ok(true)].into_iter();
    assert_eq!(policy.call(|| answers.next().unwrap()), Ok(true));
}

#[test]
fn an_error_is_told_by_its_type_or_by_that_of_its_cause() {
    let boxed = policy! { stop = attempts(3), wait = none(), on = is::<io::Error>() };
    let mut calls = 0;
    let mut fail = |error: fn() -> Box<dyn Error + Send + Sync>| {
        calls = 0;
        let outcome: Result<(), _> = boxed.call(|| {
            calls += 1;
            Err(error())
        });
        assert!(outcome.is_err());
        calls
    };
    assert_eq!(fail(|| io::Error::from(io::ErrorKind::TimedOut).into()), 3);
    assert_eq!(fail(|| "other".into()), 1);

    let caused = policy! { stop = attempts(3), wait = none(), on = source_is::<ApiError>() };
    let mut calls = 0;
    let outcome: io::Result<()> = caused.call(|| {
        calls += 1;
        Err(io::Error::other(ApiError::Busy))
    });
    assert!(outcome.is_err());
    assert_eq!(calls, 3);
}

fn flaky() -> impl Fn(&ApiError) -> bool + Clone {
    ApiError::is_busy
}

struct Statuses(&'static [u16]);

impl On<Result<(), ApiError>> for Statuses {
    fn verdict(&self, outcome: &Result<(), ApiError>) -> Verdict {
        matches!(outcome, Err(ApiError::Status(status)) if self.0.contains(status)).into()
    }
}

fn statuses() -> Statuses {
    Statuses(&[502, 503])
}

#[test]
fn calls_of_ones_own_give_conditions_and_functions() {
    let policy = policy! { stop = attempts(3), wait = none(), on = flaky() | statuses() };
    assert_eq!(calls(&policy, ApiError::Busy), 3);
    assert_eq!(calls(&policy, ApiError::Status(502)), 3);
    assert_eq!(calls(&policy, ApiError::Status(404)), 1);
}

#[test]
fn an_ambiguous_failure_is_repeated_only_if_that_is_harmless() {
    const fn ambiguous(_: &ApiError) -> Verdict {
        Verdict::Ambiguous
    }
    let careful = policy! { stop = attempts(3), wait = none(), on = ambiguous };
    assert_eq!(calls(&careful, ApiError::Busy), 1);
    let harmless = policy! { stop = attempts(3), wait = none(), on = ambiguous, idempotent };
    assert_eq!(calls(&harmless, ApiError::Busy), 3);
    let get = false;
    let depends = policy! { stop = attempts(3), wait = none(), on = ambiguous, idempotent = get };
    assert_eq!(calls(&depends, ApiError::Busy), 1);
}

#[test]
fn a_hint_is_limited_by_max_hint() {
    fn ask(_: &ApiError) -> Verdict {
        Verdict::Retry.retry_after(Duration::from_secs(30))
    }
    let failed = Err::<(), _>(ApiError::Busy);
    let gives_up = policy! { stop = attempts(3), wait = none(), on = ask, max_hint = 10s };
    assert_eq!(gives_up.schedule().failed(&failed), Step::Stop(StopReason::HintTooLong));
    let clamps = policy! { stop = attempts(3), wait = none(), on = ask, max_hint = clamp(10s) };
    assert_eq!(clamps.schedule().failed(&failed), Step::Wait(ms(10_000)));
    let grants = policy! { stop = attempts(3), wait = none(), on = ask };
    assert_eq!(grants.schedule().failed(&failed), Step::Wait(ms(30_000)));
    // A call keeps to it as a schedule does.
    let waited = |call: &dyn Fn() -> Result<(), ApiError>| {
        let (outcome, reports) = record_sync(|| retry_with().virtual_time().sync_scope(call));
        assert_eq!(outcome, failed);
        (reports[0].reason(), reports[0].waited())
    };
    let (too_long, attempts) = (StopReason::HintTooLong, StopReason::Attempts);
    assert_eq!(waited(&|| gives_up.call(|| failed)), (too_long, ms(0)));
    assert_eq!(waited(&|| clamps.call(|| failed)), (attempts, ms(20_000)));
    assert_eq!(waited(&|| grants.call(|| failed)), (attempts, ms(60_000)));
}

#[test]
fn a_stop_of_ones_own_may_be_endless_on_purpose() {
    let tired = Cell::new(0);
    let policy = policy! {
        forever,
        stop = |_| tired.replace(tired.get() + 1) == 40,
        wait = none(),
        on = any_error(),
    };
    assert_eq!(calls(&policy, "no"), 41);
}

mod renamed {
    pub use ::retry as again;
}

#[test]
fn the_facade_may_be_found_elsewhere() {
    let policy = renamed::again::policy! {
        stop = attempts(2),
        wait = exponential(1ms).cap(1ms).full_jitter() + fixed(0ms).max(|_| ms(0)),
        on = any_error() & !is::<fmt::Error>(),
        crate = crate::keys::renamed::again,
    };
    assert_eq!(calls(&policy, fmt::Error), 1);
    assert_eq!(calls(&policy, ApiError::Busy), 2);
}
