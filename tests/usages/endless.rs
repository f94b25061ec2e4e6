use std::future::pending;
use std::io;
use std::time::Duration;

use retry::{record_sync, retry, retry_with};
use tokio::time::Instant;

use crate::support::secs;

#[tokio::test(start_paused = true)]
async fn a_websocket_that_connects_until_it_works_with_a_limit_on_each_attempt() {
    struct Socket(u32);
    async fn connect(attempts: &mut u32) -> io::Result<Socket> {
        *attempts += 1;
        match *attempts {
            1 => Err(io::ErrorKind::ConnectionRefused.into()),
            2 => pending().await,
            n => Ok(Socket(n)),
        }
    }
    let (mut attempts, start) = (0, Instant::now());
    let socket: Socket = retry::block!(
        forever,
        wait = exponential(500ms).cap(60s),
        on = any_error(),
        attempt_timeout = 10s,
        idempotent,
        async || -> io::Result<Socket> { connect(&mut attempts).await },
    );
    assert_eq!((socket.0, start.elapsed()), (3, Duration::from_millis(500 + 10_000 + 1_000)));
}

#[test]
fn an_endless_wait_inside_of_a_call_with_a_deadline_keeps_its_pace() {
    fn lease(calls: &mut u32) -> u32 {
        retry::block!(forever, wait = fixed(1s), on = any_error(), || {
            *calls += 1;
            if *calls < 20 { None } else { Some(*calls) }
        })
    }
    #[retry(stop = attempts(3), wait = none(), on = any_error(), deadline = 5s)]
    fn job(calls: &mut u32) -> Result<u32, String> {
        Ok(lease(calls))
    }
    let (outcome, reports) = record_sync(|| retry_with().virtual_time().sync_scope(|| job(&mut 0)));
    assert_eq!(outcome, Ok(20));
    let waited: Duration = reports.iter().map(retry::Report::waited).sum();
    assert_eq!(waited, secs(19), "{reports:?}");
}

#[tokio::test(start_paused = true)]
async fn an_endless_wait_under_a_deadline_over_several_steps_keeps_its_pace_too() {
    let (mut calls, start) = (0, Instant::now());
    let lease = retry::deadline(secs(5)).scope(async {
        retry::block!(forever, wait = fixed(1s), on = any_error(), async {
            calls += 1;
            (calls == 20).then_some("lease")
        })
    });
    assert_eq!((lease.await, start.elapsed()), ("lease", secs(19)));
}

#[test]
fn a_call_in_an_endless_wait_keeps_to_the_deadline_around_that() {
    #[retry(name = "ask", stop = attempts(9), wait = fixed(2s), on = any_error())]
    fn ask(asked: &mut Vec<u32>) -> Result<u32, ()> {
        match asked.last_mut() {
            Some(last) => *last += 1,
            None => asked.push(1),
        }
        if asked.len() == 2 { Ok(7) } else { Err(()) }
    }
    #[retry(stop = attempts(3), wait = none(), on = any_error(), deadline = 5s)]
    fn job(asked: &mut Vec<u32>) -> Result<u32, String> {
        let lease = retry::block!(forever, wait = fixed(1s), on = any_error(), || {
            let answer = ask(asked);
            if answer.is_err() {
                asked.push(0);
            }
            answer
        });
        Ok(lease)
    }
    let mut asked = Vec::new();
    let outcome = retry_with().virtual_time().sync_scope(|| job(&mut asked));
    // At 0, 2 and 4 s; a fourth would be after the deadline.
    assert_eq!((outcome, asked), (Ok(7), vec![3, 1]));
}
