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
