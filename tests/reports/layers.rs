//! Outcomes with layers: a stream's next item, a call with a timeout around it, a task.
//!
//! An error in any layer is a failure in reports, reasons, counters and hooks; the end of a stream
//! is none. What is worth another attempt is judged by the outer layer, or by a pattern of the whole.

use std::cell::RefCell;
use std::time::Duration;

use retry::{
    Mark, Policy, Report, RetryError, StopReason, Verdict, on, policy, record, record_sync, retry,
    stop, wait,
};
use tokio::time::error::Elapsed;
use tokio::time::timeout;

use crate::support::{paused, site};

type Item = Option<Result<u32, String>>;

/// The reason for which the only call ended, and its number of attempts.
fn ending(reports: &[Report]) -> (StopReason, u32) {
    assert_eq!(reports.len(), 1);
    (reports[0].reason(), reports[0].attempts())
}

#[allow(clippy::unnecessary_wraps)] // an item of a stream
fn lost() -> Item {
    Some(Err("lost".to_owned()))
}

/// What a stream gives in turn.
type Stream<'a> = &'a RefCell<Vec<Item>>;

fn stream<const N: usize>(items: [Item; N]) -> RefCell<Vec<Item>> {
    RefCell::new(items.into_iter().rev().collect())
}

#[retry(name = "layers::next", stop = attempts(3), wait = none(), on = matches(Some(Err(_))))]
fn next(stream: Stream) -> Item {
    stream.borrow_mut().pop().flatten()
}

#[retry(stop = attempts(3), wait = none(), on = matches(Some(Err(_))))]
async fn next_async(stream: Stream<'_>) -> Item {
    stream.borrow_mut().pop().flatten()
}

#[test]
fn a_stream_that_ends_has_not_given_up() {
    for items in [vec![None], vec![Some(Ok(1))]] {
        let streams = [RefCell::new(items.clone()), RefCell::new(items.clone())];
        let (_, reports) = record_sync(|| next(&streams[0]));
        assert_eq!(ending(&reports), (StopReason::Success, 1), "{items:?}");
        assert!(reports[0].is_success());
        let (_, reports) = paused(record(next_async(&streams[1])));
        assert_eq!(ending(&reports), (StopReason::Success, 1), "{items:?}");
    }
    let (outcome, reports) = record_sync(|| next(&stream([lost(), None])));
    assert_eq!((outcome, ending(&reports)), (None, (StopReason::Success, 2)));
}

#[test]
fn an_item_that_is_an_error_to_the_end_has_not_succeeded() {
    let (outcome, reports) = record_sync(|| next(&stream([lost(), lost(), lost()])));
    assert_eq!((outcome, ending(&reports)), (lost(), (StopReason::Attempts, 3)));
    assert!(!reports[0].is_success());
    let (_, reports) = paused(record(next_async(&stream([lost(), lost(), lost()]))));
    assert_eq!(ending(&reports), (StopReason::Attempts, 3));
}

#[retry(stop = attempts(3), wait = none(), on = matches(Some(Err(error)) if error == "lost"))]
fn next_but_not_after_a_gap(stream: Stream) -> Item {
    stream.borrow_mut().pop().flatten()
}

#[test]
fn an_item_that_is_a_final_error_is_permanent_and_not_a_recovery() {
    let gap = || Some(Err("gap".to_owned()));
    let (_, reports) = record_sync(|| next_but_not_after_a_gap(&stream([lost(), gap()])));
    assert_eq!(ending(&reports), (StopReason::Permanent, 2));
    let (_, reports) = record_sync(|| next_but_not_after_a_gap(&stream([gap()])));
    assert_eq!(ending(&reports), (StopReason::Permanent, 1));
}

#[test]
fn streams_are_counted_by_what_their_items_are() {
    #[retry(name = "layers::counted", stop = attempts(2), wait = none(), on = matches(Some(Err(_))))]
    fn next(stream: Stream) -> Item {
        stream.borrow_mut().pop().flatten()
    }
    let _ = next(&stream([None]));
    let _ = next(&stream([Some(Ok(1))]));
    let _ = next(&stream([lost(), None]));
    let _ = next(&stream([lost(), lost()]));
    let stats = site("layers::counted");
    assert_eq!((stats.first_try(), stats.recovered(), stats.given_up()), (2, 1, 1));
}

#[test]
fn hooks_and_fallback_are_told_by_the_same_rule() {
    let seen = RefCell::new(Vec::new());
    #[retry(
        stop = attempts(2),
        wait = none(),
        on = matches(Some(Err(_))),
        on_success = |report, item| seen.borrow_mut().push((report.reason(), item.clone())),
        on_give_up = |report, item| seen.borrow_mut().push((report.reason(), item.clone())),
        fallback = |_, _| Some(Ok(0)),
    )]
    fn next(stream: Stream, seen: &RefCell<Vec<(StopReason, Item)>>) -> Item {
        stream.borrow_mut().pop().flatten()
    }
    assert_eq!(next(&stream([None]), &seen), None);
    assert_eq!(next(&stream([lost(), lost()]), &seen), Some(Ok(0)));
    assert_eq!(seen.take(), [(StopReason::Success, None), (StopReason::Attempts, lost())]);
}

#[retry(stop = attempts(3), wait = none(), on = any_error())]
async fn in_time(
    answers: &RefCell<Vec<Result<u32, String>>>,
) -> Result<Result<u32, String>, Elapsed> {
    timeout(Duration::from_secs(5), async {
        let answer = answers.borrow_mut().pop();
        match answer {
            Some(answer) => answer,
            None => std::future::pending().await,
        }
    })
    .await
}

#[test]
fn an_error_within_the_time_is_permanent_where_only_timeouts_are_retried() {
    let answers = RefCell::new(vec![Err("no such order".to_owned())]);
    let (outcome, reports) = paused(record(in_time(&answers)));
    assert_eq!(outcome.unwrap(), Err("no such order".to_owned()));
    assert_eq!(ending(&reports), (StopReason::Permanent, 1));
    let (outcome, reports) = paused(record(in_time(&RefCell::default())));
    assert!(outcome.is_err());
    assert_eq!(ending(&reports), (StopReason::Attempts, 3));
    let (outcome, reports) = paused(record(in_time(&RefCell::new(vec![Ok(7)]))));
    assert_eq!(outcome.unwrap(), Ok(7));
    assert_eq!(ending(&reports), (StopReason::Success, 1));
}

#[test]
fn a_task_in_a_timeout_has_three_layers() {
    type Layers = Result<Result<Result<u32, String>, tokio::task::JoinError>, Elapsed>;
    #[retry(stop = attempts(2), wait = none(), on = matches(Ok(Ok(Err(error))) if error == "busy"))]
    async fn work(answer: &'static str) -> Layers {
        let task = tokio::spawn(async move { Err(answer.to_owned()) });
        timeout(Duration::from_secs(5), task).await
    }
    let (_, reports) = paused(record(work("busy")));
    assert_eq!(ending(&reports), (StopReason::Attempts, 2));
    let (_, reports) = paused(record(work("gone")));
    assert_eq!(ending(&reports), (StopReason::Permanent, 1));
}

#[test]
fn a_block_goes_by_the_same_rule() {
    let next = |stream: Stream| {
        retry::block!(stop = attempts(2), wait = none(), on = matches(Some(Err(_))), || -> Item {
            stream.borrow_mut().pop().flatten()
        })
    };
    let (_, reports) = record_sync(|| next(&stream([None])));
    assert_eq!(ending(&reports), (StopReason::Success, 1));
    let (_, reports) = record_sync(|| next(&stream([lost(), lost()])));
    assert_eq!(ending(&reports), (StopReason::Attempts, 2));
    let ((), reports) = paused(record(async {
        let answer = retry::block!(stop = attempts(2), wait = none(), on = any_error(), async {
            timeout(Duration::from_secs(1), async { Err::<(), _>("refused") }).await
        },);
        assert_eq!(answer.unwrap(), Err("refused"));
    }));
    assert_eq!(ending(&reports), (StopReason::Permanent, 1));
}

#[test]
fn a_function_that_takes_its_policy_goes_by_the_same_rule() {
    let lost = || policy! { stop = attempts(2), wait = none(), on = matches(Some(Err(_))) };
    #[retry(policy = lost)]
    fn next<O: retry::On<Item>>(
        stream: Stream,
        lost: &Policy<stop::Attempts, wait::Fixed, O>,
    ) -> Item {
        stream.borrow_mut().pop().flatten()
    }
    let (_, reports) = record_sync(|| next(&stream([None]), &lost()));
    assert_eq!(ending(&reports), (StopReason::Success, 1));
    let failed = || Some(Err("lost".to_owned()));
    let (_, reports) = record_sync(|| next(&stream([failed(), failed()]), &lost()));
    assert_eq!(ending(&reports), (StopReason::Attempts, 2));
    let never = Policy::new(stop::attempts(2), wait::none(), on::output(|_: &Item| false));
    let (_, reports) = record_sync(|| next(&stream([failed()]), &never));
    assert_eq!(ending(&reports), (StopReason::Permanent, 1));
}

#[test]
fn an_outer_none_is_still_asked_about() {
    #[retry(stop = attempts(3), wait = none(), on = any_error())]
    fn next(stream: Stream) -> Item {
        stream.borrow_mut().pop().flatten()
    }
    // `any_error()` judges the outer layer, as `error(f)` does, whose `f` is given its error.
    let (outcome, reports) = record_sync(|| next(&stream([None, None, Some(Ok(7))])));
    assert_eq!((outcome, ending(&reports)), (Some(Ok(7)), (StopReason::Success, 3)));
    let (outcome, reports) = record_sync(|| next(&stream([None, lost()])));
    assert_eq!((outcome, ending(&reports)), (lost(), (StopReason::Permanent, 2)));
}

#[test]
fn a_mark_on_an_inner_error_counts() {
    #[retry(stop = attempts(3), wait = none(), on = output(|_| true))]
    fn call() -> Result<Result<(), String>, ()> {
        Ok(Err("gone".to_owned()).permanent())
    }
    let (_, reports) = record_sync(call);
    assert_eq!(ending(&reports), (StopReason::Permanent, 1));
    #[retry(stop = attempts(3), wait = none(), on = any_error())]
    fn again() -> Result<Result<(), String>, ()> {
        Ok(Err("busy".to_owned()).transient())
    }
    let (_, reports) = record_sync(again);
    assert_eq!(ending(&reports), (StopReason::Attempts, 3));
    assert!(reports[0].history().iter().all(|attempt| attempt.verdict() == Verdict::Retry));
}

#[test]
fn a_retry_error_is_made_of_the_outer_error_only() {
    #[retry(stop = attempts(2), wait = none(), on = matches(Ok(Err(_)) | Err(_)))]
    fn call(outer: bool) -> Result<Result<(), &'static str>, RetryError<&'static str>> {
        if outer { Err("timed out") } else { Ok(Err("refused")) }
    }
    let (outcome, reports) = record_sync(|| call(false));
    assert_eq!(outcome.unwrap(), Err("refused"));
    assert_eq!(ending(&reports), (StopReason::Attempts, 2));
    let error = call(true).unwrap_err();
    assert_eq!((error.reason, error.source), (StopReason::Attempts, Some("timed out")));
}

#[test]
fn nothing_found_is_an_answer_and_not_the_end_of_a_stream() {
    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    fn find() -> Result<Option<u32>, String> {
        Ok(None)
    }
    let (_, reports) = record_sync(find);
    assert_eq!(ending(&reports), (StopReason::Success, 1));
}

/// What a generic function gives, whose type only its caller knows.
fn get<T: std::str::FromStr>(text: &str) -> Result<T, T::Err> {
    text.parse()
}

#[test]
fn a_block_whose_type_is_told_only_after_it_is_looked_into_all_the_same() {
    let number: u32 =
        retry::block!(stop = attempts(2), wait = none(), on = any_error(), || get("0")).unwrap();
    assert_eq!(number, 0);
    let ((), reports) = record_sync(|| {
        let item =
            retry::block!(stop = attempts(2), wait = none(), on = any_error(), || Ok(Err("lost")));
        let item: Result<Result<u8, &str>, String> = item;
        assert_eq!(item, Ok(Err("lost")));
    });
    assert_eq!(ending(&reports), (StopReason::Permanent, 1));
}
