//! What both benchmarks measure: the same function as a plain call, as a loop written by hand and
//! with the attribute.

// The functions hand through arguments that the optimiser must not know.
#![allow(clippy::unnecessary_wraps)]
// Each benchmark takes what it compares.
#![allow(dead_code)]

use std::future::Future;
use std::hint::black_box;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use retry::{Breaker, Budget, retry};

pub type Outcome = Result<u64, Busy>;

#[derive(Debug)]
pub struct Busy;

impl From<retry::Interrupted> for Busy {
    fn from(_: retry::Interrupted) -> Self {
        Self
    }
}

static BUDGET: Budget = Budget::new(160);
static BREAKER: Breaker = Breaker::consecutive(5);

/// Polls in place, as an `.await` does: a future that is moved after it has been made costs more
/// than the call that it stands for.
#[inline(never)]
pub fn poll<F: Future<Output = Outcome>>(mut future: Pin<&mut F>) -> Outcome {
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(outcome) = future.as_mut().poll(&mut context) {
            return outcome;
        }
    }
}

pub mod sync {
    use super::{BREAKER, BUDGET, Busy, Instant, Outcome, black_box, retry};

    #[inline(never)]
    pub fn plain(x: u64) -> Outcome {
        black_box(Ok(x + 1))
    }

    #[inline(never)]
    pub fn by_hand(x: u64) -> Outcome {
        let mut attempt = 1;
        loop {
            match black_box(Ok(x + 1)) {
                Err(_) if attempt < 5 => {
                    attempt += 1;
                    std::thread::sleep(super::hand_delay(attempt));
                }
                outcome => return outcome,
            }
        }
    }

    #[inline(never)]
    #[retry(stop = attempts(5), wait = exponential(100ms).cap(10s).full_jitter(), on = any_error())]
    pub fn annotated(x: u64) -> Outcome {
        black_box(Ok(x + 1))
    }

    #[inline(never)]
    #[retry(
        stop = attempts(5),
        wait = exponential(100ms).cap(10s).full_jitter(),
        on = any_error(),
        budget = BUDGET,
    )]
    pub fn annotated_budget(x: u64) -> Outcome {
        black_box(Ok(x + 1))
    }

    #[inline(never)]
    #[retry(
        stop = attempts(5),
        wait = exponential(100ms).cap(10s).full_jitter(),
        on = any_error(),
        breaker = BREAKER,
    )]
    pub fn annotated_breaker(x: u64) -> Outcome {
        black_box(Ok(x + 1))
    }

    #[inline(never)]
    #[retry(
        stop = attempts(5),
        wait = exponential(100ms).cap(10s).full_jitter(),
        on = any_error(),
        budget = BUDGET,
        breaker = BREAKER,
    )]
    pub fn annotated_guarded(x: u64) -> Outcome {
        black_box(Ok(x + 1))
    }

    /// Two failures, no wait, then success.
    #[inline(never)]
    pub fn by_hand_failing(x: u64) -> Outcome {
        let mut left = 2;
        let mut attempt = 1;
        loop {
            match failing(x, &mut left) {
                Err(_) if attempt < 5 => attempt += 1,
                outcome => return outcome,
            }
        }
    }

    #[inline(never)]
    pub fn annotated_failing(x: u64) -> Outcome {
        let mut left = 2;
        retried(x, &mut left)
    }

    #[inline]
    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    fn retried(x: u64, left: &mut u32) -> Outcome {
        failing(x, left)
    }

    #[inline]
    pub fn failing(x: u64, left: &mut u32) -> Outcome {
        if *left > 0 {
            *left -= 1;
            return black_box(Err(Busy));
        }
        black_box(Ok(x + 1))
    }

    #[inline(never)]
    pub fn by_hand_timed(x: u64) -> Outcome {
        let start = Instant::now();
        loop {
            match black_box(Ok(x + 1)) {
                Err(_) if start.elapsed().as_secs() < 30 => {
                    std::thread::sleep(super::hand_delay(1));
                }
                outcome => return outcome,
            }
        }
    }

    #[inline(never)]
    #[retry(stop = within(30s), wait = exponential(100ms).cap(10s).full_jitter(), on = any_error())]
    pub fn annotated_timed(x: u64) -> Outcome {
        black_box(Ok(x + 1))
    }
}

pub mod asynchronous {
    use super::{BREAKER, BUDGET, Outcome, Poll, black_box, retry};

    pub async fn plain(x: u64) -> Outcome {
        answer(x).await
    }

    pub async fn by_hand(x: u64) -> Outcome {
        let mut attempt = 1;
        loop {
            match answer(x).await {
                Err(_) if attempt < 5 => {}
                outcome => return outcome,
            }
            attempt += 1;
            tokio::time::sleep(super::hand_delay(attempt)).await;
        }
    }

    #[retry(stop = attempts(5), wait = exponential(100ms).cap(10s).full_jitter(), on = any_error())]
    pub async fn annotated(x: u64) -> Outcome {
        answer(x).await
    }

    #[retry(
        stop = attempts(5),
        wait = exponential(100ms).cap(10s).full_jitter(),
        on = any_error(),
        budget = BUDGET,
    )]
    pub async fn annotated_budget(x: u64) -> Outcome {
        answer(x).await
    }

    #[retry(
        stop = attempts(5),
        wait = exponential(100ms).cap(10s).full_jitter(),
        on = any_error(),
        breaker = BREAKER,
    )]
    pub async fn annotated_breaker(x: u64) -> Outcome {
        answer(x).await
    }

    #[retry(
        stop = attempts(5),
        wait = exponential(100ms).cap(10s).full_jitter(),
        on = any_error(),
        budget = BUDGET,
        breaker = BREAKER,
    )]
    pub async fn annotated_guarded(x: u64) -> Outcome {
        answer(x).await
    }

    /// Two failures, no wait but for a turn of the executor, then success.
    pub async fn by_hand_failing(x: u64) -> Outcome {
        let mut left = 2;
        let mut attempt = 1;
        loop {
            match failing(x, &mut left).await {
                Err(_) if attempt < 5 => {}
                outcome => return outcome,
            }
            attempt += 1;
            yields().await;
        }
    }

    pub async fn annotated_failing(x: u64) -> Outcome {
        let mut left = 2;
        retried(x, &mut left).await
    }

    #[retry(stop = attempts(5), wait = none(), on = any_error())]
    async fn retried(x: u64, left: &mut u32) -> Outcome {
        failing(x, left).await
    }

    #[inline(never)]
    #[allow(clippy::unused_async)] // what is ready at once
    pub async fn failing(x: u64, left: &mut u32) -> Outcome {
        super::sync::failing(x, left)
    }

    pub async fn yields() {
        let mut yielded = false;
        std::future::poll_fn(|context| {
            if std::mem::replace(&mut yielded, true) {
                return Poll::Ready(());
            }
            context.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
    }

    #[inline(never)]
    #[allow(clippy::unused_async)] // what is ready at once
    pub async fn answer(x: u64) -> Outcome {
        black_box(Ok(x + 1))
    }
}

#[inline(never)]
fn hand_delay(attempt: u32) -> Duration {
    Duration::from_millis(100) * 2_u32.saturating_pow(attempt)
}
