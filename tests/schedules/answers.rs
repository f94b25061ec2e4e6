//! Closures in `wait`: what they see, change and answer with.

use super::*;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Failure {
    Refused,
    TooMany,
}

use Failure::{Refused, TooMany};

/// Fails as told, the last way for ever.
fn fail(log: &mut Log, failures: &[Failure]) -> Result<(), Failure> {
    let index = usize::try_from(log.attempt()).unwrap().min(failures.len()) - 1;
    Err(failures[index])
}

#[tokio::test(start_paused = true)]
async fn one_strategy_for_refused_connections_and_another_for_throttling() {
    #[retry(
        stop = attempts(5),
        wait = |_, outcome| match outcome {
            Err(TooMany) => exponential(10s).cap(1m),
            _ => fixed(10ms),
        },
        on = any_error(),
    )]
    async fn call(log: &mut Log) -> Result<(), Failure> {
        fail(log, &[Refused, TooMany, TooMany, Refused])
    }
    let mut log = Log::new();
    assert_eq!(call(&mut log).await, Err(Refused));
    assert_eq!(log.gaps(), all_ms([10, 20_000, 40_000, 10]));
}

#[tokio::test(start_paused = true)]
async fn an_iterator_of_delays_says_how_long_and_whether() {
    #[retry(stop = attempts(9), wait = |_| delays.next(), on = any_error())]
    async fn call(log: &mut Log, mut delays: impl Iterator<Item = Duration>) -> Result<(), u32> {
        Err(log.attempt())
    }
    let mut log = Log::new();
    let given = [ms(5), ms(0), ms(70)];
    let (outcome, reports) = retry::record(call(&mut log, given.into_iter())).await;
    assert_eq!(outcome, Err(4));
    assert_eq!(log.gaps(), given);
    assert_eq!(reports[0].reason(), StopReason::Custom);
    assert_eq!(reports[0].waited(), ms(75));
}

#[test]
fn an_iterator_in_a_block_that_nothing_else_ends_makes_it_give_the_outcome() {
    let mut log = Log::new();
    let mut delays = [ms(0), ms(0)].into_iter();
    let outcome: Result<u32, u32> = retry::block!(
        forever,
        wait = |_| delays.next(),
        on = any_error(),
        || -> Result<u32, u32> { Err(log.attempt()) }
    );
    assert_eq!(outcome, Err(3));
    // A closure that always knows how long leaves it the value of the success.
    let mut log = Log::new();
    let value: u32 = retry::block!(
        forever,
        wait = |state| if state.attempt() > 1 { none() } else { fixed(1ms) },
        on = any_error(),
        || -> Result<u32, u32> {
            let attempt = log.attempt();
            if attempt < 3 { Err(attempt) } else { Ok(attempt) }
        }
    );
    assert_eq!(value, 3);
}

#[tokio::test(start_paused = true)]
async fn a_closure_of_an_async_block_may_change_what_it_captures() {
    let mut log = Log::new();
    let mut asked = vec![];
    let outcome = retry::block!(
        stop = attempts(3),
        wait = |state, outcome| {
            asked.push((state.wait(), *outcome));
            10ms * state.wait()
        },
        on = any_error(),
        async || -> Result<(), u32> { Err(log.attempt()) },
    );
    assert_eq!(outcome, Err(3));
    assert_eq!(log.gaps(), all_ms([10, 20]));
    // Asked before `stop` is, which knows the delay.
    assert_eq!(asked, [(1, Err(1)), (2, Err(2)), (3, Err(3))]);
}

#[test]
fn what_ends_anyway_ends_for_that_reason() {
    #[retry(stop = attempts(2), wait = |_| (!gives).then_some(1ms), on = any_error())]
    fn call(gives: bool, calls: &mut u32) -> Result<(), ()> {
        *calls += 1;
        Err(())
    }
    let ended = |gives| {
        let mut calls = 0;
        let (_, reports) = retry::record_sync(|| call(gives, &mut calls));
        (calls, reports[0].reason())
    };
    assert_eq!(ended(true), (1, StopReason::Custom));
    assert_eq!(ended(false), (2, StopReason::Attempts));

    #[retry(stop = attempts(limit), wait = |_| None::<Duration>, on = any_error())]
    fn last(limit: u32) -> Result<(), ()> {
        let _ = limit;
        Err(())
    }
    assert_eq!(retry::record_sync(|| last(1)).1[0].reason(), StopReason::Attempts);
}

#[tokio::test(start_paused = true)]
async fn none_beats_a_hint_and_a_retry_without_a_wait_is_not_asked_about() {
    #[retry(stop = attempts(9), wait = |_| None::<Duration>, on = |verdict| *verdict)]
    async fn call(log: &mut Log, verdicts: [Verdict; 2]) -> Result<(), Verdict> {
        Err(verdicts[usize::from(log.attempt() > 1)])
    }
    let mut log = Log::new();
    let hint = Verdict::Retry.retry_after(ms(1));
    assert!(call(&mut log, [Verdict::Retry.now(), hint]).await.is_err());
    assert_eq!(log.gaps(), all_ms([0]));
}

/// The delays slept, and why the call ended.
macro_rules! ended {
    ($($wait:tt)+) => {{
        #[retry(stop = attempts(4), wait = $($wait)+, on = any_error(), sleep = |delay| log.sleep(delay))]
        fn call(log: &mut Log) -> Result<(), u32> {
            Err(log.attempt())
        }
        let mut log = Log::new();
        let (_, reports) = retry::record_sync(|| call(&mut log));
        (log.sleeps, reports[0].reason())
    }};
}

fn twice(state: &State) -> Option<Duration> {
    (state.attempt() <= 2).then_some(ms(3))
}

struct Asks;

impl Asks {
    const TWICE: fn(&State) -> Option<Duration> = twice;
}

#[test]
fn none_ends_the_call_wherever_it_is_answered() {
    let twice_three = (all_ms([3, 3]), StopReason::Custom);
    assert_eq!(ended!(twice), twice_three);
    assert_eq!(ended!(self::twice), twice_three);
    assert_eq!(ended!(Asks::TWICE), twice_three);
    assert_eq!(ended!(by(twice)), twice_three);
    assert_eq!(ended!((|state: &State| twice(state).map(retry::wait::fixed)).cap(1s)), twice_three);
    assert_eq!(ended!(none() + twice), twice_three);
    assert_eq!(ended!(none().max(twice)), twice_three);
    assert_eq!(ended!(fixed(3ms).times(2).then(|_| None::<Duration>)), twice_three);
    // The side of `throttled` that is not asked says nothing.
    assert_eq!(ended!(fixed(3ms).throttled(twice)), (vec![ms(3); 3], StopReason::Attempts));
}

#[test]
fn a_closure_may_answer_with_whatever_says_how_long() {
    let all = |delays: [u64; 3]| (all_ms(delays), StopReason::Attempts);
    assert_eq!(ended!(|_| Duration::from_millis(4)), all([4, 4, 4]));
    assert_eq!(ended!(|_| Delay::fixed(ms(4))), all([4, 4, 4]));
    assert_eq!(ended!(|_| linear(4ms, 1ms)), all([4, 5, 6]));
    assert_eq!(ended!(|_| linear(4ms, 1ms).cap(5ms)), all([4, 5, 5]));
    assert_eq!(ended!(|_| fixed(4ms) + linear(1ms, 1ms)), all([5, 6, 7]));
    assert_eq!(ended!(|_| Some(fixed(4ms))), all([4, 4, 4]));
    assert_eq!(ended!(|_| Box::new(retry::wait::fixed(ms(4))) as Box<dyn Wait>), all([4, 4, 4]));
    assert_eq!(ended!(|state| if state.wait() > 1 { 4ms } else { 1ms }), all([1, 4, 4]));
    assert_eq!(
        ended!(|state| match state.wait() {
            1 => Some(exponential(4ms)),
            2 => return Some(fixed(1ms)),
            3 if false => unreachable!(),
            n => {
                let step = 1ms;
                Some(linear(step * n, step).max(none()))
            }
        }),
        all([4, 1, 5])
    );
    assert_eq!(
        ended!(
            none()
                .times(1)
                .then(|state| { if state.wait() == 1 { fixed(7ms) } else { exponential(1ms) } })
        ),
        (all_ms([7, 2]), StopReason::Attempts)
    );
}

#[test]
fn a_policy_may_end_by_its_wait_too() {
    let policy = retry::policy! {
        stop = attempts(9),
        wait = |state: &State| (state.attempt() < 3).then(|| retry::wait::fixed(ms(2))),
        on = any_error(),
    };
    let preview = policy.preview();
    assert_eq!(preview.attempts(), Some(3));
    assert_eq!(preview.total_wait(), Some((ms(4), ms(4))));
    let boxed = policy.boxed::<()>();
    let mut schedule = boxed.schedule();
    let mut steps = || schedule.failed(&Err::<(), ()>(()));
    use retry::Step;
    let expected = [Step::Wait(ms(2)), Step::Wait(ms(2)), Step::Stop(StopReason::Custom)];
    assert_eq!([steps(), steps(), steps()], expected);
}
