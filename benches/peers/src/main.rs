//! What a call costs in instructions with other crates, counted as `benches/instructions.rs` does.
//!
//! `cargo run --release --manifest-path benches/peers/Cargo.toml`. What they do differs: these have
//! no counters, no events and no reports.
//!
//! tryhard and tokio-retry2 sleep on tokio's timer even for no time at all, which needs a runtime:
//! there is no figure for their failures.

use std::hint::black_box;
use std::pin::pin;
use std::process::ExitCode;
use std::time::Duration;

#[path = "../../count/mod.rs"]
mod count;
#[path = "../../functions/mod.rs"]
mod functions;

use count::{Case, Way, repeat};
use functions::{asynchronous, poll, sync};

const BASE: Duration = Duration::from_millis(100);
const CAP: Duration = Duration::from_secs(10);

macro_rules! way {
    ($name:literal, async $function:path) => {
        Way { name: $name, run: |calls| repeat(calls, |x| poll(pin!($function(x)))) }
    };
    ($name:literal, $function:path) => {
        Way { name: $name, run: |calls| repeat(calls, $function) }
    };
}

const CASES: &[Case] = &[
    Case {
        name: "sync, first success",
        ways: &[
            way!("by hand", sync::by_hand),
            way!("#[retry]", sync::annotated),
            way!("backon", backon::sync),
            way!("retry 2", retry2::sync),
        ],
        target: None,
    },
    Case {
        name: "async, first success",
        ways: &[
            way!("by hand", async asynchronous::by_hand),
            way!("#[retry]", async asynchronous::annotated),
            way!("backon", async backon::asynchronous),
            way!("tryhard", async tryhard::asynchronous),
            way!("tokio-retry2", async tokio_retry2::asynchronous),
        ],
        target: None,
    },
    Case {
        name: "sync, two failures",
        ways: &[
            way!("by hand", sync::by_hand_failing),
            way!("#[retry]", sync::annotated_failing),
            way!("backon", backon::sync_failing),
            way!("retry 2", retry2::sync_failing),
        ],
        target: None,
    },
    Case {
        name: "async, two failures",
        ways: &[
            way!("by hand", async asynchronous::by_hand_failing),
            way!("#[retry]", async asynchronous::annotated_failing),
            way!("backon", async backon::asynchronous_failing),
        ],
        target: None,
    },
];

fn main() -> ExitCode {
    count::main(CASES)
}

mod backon {
    use ::backon::{BlockingRetryable, ConstantBuilder, ExponentialBuilder, Retryable};

    use super::{BASE, CAP, Duration, black_box, functions};
    use functions::Outcome;

    fn exponential() -> ExponentialBuilder {
        let builder = ExponentialBuilder::default().with_min_delay(BASE).with_max_delay(CAP);
        builder.with_factor(2.0).with_jitter().with_max_times(4)
    }

    fn none() -> ConstantBuilder {
        ConstantBuilder::default().with_delay(Duration::ZERO).with_max_times(4)
    }

    #[inline(never)]
    pub fn sync(x: u64) -> Outcome {
        (|| black_box(Ok(x + 1))).retry(exponential()).call()
    }

    #[inline(never)]
    pub fn sync_failing(x: u64) -> Outcome {
        let mut left = 2;
        (|| functions::sync::failing(x, &mut left)).retry(none()).call()
    }

    pub async fn asynchronous(x: u64) -> Outcome {
        (|| functions::asynchronous::answer(x)).retry(exponential()).await
    }

    pub async fn asynchronous_failing(x: u64) -> Outcome {
        let left = std::cell::Cell::new(2);
        let failing = || async {
            let mut now = left.get();
            let outcome = functions::asynchronous::failing(x, &mut now).await;
            left.set(now);
            outcome
        };
        failing.retry(none()).sleep(|_| functions::asynchronous::yields()).await
    }
}

mod retry2 {
    use ::retry2::delay::{Exponential, NoDelay, jitter};
    use ::retry2::{Error, retry};

    use super::{CAP, black_box, functions};
    use functions::Outcome;

    #[inline(never)]
    pub fn sync(x: u64) -> Outcome {
        let delays = Exponential::from_millis_with_factor(100, 2.0).map(|it| jitter(it.min(CAP)));
        retry(delays.take(4), || black_box(Ok(x + 1))).map_err(|error: Error<_>| error.error)
    }

    #[inline(never)]
    pub fn sync_failing(x: u64) -> Outcome {
        let mut left = 2;
        retry(NoDelay.take(4), || functions::sync::failing(x, &mut left))
            .map_err(|error: Error<_>| error.error)
    }
}

mod tryhard {
    use super::{BASE, CAP, functions};
    use functions::Outcome;

    pub async fn asynchronous(x: u64) -> Outcome {
        ::tryhard::retry_fn(|| functions::asynchronous::answer(x))
            .retries(4)
            .exponential_backoff(BASE)
            .max_delay(CAP)
            .await
    }
}

mod tokio_retry2 {
    use ::tokio_retry2::strategy::{ExponentialFactorBackoff, jitter};
    use ::tokio_retry2::{MapErr, Retry};

    use super::{CAP, functions};
    use functions::Outcome;

    pub async fn asynchronous(x: u64) -> Outcome {
        let delays = ExponentialFactorBackoff::from_millis(100, 2.0).max_delay(CAP);
        let answer = || async move { functions::asynchronous::answer(x).await.map_transient_err() };
        Retry::spawn(delays.map(jitter).take(4), answer).await
    }
}
