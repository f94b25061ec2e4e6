//! Limits in time at their edges: none left, more than any clock can show, one in another, handed on.

use std::future::pending;
use std::io;
use std::time::Duration;

use retry::{Current, Inherit as _, StopReason, deadline, record, record_sync, retry};
use tokio::time::{Instant, sleep};

const S: Duration = Duration::from_secs(1);

/// The attempts and the end of each call that has ended under a future.
macro_rules! ends {
    ($future:expr) => {{
        let (_, reports) = record($future).await;
        reports.iter().map(|it| (it.attempts(), it.reason())).collect::<Vec<_>>()
    }};
}

#[retry(stop = attempts(4), wait = fixed(2s), on = any_error())]
async fn fails() -> Result<(), ()> {
    Err(())
}

#[tokio::test(start_paused = true)]
async fn a_deadline_in_the_past_leaves_no_attempt_that_could_be_cut() {
    #[retry(stop = attempts(4), wait = fixed(2s), on = any_error(), deadline = at)]
    async fn late(at: Instant, calls: &mut u32) -> io::Result<()> {
        *calls += 1;
        Err(io::Error::other("down"))
    }
    sleep(S).await;
    let mut calls = 0;
    assert_eq!(ends!(late(Instant::now() - S, &mut calls)), [(0, StopReason::Time)]);
    assert_eq!(ends!(late(Instant::now(), &mut calls)), [(0, StopReason::Time)]);
    assert_eq!(calls, 0);
}

#[test]
fn a_sync_call_past_its_deadline_has_its_one_attempt_and_the_real_outcome() {
    #[retry(stop = attempts(4), wait = fixed(2s), on = any_error(), deadline = at)]
    fn late(at: std::time::Instant) -> Result<u32, &'static str> {
        Err("real")
    }
    let (outcome, reports) = record_sync(|| late(std::time::Instant::now()));
    assert_eq!(outcome, Err("real"));
    assert_eq!((reports[0].attempts(), reports[0].reason()), (1, StopReason::Time));
}

#[tokio::test(start_paused = true)]
async fn a_scope_that_is_over_leaves_each_call_one_attempt() {
    let past = deadline(Instant::now());
    assert_eq!(ends!(past.scope(fails())), [(1, StopReason::Time)]);
    assert_eq!(ends!(deadline(Duration::ZERO).scope(fails())), [(1, StopReason::Time)]);
    assert_eq!(ends!(deadline(None::<Duration>).scope(fails())), [(4, StopReason::Attempts)]);
}

#[tokio::test(start_paused = true)]
async fn limits_beyond_every_clock_are_none() {
    #[retry(
        stop = attempts(2),
        wait = fixed(2s),
        on = any_error(),
        deadline = most,
        attempt_timeout = most,
        idempotent,
    )]
    async fn whole(most: Duration) -> io::Result<()> {
        assert_eq!(retry::current().unwrap().remaining(), None);
        sleep(S).await;
        Err(io::Error::other("down"))
    }
    #[retry(stop = attempts(2), wait = fixed(2s), on = any_error(), attempt_timeout = idle(most), idempotent)]
    async fn idle(most: Duration) -> io::Result<()> {
        retry::current().unwrap().progress();
        sleep(S).await;
        if retry::current().unwrap().number() < 3 { Err(io::Error::other("down")) } else { Ok(()) }
    }
    let two = [(2, StopReason::Attempts)];
    assert_eq!(ends!(whole(Duration::MAX)), two);
    assert_eq!(ends!(idle(Duration::MAX)), [(3, StopReason::Success)]);
    assert_eq!(ends!(deadline(Duration::MAX).scope(fails())), [(4, StopReason::Attempts)]);
}

#[tokio::test(start_paused = true)]
async fn a_time_out_of_centuries_is_one() {
    #[retry(
        stop = attempts(2),
        wait = fixed(2s),
        on = any_error(),
        deadline = Duration::from_secs(10_000_000_000),
        attempt_timeout = Duration::from_secs(9_000_000_000),
        idempotent,
    )]
    async fn slow() -> io::Result<()> {
        sleep(S).await;
        Err(io::Error::other("down"))
    }
    let start = Instant::now();
    assert_eq!(ends!(slow()), [(2, StopReason::Attempts)]);
    assert_eq!(start.elapsed(), 4 * S);
}

#[tokio::test(start_paused = true)]
async fn of_scopes_in_each_other_the_earliest_deadline_holds_for_what_is_inside() {
    let all = deadline(5 * S).scope(async {
        // Attempts at 0 s and 2 s.
        let _ = deadline(3 * S).scope(fails()).await;
        // At 2 s and 4 s: the longer one inside changes nothing.
        let _ = deadline(60 * S).scope(fails()).await;
        let _ = deadline(None::<Duration>).scope(fails()).await;
    });
    let time = StopReason::Time;
    assert_eq!(ends!(all), [(2, time), (2, time), (1, time)]);
    assert_eq!(ends!(fails()), [(4, StopReason::Attempts)]);
}

#[tokio::test(start_paused = true)]
async fn a_task_is_under_the_deadline_of_a_scope_if_it_inherits() {
    let spawned = |inherits: bool| async move {
        let task = async { record(fails()).await.1[0].attempts() };
        let task = if inherits { tokio::spawn(task.inherit()) } else { tokio::spawn(task) };
        task.await.unwrap()
    };
    assert_eq!(deadline(3 * S).scope(spawned(true)).await, 2);
    assert_eq!(deadline(3 * S).scope(spawned(false)).await, 4);
}

#[tokio::test(start_paused = true)]
async fn a_task_is_under_the_deadline_of_the_call_that_starts_it_if_it_inherits() {
    #[retry(stop = attempts(1) | within(1h), wait = none(), on = any_error(), deadline = 3s)]
    async fn starts(inherits: bool) -> io::Result<(u32, Option<Duration>)> {
        let task = async {
            let (_, reports) = record(fails()).await;
            reports[0].attempts()
        };
        let left = async { left().await.ok().flatten() };
        let both = async { (task.await, left.await) };
        let task = if inherits { tokio::spawn(both.inherit()) } else { tokio::spawn(both) };
        tokio::time::timeout(60 * S, task).await?.map_err(io::Error::other)
    }
    #[retry(stop = attempts(2), wait = none(), on = any_error())]
    async fn left() -> Result<Option<Duration>, ()> {
        Ok(retry::current().unwrap().remaining())
    }
    assert_eq!(starts(true).await.unwrap(), (2, Some(S)));
    assert_eq!(starts(false).await.unwrap_err().kind(), io::ErrorKind::TimedOut);
}

#[tokio::test(start_paused = true)]
async fn a_task_that_holds_the_attempt_keeps_it_from_being_cut_as_idle() {
    #[retry(stop = attempts(2), wait = none(), on = any_error(), attempt_timeout = idle(3s), idempotent)]
    async fn copies(moves: u32) -> io::Result<u32> {
        let attempt = retry::current().unwrap();
        let task = tokio::spawn(moving(attempt, moves));
        task.await.map_err(io::Error::other)?;
        if moves < 10 { pending().await } else { Ok(moves) }
    }
    async fn moving(attempt: Current, moves: u32) {
        for _ in 0..moves {
            sleep(2 * S).await;
            attempt.progress();
        }
    }
    let start = Instant::now();
    assert_eq!(copies(10).await.unwrap(), 10);
    assert_eq!(start.elapsed(), 20 * S);
    // What a task of an attempt that is over says changes nothing for the next.
    #[retry(stop = attempts(2), wait = none(), on = any_error(), attempt_timeout = idle(3s), idempotent)]
    async fn leaves_one_behind() -> io::Result<()> {
        let attempt = retry::current().unwrap();
        if attempt.number() == 1 {
            tokio::spawn(moving(attempt, 100));
            return Err(io::Error::other("down"));
        }
        pending().await
    }
    let start = Instant::now();
    leaves_one_behind().await.unwrap_err();
    assert_eq!(start.elapsed(), 3 * S);
}

#[tokio::test(start_paused = true)]
async fn an_inner_call_that_sleeps_when_the_outer_one_is_cut_counts_as_cancelled() {
    #[retry(name = "asleep", stop = attempts(4), wait = fixed(5s), on = any_error())]
    async fn inner() -> io::Result<()> {
        Err(io::Error::other("down"))
    }
    #[retry(
        name = "cuts a sleep",
        stop = attempts(2),
        wait = none(),
        on = any_error(),
        attempt_timeout = 2s,
        idempotent,
    )]
    async fn outer() -> io::Result<()> {
        inner().await
    }
    let (_, reports) = record(outer()).await;
    let asleep: Vec<_> = reports.iter().filter(|it| it.name() == "asleep").collect();
    let ends: Vec<_> = asleep.iter().map(|it| (it.attempts(), it.reason())).collect();
    assert_eq!(ends, [(1, StopReason::Cancelled); 2]);
    let outer = reports.last().unwrap();
    // It has not given up: it was dropped.
    assert!(
        outer.history().iter().all(|it| it.exhausted().is_none() && it.interruption().is_some())
    );
    let sites = retry::sites();
    let of = |name: &str| sites.iter().find(|it| it.name() == name).unwrap().clone();
    assert_eq!((of("asleep").cancelled(), of("asleep").attempts()), (2, 2));
    assert_eq!((of("cuts a sleep").cancelled(), of("cuts a sleep").attempts()), (0, 2));
}
