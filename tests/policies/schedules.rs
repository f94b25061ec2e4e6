use super::*;
use tokio::sync::mpsc;
use tokio::time::{Sleep, sleep};

/// A future that connects, as a library that polls by hand would write it.
struct Reconnect<P, F> {
    schedule: Schedule<P>,
    connect: F,
    pause: Option<Pin<Box<Sleep>>>,
}

impl<P, F, T, E> Future for Reconnect<P, F>
where
    P: AsPolicy<On: On<Result<T, E>>> + Unpin,
    F: FnMut() -> Result<T, E> + Unpin,
{
    type Output = (Result<T, E>, StopReason);

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        loop {
            if let Some(pause) = &mut self.pause {
                match pause.as_mut().poll(cx) {
                    Poll::Pending => return Poll::Pending,
                    Poll::Ready(()) => self.pause = None,
                }
            }
            let outcome = (self.connect)();
            match self.schedule.failed(&outcome).delay() {
                Ok(pause) => self.pause = Some(Box::pin(sleep(pause))),
                Err(reason) => return Poll::Ready((outcome, reason)),
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_hand_written_poll_waits_as_long_as_it_is_told() {
    let start = tokio::time::Instant::now();
    let mut calls = 0;
    let connect = || {
        calls += 1;
        if calls < 4 { Err(ApiError::Busy) } else { Ok("link") }
    };
    let policy = policy! { stop = within(10s), wait = exponential(1s) };
    let schedule = Schedule::new(policy);
    let (link, reason) = Reconnect { schedule, connect, pause: None }.await;
    assert_eq!((link, reason), (Ok("link"), StopReason::Success));
    assert_eq!(start.elapsed(), ms(7000));
}

#[tokio::test(start_paused = true)]
async fn a_hand_written_poll_gives_up_when_the_paused_clock_says_so() {
    let start = tokio::time::Instant::now();
    let connect = || Err::<(), _>(ApiError::Busy);
    let policy = policy! { stop = within(10s), wait = exponential(1s) };
    let schedule = Schedule::new(&policy);
    let (_, reason) = Reconnect { schedule, connect, pause: None }.await;
    assert_eq!(reason, StopReason::Time);
    assert_eq!(start.elapsed(), ms(7000));
}

#[tokio::test(start_paused = true)]
async fn messages_are_served_while_a_loop_waits_to_connect_again() {
    let policy = policy! { stop = attempts(4), wait = fixed(10s), on = any_error() };
    let mut schedule = policy.schedule();
    let (sender, mut inbox) = mpsc::channel(8);
    tokio::spawn(async move {
        for message in 0..5 {
            sleep(ms(4000)).await;
            sender.send(message).await.unwrap();
        }
        sleep(ms(60_000)).await;
    });
    let start = tokio::time::Instant::now();
    let mut log = Vec::new();
    let reason = loop {
        let pause = match schedule.failed(&Err::<(), _>("refused")).delay() {
            Ok(pause) => pause,
            Err(reason) => break reason,
        };
        let mut pause = pin!(sleep(pause));
        loop {
            tokio::select! {
                () = &mut pause => break,
                Some(message) = inbox.recv() => log.push((start.elapsed(), message)),
            }
        }
    };
    assert_eq!((reason, schedule.attempts()), (StopReason::Attempts, 4));
    let served = [(4, 0), (8, 1), (12, 2), (16, 3), (20, 4)];
    assert_eq!(log, served.map(|(secs, message)| (Duration::from_secs(secs), message)));
    assert_eq!(start.elapsed(), ms(30_000));
}

#[tokio::test(start_paused = true)]
async fn a_link_that_was_up_for_hours_leaves_all_the_time_to_connect_again() {
    let policy = policy! { stop = within(30s), wait = fixed(20s), on = any_error() };
    let mut schedule = policy.schedule();
    let lost: Result<(), &str> = Err("lost");
    assert_eq!(schedule.failed(&lost), Step::Wait(ms(20_000)));
    schedule.reset();
    sleep(Duration::from_secs(7200)).await;
    assert_eq!(schedule.failed(&lost), Step::Wait(ms(20_000)));
    sleep(ms(20_000)).await;
    assert_eq!(schedule.failed(&lost), Step::Stop(StopReason::Time));
}

#[test]
fn a_plain_loop_tells_the_time_itself() {
    let start = Instant::now();
    let policy = policy! { stop = within(3s), wait = fixed(1s) };
    let mut schedule = policy.schedule();
    schedule.start_at(start);
    let busy = Err::<(), _>(ApiError::Busy);
    assert_eq!(schedule.failed_at(start + ms(1000), &busy), Step::Wait(ms(1000)));
    assert_eq!(schedule.failed_at(start + ms(2000), &busy), Step::Stop(StopReason::Time));
    let gone = Err::<(), _>(ApiError::NotFound);
    assert_eq!(schedule.failed_at(start, &gone), Step::Stop(StopReason::Permanent));
}

const SECOND: Duration = Duration::from_secs(1);

#[test]
fn no_step_waits_to_the_deadline_of_the_policy() {
    let policy = policy! { stop = attempts(9), wait = fixed(1s), on = any_error(), deadline = 3s };
    let mut schedule = policy.schedule();
    let start = Instant::now();
    for outage in [start, start + 60 * SECOND] {
        schedule.start_at(outage);
        assert_eq!(schedule.failed_at(outage + SECOND, &FAILS), Step::Wait(SECOND));
        let last = schedule.failed_at(outage + 2 * SECOND, &FAILS);
        assert_eq!(last, Step::Stop(StopReason::Time), "a second would end at the deadline");
    }
    schedule.reset();
    assert_eq!(schedule.failed_at(start + 99 * SECOND, &FAILS), Step::Wait(SECOND));
}

#[test]
fn no_step_waits_to_a_deadline_around_the_schedule() {
    let mut schedule =
        policy! { stop = attempts(9), wait = fixed(5s), on = any_error() }.into_schedule();
    retry::deadline(3 * SECOND).sync_scope(|| {
        assert_eq!(schedule.failed_with(Verdict::Retry), Step::Stop(StopReason::Time));
    });
}

const FAILS: Result<(), ApiError> = Err(ApiError::Busy);

#[test]
fn a_step_spends_what_a_success_or_an_end_without_a_retry_brings_back() {
    static BUDGET: retry::Budget = retry::Budget::new(100).initial(100);
    let policy = policy! { stop = attempts(9), wait = none(), on = any_error(), budget = BUDGET };
    let mut schedule = policy.schedule();
    let waits = Step::Wait(Duration::ZERO);
    assert_eq!(schedule.failed(&FAILS), waits);
    assert_eq!(schedule.failed(&FAILS), waits);
    assert_eq!(BUDGET.available(), 100 - 28);
    assert_eq!(schedule.failed(&Ok::<_, ApiError>(())), Step::Stop(StopReason::Success));
    assert_eq!(BUDGET.available(), 100 - 14, "the last cost comes back");
    schedule.reset();
    schedule.succeeded();
    assert_eq!(BUDGET.available(), 100 - 13, "a first success brings one");
    schedule.reset();
    assert_eq!(schedule.failed(&FAILS), waits);
    let clone = schedule.clone();
    drop(clone);
    assert_eq!(BUDGET.available(), 100 - 27);
    drop(schedule);
    assert_eq!(BUDGET.available(), 100 - 13, "nothing was sent");
    let mut schedule = policy.into_schedule();
    let steps: Vec<_> =
        std::iter::from_fn(|| schedule.failed_with(Verdict::Retry).delay().ok()).collect();
    assert_eq!((steps.len(), schedule.stopped()), (6, Some(StopReason::Budget)));
    drop(schedule);
    assert_eq!(BUDGET.available(), 3, "all of them were made");
}

#[test]
fn a_final_failure_brings_no_tokens_back() {
    static BUDGET: retry::Budget = retry::Budget::new(100).initial(100);
    let policy = policy! { stop = attempts(9), wait = none(), budget = BUDGET };
    let mut schedule = policy.into_schedule();
    let _ = schedule.failed_with(Verdict::Retry);
    assert_eq!(schedule.failed_with(Verdict::Final), Step::Stop(StopReason::Permanent));
    drop(schedule);
    assert_eq!(BUDGET.available(), 100 - 14);
}

#[test]
fn a_breaker_counts_what_a_schedule_is_told_and_ends_it() {
    static BREAKER: retry::Breaker = retry::Breaker::consecutive(2);
    let policy = policy! { stop = attempts(9), wait = none(), breaker = &BREAKER };
    let mut schedule = policy.into_schedule();
    let waits = Step::Wait(Duration::ZERO);
    assert_eq!(schedule.failed_with(Verdict::Retry), waits);
    schedule.succeeded();
    schedule.reset();
    assert_eq!(schedule.failed_with(Verdict::Retry), waits, "the success was counted");
    assert_eq!(schedule.failed_with(Verdict::Retry), Step::Stop(StopReason::BreakerOpen));
    assert_eq!(BREAKER.opened(), 1);
    retry::retry_with().guards(false).sync_scope(|| {
        schedule.reset();
        assert_eq!(schedule.failed_with(Verdict::Retry), waits);
    });
}

#[test]
fn a_schedule_inside_a_retried_call_leaves_the_retrying_to_that() {
    let once = policy! { stop = attempts(9), wait = none(), nested = once }.into_schedule();
    let outer = policy! { stop = attempts(1) | attempts(2), wait = none(), on = any_error() };
    let mut inside = once.clone();
    let step = outer.call(|| Ok::<_, ()>(inside.failed_with(Verdict::Retry)));
    assert_eq!(step, Ok(Step::Stop(StopReason::Nested)));
    let mut outside = once;
    assert_eq!(outside.failed_with(Verdict::Retry), Step::Wait(Duration::ZERO));
}

#[test]
fn a_retry_of_a_schedule_is_no_probe_but_the_first_attempt_of_another_is() {
    static BREAKER: retry::Breaker = retry::Breaker::consecutive(1);
    let policy = policy! { stop = attempts(9), wait = none(), breaker = &BREAKER };
    let open = Step::Stop(StopReason::BreakerOpen);
    let start = Instant::now();
    let mut goes_on_all_the_same = policy.into_schedule();
    assert_eq!(goes_on_all_the_same.failed_with_at(start, Verdict::Retry), open);
    let late = start + Duration::from_secs(3_600);
    assert_eq!(goes_on_all_the_same.failed_with_at(late, Verdict::Retry), open);
    assert_eq!(BREAKER.opened(), 1);
    let mut another = policy.into_schedule();
    assert_eq!(another.failed_with_at(late, Verdict::Retry), open);
    assert_eq!(BREAKER.opened(), 2);
}

#[test]
fn a_schedule_waits_for_the_next_probe_only_where_its_time_allows_it() {
    static BREAKER: retry::Breaker =
        retry::Breaker::consecutive(1).open_for(Duration::from_secs(10)).jitter_factor(0.0);
    let breaker = BREAKER.waiting();
    let start = Instant::now();
    let step = |within| {
        BREAKER.close();
        let wait = wait::fixed(ms(1));
        let policy = Policy::new(stop::within(within), wait, on::any_error()).with_breaker(breaker);
        policy.into_schedule().failed_with_at(start, Verdict::Retry)
    };
    assert_eq!(step(ms(11_000)), Step::Wait(ms(10_000)));
    assert_eq!(step(ms(9_000)), Step::Stop(StopReason::Time));
}

#[tokio::test(start_paused = true)]
async fn the_time_of_the_first_attempt_counts_once_a_schedule_is_started() {
    let policy = policy! { stop = within(10s), wait = fixed(1s) };
    let mut schedule = policy.into_schedule();
    schedule.start();
    tokio::time::advance(ms(9_000)).await;
    assert_eq!(schedule.failed_with(Verdict::Retry), Step::Stop(StopReason::Time));
    schedule.reset();
    assert_eq!(schedule.failed_with(Verdict::Retry), Step::Wait(ms(1_000)));
}
