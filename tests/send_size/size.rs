//! Sizes. Each body is written once and put under the attribute and into a loop by hand, which
//! waits in the same way.

use std::time::Duration;

use retry::retry;
use tokio::task::yield_now;
use tokio::time::{Instant, sleep};

type Outcome<T = ()> = Result<T, String>;

/// What an annotated future may have that the loop by hand does not.
const ALLOWED: usize = 64;

macro_rules! sized {
    ($($name:ident($($arg:ident: $ty:ty = $value:expr),*) -> $output:ty $body:block)*) => {
        $(
            mod $name {
                #[allow(clippy::wildcard_imports)]
                use super::*;

                #[retry(stop = attempts(5), wait = fixed(1ms), on = any_error())]
                pub(super) async fn annotated($($arg: $ty),*) -> $output $body

                #[retry(stop = attempts(5) | within(30s), wait = fixed(1ms), on = any_error())]
                pub(super) async fn timed($($arg: $ty),*) -> $output $body

                pub(super) async fn by_hand($($arg: $ty),*) -> $output {
                    let mut attempt = 1;
                    loop {
                        let pause = {
                            let outcome: $output = async { $body }.await;
                            if outcome.is_ok() || attempt == 5 {
                                return outcome;
                            }
                            Duration::from_millis(1)
                        };
                        attempt += 1;
                        sleep(pause).await;
                    }
                }

                pub(super) async fn by_hand_timed($($arg: $ty),*) -> $output {
                    let start = Instant::now();
                    let mut attempt = 1;
                    loop {
                        let pause = {
                            let outcome: $output = async { $body }.await;
                            let up = start.elapsed() >= Duration::from_secs(30);
                            if outcome.is_ok() || attempt == 5 || up {
                                return outcome;
                            }
                            Duration::from_millis(1)
                        };
                        attempt += 1;
                        sleep(pause).await;
                    }
                }

                #[tokio::test]
                async fn a_retried_future_is_about_as_large_as_a_loop_by_hand() {
                    let by_hand_timed = size_of_val(&by_hand_timed($($value),*));
                    let by_hand = size_of_val(&by_hand($($value),*));
                    let annotated = size_of_val(&annotated($($value),*));
                    let timed = size_of_val(&timed($($value),*));
                    println!("{annotated} / {by_hand}, timed {timed} / {by_hand_timed}");
                    assert!(annotated <= by_hand + ALLOWED, "{annotated} > {by_hand}");
                    assert!(timed <= by_hand_timed + ALLOWED, "{timed} > {by_hand_timed}");
                    // The measured futures do what they are measured for.
                    assert!(annotated_works($($value),*).await);
                }

                async fn annotated_works($($arg: $ty),*) -> bool {
                    annotated($($arg),*).await.is_ok()
                }
            }
        )*
    };
}

sized! {
    no_arguments() -> Outcome {
        yield_now().await;
        Ok(())
    }

    a_borrowed_text(text: &str = "text") -> Outcome<usize> {
        yield_now().await;
        Ok(text.len())
    }

    a_text(text: String = String::new()) -> Outcome<usize> {
        yield_now().await;
        Ok(text.len())
    }

    several_owned(
        text: String = String::new(),
        list: Vec<u8> = Vec::new(),
        boxed: Box<u64> = Box::default()
    ) -> Outcome<u64> {
        yield_now().await;
        Ok(text.len() as u64 + list.len() as u64 + *boxed)
    }

    an_array_held(array: [u8; 256] = [0; 256]) -> Outcome<u8> {
        let first = array[0];
        yield_now().await;
        Ok(first + array[255])
    }

    a_large_local() -> Outcome<u8> {
        let local = [1_u8; 1024];
        yield_now().await;
        Ok(std::hint::black_box(&local)[7])
    }

    a_large_value() -> Outcome<[u8; 512]> {
        yield_now().await;
        Ok([1; 512])
    }

    a_large_error() -> Result<u8, [u8; 512]> {
        yield_now().await;
        Ok(1)
    }
}

#[retry(stop = attempts(5), wait = exponential(100ms).cap(10s).full_jitter() + fixed(1ms), on = any_error())]
async fn many_strategies(text: &str) -> Outcome<usize> {
    yield_now().await;
    Ok(text.len())
}

#[retry(stop = attempts(5), wait = fixed(1ms), on = any_error())]
async fn one_strategy(text: &str) -> Outcome<usize> {
    yield_now().await;
    Ok(text.len())
}

#[test]
fn strategies_take_no_room_in_the_future() {
    assert_eq!(size_of_val(&many_strategies("")), size_of_val(&one_strategy("")));
}

#[retry(
    stop = attempts(5),
    wait = fixed(1ms),
    on = any_error(),
    deadline = 30s,
    attempt_timeout = 2s,
    idempotent,
    interrupted = |it| it.to_string(),
)]
async fn limited(text: &str) -> Outcome<usize> {
    yield_now().await;
    Ok(text.len())
}

/// As one would write it, with tokio's `timeout`.
async fn limited_by_hand(text: &str) -> Outcome<usize> {
    let start = Instant::now();
    let within = Duration::from_secs(30);
    let mut attempt = 1;
    loop {
        let pause = {
            let most = Duration::from_secs(2).min(within.saturating_sub(start.elapsed()));
            let outcome: Outcome<usize> = tokio::time::timeout(most, async {
                yield_now().await;
                Ok(text.len())
            })
            .await
            .unwrap_or_else(|elapsed| Err(elapsed.to_string()));
            let pause = Duration::from_millis(1);
            if outcome.is_ok() || attempt == 5 || start.elapsed() + pause >= within {
                return outcome;
            }
            pause
        };
        attempt += 1;
        sleep(pause).await;
    }
}

/// What a future with a deadline and a limit for each attempt may have on top of that.
const ALLOWED_LIMITED: usize = 200;

#[tokio::test]
async fn a_future_with_limits_in_time_is_about_as_large_as_with_a_timeout_by_hand() {
    let by_hand = size_of_val(&limited_by_hand(""));
    let annotated = size_of_val(&limited(""));
    println!("{annotated} / {by_hand}");
    assert!(annotated <= by_hand + ALLOWED_LIMITED, "{annotated} > {by_hand}");
    // One timer, for the limits and for the pauses.
    assert!(
        annotated < size_of_val(&limited_without_timer("")) + 2 * size_of::<tokio::time::Sleep>()
    );
    assert_eq!(limited("four").await, limited_by_hand("four").await);
}

/// The same with a timer that takes no room.
#[retry(
    stop = attempts(5),
    wait = fixed(1ms),
    on = any_error(),
    deadline = 30s,
    attempt_timeout = 2s,
    idempotent,
    interrupted = |it| it.to_string(),
    sleep = |_| std::future::ready(()),
)]
async fn limited_without_timer(text: &str) -> Outcome<usize> {
    Ok(text.len())
}
