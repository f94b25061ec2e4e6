//! `on`: the whole algebra.

use std::error::Error;
use std::fmt;

use retry::{On, Transient, Verdict, retry};

/// What the other side answers, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Api {
    Busy,
    Slow,
    Missing,
    Status(u16),
}

impl fmt::Display for Api {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl Error for Api {}

impl Api {
    fn is_busy(&self) -> bool {
        *self == Self::Busy
    }

    const fn verdict_of(self) -> Verdict {
        match self {
            Self::Busy => Verdict::Retry,
            Self::Slow => Verdict::Ambiguous,
            Self::Missing | Self::Status(_) => Verdict::Final,
        }
    }
}

impl Transient for Api {
    fn verdict(&self) -> Verdict {
        self.verdict_of()
    }
}

fn is_busy(error: &Api) -> bool {
    error.is_busy()
}

fn by_value(error: Api) -> bool {
    error.is_busy()
}

fn dynamic(error: &dyn Error) -> bool {
    error.to_string() == "Busy"
}

fn dynamic_sized(error: &(dyn Error + 'static)) -> bool {
    error.downcast_ref::<Api>().is_some_and(Api::is_busy)
}

fn generic<E: Error>(error: &E) -> bool {
    error.to_string() == "Busy"
}

fn verdict(error: &Api) -> Verdict {
    error.verdict_of()
}

fn statuses(list: &'static [u16]) -> impl Fn(&Api) -> bool {
    move |error| matches!(error, Api::Status(status) if list.contains(status))
}

/// A condition with a setting, which looks at successes too.
struct Below(u32);

impl<E> On<Result<u32, E>> for Below {
    fn verdict(&self, outcome: &Result<u32, E>) -> Verdict {
        outcome.as_ref().is_ok_and(|n| *n < self.0).into()
    }
}

const fn below(n: u32) -> Below {
    Below(n)
}

mod mine {
    pub(super) use super::below;
    pub(super) fn any_error() -> impl Fn(&super::Api) -> bool {
        |_| false
    }
}

/// Plays the script under the condition; how many attempts does it take, and to what end?
macro_rules! plays {
    ($script:expr, $($on:tt)*) => {{
        let script: &[Result<u32, Api>] = &$script;
        let mut asked = 0;
        let outcome: Result<u32, Api> = retry::block!(
            stop = attempts(9),
            wait = none(),
            on = $($on)*,
            || -> Result<u32, Api> {
                let answer = script.get(asked).copied().unwrap_or(Ok(99));
                asked += 1;
                answer
            }
        );
        (asked, outcome)
    }};
}

use Api::{Busy, Missing, Slow, Status};

#[test]
fn a_function_of_the_error_decides() {
    let script = [Err(Busy), Err(Busy), Err(Missing)];
    let expected = (3, Err(Missing));
    assert_eq!(plays!(script, Api::is_busy), expected);
    assert_eq!(plays!(script, is_busy), expected);
    assert_eq!(plays!(script, self::is_busy), expected);
    assert_eq!(plays!(script, |error| error.is_busy()), expected);
    assert_eq!(plays!(script, |error: &Api| error.is_busy()), expected);
    assert_eq!(plays!(script, |&error| by_value(error)), expected);
    assert_eq!(plays!(script, error(Api::is_busy)), expected);
    assert_eq!(plays!(script, error(|error| *error == Busy)), expected);
    assert_eq!(plays!(script, <Api>::is_busy), expected);
    assert_eq!(plays!(script, dynamic), expected);
    assert_eq!(plays!(script, dynamic_sized), expected);
    assert_eq!(plays!(script, generic), expected);
    assert_eq!(plays!(script, generic::<Api>), expected);
    assert_eq!(plays!(script, verdict), expected);
    assert_eq!(plays!(script, |error| verdict(error)), expected);
    let local = |error: &Api| error.is_busy();
    assert_eq!(plays!(script, local), expected);
    assert_eq!(plays!(script, error(local)), expected);
}

#[test]
fn values_and_whole_outcomes_are_judged_too() {
    let script = [Ok(1), Ok(2), Err(Busy), Ok(7)];
    assert_eq!(plays!(script, ok(|n| *n < 2)), (2, Ok(2)));
    assert_eq!(plays!(script, ok(|n| *n < 3)), (3, Err(Busy)));
    assert_eq!(plays!(script, ok(|n| *n < 3) | Api::is_busy), (4, Ok(7)));
    assert_eq!(plays!(script, output(Result::is_ok)), (3, Err(Busy)));
    assert_eq!(plays!(script, output(|it| *it != Ok(7))), (4, Ok(7)));
    assert_eq!(
        plays!(script, output(|it| if it.is_ok() { Verdict::Retry } else { Verdict::Final })),
        (3, Err(Busy))
    );
    assert_eq!(plays!(script, matches(Ok(..=2))), (3, Err(Busy)));
    assert_eq!(plays!(script, matches(Ok(n) if *n < 2)), (2, Ok(2)));
    assert_eq!(plays!(script, matches(Ok(1 | 2) | Err(Busy))), (4, Ok(7)));
    assert_eq!(plays!(script, matches(|Ok(0..7)| Err(Api::Busy | Api::Slow))), (4, Ok(7)));
}

#[test]
fn any_error_and_types_of_errors_are_conditions() {
    let script = [Err(Busy), Err(Missing), Ok(1)];
    assert_eq!(plays!(script, any_error()), (3, Ok(1)));
    assert_eq!(plays!(script, is::<Api>()), (3, Ok(1)));
    #[allow(deprecated)] // which tells that it never is one
    {
        assert_eq!(plays!(script, is::<std::io::Error>()), (1, Err(Busy)));
    }
    assert_eq!(plays!(script, source_is::<Api>()), (1, Err(Busy)));
    assert_eq!(plays!(script, transient()), (2, Err(Missing)));
}

#[test]
fn conditions_are_joined_and_turned_around() {
    let script = [Err(Busy), Err(Status(503)), Err(Status(404)), Err(Missing)];
    assert_eq!(plays!(script, Api::is_busy | statuses(&[503])), (3, Err(Status(404))));
    assert_eq!(plays!(script, statuses(&[503, 404]) | Api::is_busy), (4, Err(Missing)));
    assert_eq!(plays!(script, any_error() & !statuses(&[404])), (3, Err(Status(404))));
    assert_eq!(plays!(script, !matches_missing), (4, Err(Missing)));
    assert_eq!(plays!(script, !(matches_missing | statuses(&[404]))), (3, Err(Status(404))));
    assert_eq!(plays!(script, !!is_busy), (2, Err(Status(503))));
    // `&` binds more strongly than `|`.
    assert_eq!(plays!(script, is_busy | any_error() & statuses(&[503])), (3, Err(Status(404))));
    assert_eq!(plays!(script, (is_busy | any_error()) & statuses(&[503])), (1, Err(Busy)));
    assert_eq!(plays!(script, (|error| error.is_busy()) | statuses(&[503])), (3, Err(Status(404))));
    assert_eq!(plays!(script, statuses(&[503]) | |error| error.is_busy()), (3, Err(Status(404))));
    assert_eq!(plays!(script, is::<Api>() & |error| *error != Missing), (4, Err(Missing)));
    assert_eq!(
        plays!(script, is::<Api>() & matches(Err(Busy | Status(500..)))),
        (3, Err(Status(404)))
    );
}

fn matches_missing(error: &Api) -> bool {
    *error == Missing
}

#[test]
fn a_success_stays_final_under_a_negation() {
    assert_eq!(plays!([Err(Busy), Ok(1)], !matches_missing), (2, Ok(1)));
}

#[test]
fn a_condition_of_the_users_own_is_a_call() {
    let script = [Ok(1), Err(Busy), Ok(2), Ok(9)];
    assert_eq!(plays!(script, below(5)), (2, Err(Busy)));
    assert_eq!(plays!(script, mine::below(5) | any_error()), (4, Ok(9)));
    assert_eq!(plays!(script, any_error() | self::below(5)), (4, Ok(9)));
    assert_eq!(plays!(script, below(2) | Api::is_busy), (3, Ok(2)));
    // Not the library's of the same name.
    assert_eq!(plays!(script, below(5) | mine::any_error()), (2, Err(Busy)));
    let boxed = || -> Box<dyn On<Result<u32, Api>>> { Box::new(below(5)) };
    assert_eq!(plays!(script, boxed()), (2, Err(Busy)));
}

#[test]
fn a_condition_grants_as_many_retries_as_it_is_told() {
    let busy = [Err(Busy); 9];
    assert_eq!(plays!(busy, any_error().at_most(2)), (3, Err(Busy)));
    assert_eq!(plays!(busy, is_busy.at_most(2)), (3, Err(Busy)));
    assert_eq!(plays!(busy, (is_busy | any_error()).at_most(2)), (3, Err(Busy)));
    assert_eq!(plays!(busy, error(|_| true).at_most(1 + 1)), (3, Err(Busy)));
    assert_eq!(plays!(busy, matches(Err(Busy)).at_most(2)), (3, Err(Busy)));
    assert_eq!(plays!(busy, statuses(&[]).at_most(2)), (1, Err(Busy)));
    let script = [Err(Busy), Err(Missing), Err(Busy), Err(Missing), Err(Busy)];
    // Each counts its own.
    assert_eq!(plays!(script, is_busy.at_most(2) | matches_missing.at_most(5)), (5, Err(Busy)));
    assert_eq!(plays!(script, matches_missing.at_most(1) | is_busy), (4, Err(Missing)));
    // The lower of two holds.
    assert_eq!(plays!(busy, any_error().at_most(5).at_most(2)), (3, Err(Busy)));
    assert_eq!(plays!(busy, (is_busy.at_most(2) | matches_missing).at_most(5)), (3, Err(Busy)));
}

#[test]
fn an_ambiguous_failure_is_retried_only_where_repeating_is_harmless() {
    let script = [Err(Busy), Err(Slow), Ok(1)];
    assert_eq!(plays!(script, transient()), (2, Err(Slow)));
    assert_eq!(plays!(script, verdict), (2, Err(Slow)));
    assert_eq!(plays!(script, transient(), idempotent), (3, Ok(1)));
    assert_eq!(plays!(script, verdict, idempotent = true), (3, Ok(1)));
    assert_eq!(plays!(script, verdict, idempotent = 1 > 2), (2, Err(Slow)));
    assert_eq!(plays!(script, transient() | is::<Api>()), (2, Err(Slow)));
    assert_eq!(plays!(script, !!transient()), (3, Ok(1)));
}

#[test]
fn a_retry_without_a_wait_does_not_advance_the_backoff() {
    let mut slept = vec![];
    let mut asked = 0;
    let outcome: Result<(), Api> = retry::block!(
        stop = attempts(5),
        wait = exponential(1ms),
        on = |error| if error.is_busy() { Verdict::Retry.now() } else { Verdict::Retry },
        sleep = |pause: std::time::Duration| slept.push(pause.as_millis()),
        || {
            asked += 1;
            Err(if asked == 2 { Busy } else { Missing })
        }
    );
    assert_eq!(outcome, Err(Missing));
    assert_eq!(slept, [1, 2, 4]);
}

struct Client {
    permanent: Vec<Api>,
    judge: fn(&Api) -> bool,
    judges: [Box<dyn Fn(&Api) -> bool + Send + Sync>; 1],
}

impl Client {
    fn is_permanent(&self, error: &Api) -> bool {
        self.permanent.contains(error)
    }

    #[retry(stop = attempts(9), wait = none(), on = |error| !self.is_permanent(error))]
    async fn closure(&self, asked: &mut u32) -> Result<u32, Api> {
        answer(asked)
    }

    #[retry(stop = attempts(9), wait = none(), on = error(self.judge))]
    fn field(&self, asked: &mut u32) -> Result<u32, Api> {
        answer(asked)
    }

    #[retry(stop = attempts(9), wait = none(), on = error(self.judges[0]) & error(&*self.judges[0]))]
    fn indexed(&self, asked: &mut u32) -> Result<u32, Api> {
        answer(asked)
    }

    #[retry(stop = attempts(9), wait = none(), on = Self::of_type | error(self.method()))]
    async fn of_self(&mut self, asked: &mut u32) -> Result<u32, Api> {
        self.permanent.clear();
        answer(asked)
    }

    fn of_type(error: &Api) -> bool {
        error.is_busy()
    }

    fn method(&self) -> impl Fn(&Api) -> bool + '_ {
        |_| !self.permanent.is_empty()
    }

    #[retry(stop = attempts(9), wait = none(), on = matches(Err(error) if !self.is_permanent(error)))]
    fn guard(&self, asked: &mut u32) -> Result<u32, Api> {
        answer(asked)
    }
}

/// Busy twice, then missing.
fn answer(asked: &mut u32) -> Result<u32, Api> {
    *asked += 1;
    Err(if *asked < 3 { Busy } else { Missing })
}

#[tokio::test]
async fn conditions_may_use_self_and_its_fields() {
    let mut client = Client {
        permanent: vec![Missing],
        judge: Api::is_busy,
        judges: [Box::new(|error| error.is_busy())],
    };
    let mut asked = 0;
    assert_eq!(client.closure(&mut asked).await, Err(Missing));
    assert_eq!(std::mem::take(&mut asked), 3);
    assert_eq!(client.field(&mut asked), Err(Missing));
    assert_eq!(std::mem::take(&mut asked), 3);
    assert_eq!(client.indexed(&mut asked), Err(Missing));
    assert_eq!(std::mem::take(&mut asked), 3);
    assert_eq!(client.guard(&mut asked), Err(Missing));
    assert_eq!(std::mem::take(&mut asked), 3);
    assert_eq!(client.of_self(&mut asked).await, Err(Missing));
    assert_eq!(asked, 3);
}

#[retry(stop = attempts(5), wait = none())]
fn without_on(asked: &mut u32) -> Result<u32, Api> {
    answer(asked)
}

#[retry(stop = attempts(5), wait = none())]
async fn without_on_boxed(asked: &mut u32) -> Result<u32, Box<Api>> {
    Ok(answer(asked)?)
}

#[retry(stop = attempts(5), wait = none())]
async fn without_on_generic<E: Transient + From<Api>>(asked: &mut u32) -> Result<u32, E> {
    answer(asked).map_err(E::from)
}

#[tokio::test]
async fn an_error_that_knows_itself_needs_no_condition() {
    let mut asked = 0;
    assert_eq!(without_on(&mut asked), Err(Missing));
    assert_eq!(std::mem::take(&mut asked), 3);
    assert_eq!(without_on_boxed(&mut asked).await, Err(Box::new(Missing)));
    assert_eq!(std::mem::take(&mut asked), 3);
    assert_eq!(without_on_generic::<Api>(&mut asked).await, Err(Missing));
    assert_eq!(asked, 3);
}

/// Neither `Debug` nor `Display` nor `Error`.
struct Mute(u32);

#[retry(stop = attempts(5), wait = none(), on = |error| error.0 < 3)]
fn mute(asked: &mut u32) -> Result<Mute, Mute> {
    *asked += 1;
    Err(Mute(*asked))
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
async fn generic_error<T, E>(answer: impl Fn() -> Result<T, E>) -> Result<T, E> {
    answer()
}

#[tokio::test]
async fn an_error_needs_no_trait_at_all() {
    assert!(mute(&mut 0).is_err_and(|error| error.0 == 3));
    assert!(generic_error(|| Err::<Mute, _>(Mute(1))).await.is_err());
}

#[retry(stop = attempts(5), wait = none(), on = any_error())]
fn borrowed_error<'a>(text: &'a str, asked: &mut u32) -> Result<u32, &'a str> {
    *asked += 1;
    if *asked < 3 { Err(text) } else { Ok(*asked) }
}

#[retry(stop = attempts(5), wait = none(), on = |error| error.starts_with('t'))]
async fn borrowed_error_async<'a>(text: &'a str, asked: &mut u32) -> Result<u32, &'a str> {
    *asked += 1;
    if *asked < 3 { Err(text) } else { Ok(*asked) }
}

#[tokio::test]
async fn an_error_may_borrow() {
    assert_eq!(borrowed_error(&"text".to_owned(), &mut 0), Ok(3));
    assert_eq!(borrowed_error_async(&"text".to_owned(), &mut 0).await, Ok(3));
    assert_eq!(borrowed_error_async(&"other".to_owned(), &mut 0).await, Err("other"));
}

#[test]
fn all_but_a_pattern_of_errors_is_a_condition_of_errors() {
    let all_but_missing = (3, Err(Missing));
    let script = [Err(Busy), Err(Slow), Err(Missing), Ok(1)];
    assert_eq!(plays!(script, !matches(Err(Missing))), all_but_missing);
    assert_eq!(plays!(script, !matches(Result::Err(Missing))), all_but_missing);
    assert_eq!(plays!(script, !matches(Err(Missing) | Result::Err(Status(404)))), all_but_missing);
    assert_eq!(plays!(script, !matches(Err(Missing | Status(404)))), all_but_missing);
    assert_eq!(plays!(script, !matches(Err(error) if *error == Missing)), all_but_missing);
    assert_eq!(plays!(script, !(matches(Err(Missing)) | matches(Err(Status(_))))), all_but_missing);
    assert_eq!(plays!(script, any_error() & !matches(Err(Missing))), all_but_missing);
    assert_eq!(plays!(script, (!matches(Err(Missing))).at_most(1)), (2, Err(Slow)));
    assert_eq!(plays!(script, !!matches(Err(Busy))), (2, Err(Slow)));
    assert_eq!(plays!(script, !matches(Err(..))), (1, Err(Busy)));
    assert_eq!(plays!([Ok(1), Ok(2)], !matches(Err(Missing))), (1, Ok(1)));

    let policy = retry::policy! {
        stop = attempts(9),
        wait = none(),
        on = !matches(Err(Missing) | Err(Status(_))),
    };
    let mut asked = 0;
    let outcome = policy.call(|| {
        asked += 1;
        script[asked - 1]
    });
    assert_eq!((asked, outcome), all_but_missing);
}

#[test]
fn what_a_closure_is_given_may_be_called_like_a_condition() {
    #[retry(
        stop = attempts(3),
        wait = none(),
        on = |error: &[u16; 2]| match error {
            [0, error] if { *error == 404 } => false,
            error => error[0] == 503,
        },
    )]
    fn call(error: [u16; 2], calls: &mut u32) -> Result<(), [u16; 2]> {
        *calls += 1;
        Err(error)
    }
    #[retry(stop = attempts(3), wait = none(), on = |error| error[0] == 503)]
    fn by_index(error: [u16; 2], calls: &mut u32) -> Result<(), [u16; 2]> {
        *calls += 1;
        Err(error)
    }
    for (error, made) in [([503, 0], 3), ([0, 404], 1), ([500, 0], 1)] {
        for call in [call, by_index] {
            let mut calls = 0;
            assert_eq!((call(error, &mut calls), calls), (Err(error), made));
        }
    }
}
