//! A tour of tenacity: stop, wait and retry as parts that combine, callbacks, statistics, and tests that
//! do not sleep.

mod helper;
mod waits;

use std::io::{self, ErrorKind};
use std::sync::{Arc, Mutex};

use retry::{Report, RetryError, StopReason, Verdict, record, record_sync, retry, retry_with};
use tokio::time::{Instant, sleep};

use crate::{ms, secs};

fn refused() -> io::Error {
    ErrorKind::ConnectionRefused.into()
}

/// Runs it without sleeping, with every jitter at its highest, and says what it did.
fn reported<T>(call: impl FnOnce() -> T) -> (T, Report) {
    let (outcome, mut reports) =
        record_sync(|| retry_with().virtual_time().draw(1.0).sync_scope(call));
    (outcome, reports.pop().unwrap())
}

fn delays(report: &Report) -> Vec<f64> {
    report.delays().map(|delay| delay.as_secs_f64()).collect()
}

#[test]
fn three_failures_wait_100_200_and_400_ms_and_the_fourth_attempt_succeeds() {
    #[retry(stop = attempts(5), wait = exponential(100ms).cap(2s), on = any_error())]
    fn fetch(calls: &mut u32) -> io::Result<&'static str> {
        *calls += 1;
        if *calls < 4 { Err(refused()) } else { Ok("data") }
    }
    let (outcome, report) = reported(|| fetch(&mut 0));
    assert_eq!(outcome.unwrap(), "data");
    assert_eq!(delays(&report), [0.1, 0.2, 0.4]);
    assert_eq!((report.attempts(), report.waited()), (4, ms(700)));
}

#[tokio::test(start_paused = true)]
async fn stops_by_number_and_by_time_and_by_whichever_comes_first() {
    #[retry(stop = attempts(3), wait = fixed(2s), on = any_error())]
    async fn three() -> io::Result<()> {
        Err(refused())
    }
    // `stop_after_delay`: it looks at the time between attempts only, and ends late.
    #[retry(stop = elapsed(5s), wait = fixed(2s), on = any_error())]
    async fn after_delay() -> io::Result<()> {
        Err(refused())
    }
    // `stop_before_delay`: what would start too late is not waited for.
    #[retry(stop = within(5s), wait = fixed(2s), on = any_error())]
    async fn before_delay() -> io::Result<()> {
        Err(refused())
    }
    #[retry(stop = attempts(10) | within(5s), wait = fixed(2s), on = any_error())]
    async fn either() -> io::Result<()> {
        Err(refused())
    }
    #[retry(stop = attempts(2) & elapsed(5s), wait = fixed(2s), on = any_error())]
    async fn both() -> io::Result<()> {
        Err(refused())
    }
    let mut ends = Vec::new();
    let ((), reports) = record(async {
        for number in 0..5 {
            let start = Instant::now();
            let _ = match number {
                0 => three().await,
                1 => after_delay().await,
                2 => before_delay().await,
                3 => either().await,
                _ => both().await,
            };
            ends.push(start.elapsed().as_secs());
        }
    })
    .await;
    let attempts: Vec<_> = reports.iter().map(Report::attempts).collect();
    assert_eq!((attempts, ends), (vec![3, 4, 3, 3, 4], vec![4, 6, 4, 4, 6]));
    assert_eq!(reports[3].reason(), StopReason::Time);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_hangs_for_a_minute_is_not_ended_by_a_stop_but_by_a_timeout() {
    #[retry(stop = attempts(2) | within(10s), wait = fixed(1s), on = any_error())]
    async fn unlimited() -> io::Result<()> {
        sleep(secs(60)).await;
        Err(refused())
    }
    let start = Instant::now();
    assert_eq!(unlimited().await.unwrap_err().kind(), ErrorKind::ConnectionRefused);
    assert_eq!(start.elapsed(), secs(60));

    #[retry(
        stop = attempts(2) | within(10s),
        wait = fixed(1s),
        on = any_error(),
        attempt_timeout = 3s,
        idempotent,
    )]
    async fn limited() -> io::Result<()> {
        sleep(secs(60)).await;
        Err(refused())
    }
    let start = Instant::now();
    assert_eq!(limited().await.unwrap_err().kind(), ErrorKind::TimedOut);
    assert_eq!(start.elapsed(), secs(3 + 1 + 3));
}

#[test]
fn retries_are_chosen_by_type_by_message_and_by_result() {
    #[derive(Debug)]
    enum Error {
        Io(io::Error),
        Api(&'static str),
    }
    type Answers<'a> = &'a mut Vec<Result<Option<u32>, Error>>;

    #[retry(stop = attempts(9), wait = none(), on = matches(Err(Error::Io(_)) | Ok(None)))]
    fn by_type_or_result(answers: Answers<'_>) -> Result<Option<u32>, Error> {
        answers.remove(0)
    }
    let io = || Err(Error::Io(refused()));
    let mut answers = vec![io(), Ok(None), io(), Ok(Some(7)), io()];
    assert_eq!(by_type_or_result(&mut answers).unwrap(), Some(7));
    let mut answers = vec![Ok(None), Err(Error::Api("no such order")), Ok(Some(7))];
    assert!(by_type_or_result(&mut answers).is_err());
    assert_eq!(answers.len(), 1);

    #[retry(
        stop = attempts(9),
        wait = none(),
        on = error(|it| matches!(it, Error::Api(text) if text.contains("try again")))
            | ok(Option::is_none),
    )]
    fn by_message(answers: Answers<'_>) -> Result<Option<u32>, Error> {
        answers.remove(0)
    }
    let mut answers = vec![Err(Error::Api("busy, try again")), Ok(None), io(), Ok(Some(7))];
    assert!(
        matches!(by_message(&mut answers), Err(Error::Io(it)) if it.kind() == ErrorKind::ConnectionRefused)
    );
    assert_eq!(answers.len(), 1);

    // Which gives up with the value itself, and not with an error about one.
    #[retry(stop = attempts(3), wait = none(), on = ok(|it: &Option<u32>| it.is_none()))]
    fn never_there(calls: &mut u32) -> Result<Option<u32>, Error> {
        *calls += 1;
        Ok(None)
    }
    let mut calls = 0;
    assert_eq!((never_there(&mut calls).unwrap(), calls), (None, 3));
}

#[test]
fn the_body_may_ask_to_try_again() {
    #[retry(stop = attempts(5), wait = none(), on = matches(Err(_)))]
    fn poll(states: &mut Vec<&'static str>) -> io::Result<&'static str> {
        let state = states.remove(0);
        if state == "pending" {
            if let Some(attempt) = retry::current() {
                attempt.overrule(Verdict::Retry);
            }
        }
        Ok(state)
    }
    assert_eq!(poll(&mut vec!["pending", "pending", "done"]).unwrap(), "done");
    // But not for ever: the stop holds.
    let mut states = vec!["pending"; 9];
    assert_eq!(poll(&mut states).unwrap(), "pending");
    assert_eq!(states.len(), 4);
}

#[test]
fn callbacks_are_told_what_happens_in_order() {
    let told = Mutex::new(Vec::new());
    let tell = |line: String| told.lock().unwrap().push(line);

    #[retry(
        stop = attempts(3),
        wait = fixed(2s),
        on = any_error(),
        before = |attempt| tell(format!("starting attempt {}", attempt.number())),
        after = |attempt, outcome| tell(format!("attempt {}: {outcome:?}", attempt.number())),
        before_sleep = |attempt, _| tell(format!("sleeping {:?}", attempt.next_delay().unwrap())),
        on_give_up = |report, _| tell(format!("gave up: {}", report.reason())),
    )]
    fn fetch(tell: impl Fn(String)) -> Result<(), &'static str> {
        Err("refused")
    }
    let (outcome, _) = reported(|| fetch(tell));
    assert_eq!(outcome, Err("refused"));
    assert_eq!(
        *told.lock().unwrap(),
        [
            "starting attempt 1",
            r#"attempt 1: Err("refused")"#,
            "sleeping 2s",
            "starting attempt 2",
            r#"attempt 2: Err("refused")"#,
            "sleeping 2s",
            "starting attempt 3",
            r#"attempt 3: Err("refused")"#,
            "gave up: attempts",
        ]
    );
}

#[test]
fn giving_up_gives_the_error_itself_or_one_that_knows_or_a_value_instead() {
    // What tenacity calls `reraise=True` is what there is without a word.
    #[retry(stop = attempts(3), wait = none(), on = any_error())]
    fn reraised() -> io::Result<u32> {
        Err(refused())
    }
    assert_eq!(reraised().unwrap_err().kind(), ErrorKind::ConnectionRefused);

    #[retry(stop = attempts(3), wait = none(), on = any_error())]
    fn wrapped() -> Result<u32, RetryError<io::Error>> {
        Err(refused())
    }
    let error = wrapped().unwrap_err();
    assert_eq!((error.attempts, error.reason), (3, StopReason::Attempts));
    assert_eq!(error.into_source().unwrap().kind(), ErrorKind::ConnectionRefused);

    #[retry(stop = attempts(3), wait = none(), on = any_error(), fallback = |_, _| Ok(0))]
    fn instead() -> io::Result<u32> {
        Err(refused())
    }
    assert_eq!(instead().unwrap(), 0);
}

/// One dictionary for all callers of a function says one number; here every call has its own.
#[tokio::test(start_paused = true)]
async fn statistics_are_those_of_the_call_and_not_of_whoever_else_is_in_it() {
    #[retry(stop = attempts(5), wait = fixed(100ms), on = any_error())]
    async fn fetch(good_at: u32, calls: &mut u32) -> Result<(), RetryError<io::Error>> {
        *calls += 1;
        sleep(ms(10)).await;
        if *calls == good_at { Ok(()) } else { Err(refused()) }
    }
    let call = async |good_at| {
        let (outcome, reports) = record(fetch(good_at, &mut 0)).await;
        outcome.unwrap();
        (reports[0].attempts(), reports[0].waited(), reports[0].elapsed())
    };
    let (a, b, c) = tokio::join!(call(3), call(1), call(2));
    assert_eq!(a, (3, ms(200), Some(ms(230))));
    assert_eq!(b, (1, ms(0), Some(ms(10))));
    assert_eq!(c, (2, ms(100), Some(ms(120))));
}

#[tokio::test(start_paused = true)]
async fn the_pauses_of_tasks_overlap() {
    #[retry(stop = attempts(3), wait = exponential(1s), on = any_error())]
    async fn fetch(calls: Arc<Mutex<u32>>) -> io::Result<()> {
        *calls.lock().unwrap() += 1;
        Err(refused())
    }
    let (start, calls) = (Instant::now(), Arc::new(Mutex::new(0)));
    let tasks = [0; 3].map(|_| tokio::spawn(fetch(Arc::clone(&calls))));
    for task in tasks {
        task.await.unwrap().unwrap_err();
    }
    assert_eq!((start.elapsed(), *calls.lock().unwrap()), (secs(3), 9));
}

#[test]
fn a_schedule_of_15_seconds_is_tested_without_sleeping() {
    #[retry(stop = attempts(5), wait = exponential(1s), on = any_error())]
    fn fetch(calls: &mut u32) -> io::Result<()> {
        *calls += 1;
        Err(refused())
    }
    let start = std::time::Instant::now();
    let mut calls = 0;
    let (outcome, report) = reported(|| fetch(&mut calls));
    outcome.unwrap_err();
    assert_eq!((calls, report.waited()), (5, secs(1 + 2 + 4 + 8)));
    // `retry_with(wait=wait_none())`, and a stop of the test's own.
    let mut calls = 0;
    let quick = retry_with().wait(retry::wait::none()).stop(retry::stop::attempts(2));
    quick.sync_scope(|| fetch(&mut calls)).unwrap_err();
    assert_eq!(calls, 2);
    // `enabled=False`: the plain function.
    let mut calls = 0;
    retry_with().enabled(false).sync_scope(|| fetch(&mut calls)).unwrap_err();
    assert_eq!(calls, 1);
    assert!(start.elapsed() < secs(15));
}

#[test]
fn layers_multiply_unless_one_of_them_leaves_it_to_the_other() {
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn get(calls: &mut u32) -> io::Result<()> {
        *calls += 1;
        Err(refused())
    }
    #[retry(stop = attempts(3), wait = none(), on = any_error())]
    fn import(calls: &mut u32) -> io::Result<()> {
        get(calls)
    }
    let mut calls = 0;
    import(&mut calls).unwrap_err();
    assert_eq!(calls, 5 * 3);

    #[retry(stop = attempts(5), wait = none(), on = any_error(), nested = once)]
    fn get_once(calls: &mut u32) -> io::Result<()> {
        *calls += 1;
        Err(refused())
    }
    #[retry(stop = attempts(3), wait = none(), on = any_error())]
    fn owner(calls: &mut u32) -> io::Result<()> {
        get_once(calls)
    }
    let mut calls = 0;
    owner(&mut calls).unwrap_err();
    assert_eq!(calls, 3);
    let mut calls = 0;
    get_once(&mut calls).unwrap_err();
    assert_eq!(calls, 5);
}
