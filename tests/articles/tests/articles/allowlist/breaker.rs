//! The allowlist's breaker: how much an outage is asked.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use retry::{Breaker, retry, retry_with};
use tokio::time::{Instant, sleep};

use super::{Error, breaker};
use crate::{ms, secs};

/// A dependency that takes a second for an answer, and knows how many ask it.
#[derive(Default)]
struct Dependency {
    healthy: bool,
    requests: AtomicU32,
}

impl Dependency {
    async fn ask(&self) -> Result<(), Error> {
        self.requests.fetch_add(1, Ordering::Relaxed);
        sleep(secs(1)).await;
        if self.healthy { Ok(()) } else { Err(Error::Down) }
    }

    fn requests(&self) -> u32 {
        self.requests.load(Ordering::Relaxed)
    }
}

#[retry(
    stop = attempts(5) | within(20s),
    wait = exponential(500ms).cap(8s).full_jitter(),
    breaker = breaker,
)]
async fn guarded(breaker: &Breaker, dependency: Arc<Dependency>) -> Result<(), Error> {
    dependency.ask().await
}

/// The article lets every caller through once the 30 seconds are over, with five attempts each.
#[tokio::test(start_paused = true)]
async fn the_half_open_breaker_lets_one_attempt_through_however_many_ask() {
    static BREAKER: Breaker = breaker();
    let crowd = async |dependency: &Arc<Dependency>| {
        let calls = [(); 50].map(|()| tokio::spawn(guarded(&BREAKER, Arc::clone(dependency))));
        let mut outcomes = Vec::new();
        for call in calls {
            outcomes.push(call.await.unwrap());
        }
        outcomes
    };
    let down = Arc::new(Dependency::default());
    assert_eq!(guarded(&BREAKER, Arc::clone(&down)).await, Err(Error::Down));
    assert_eq!(down.requests(), 5);
    assert!(crowd(&down).await.iter().all(|it| *it == Err(Error::Cut)));
    assert_eq!(down.requests(), 5, "it is open");

    sleep(secs(30)).await;
    let outcomes = crowd(&down).await;
    assert_eq!(down.requests(), 6);
    assert_eq!(outcomes.iter().filter(|it| **it == Err(Error::Down)).count(), 1);
    assert_eq!(outcomes.iter().filter(|it| **it == Err(Error::Cut)).count(), 49);

    sleep(secs(30)).await;
    let up = Arc::new(Dependency { healthy: true, ..Dependency::default() });
    let outcomes = crowd(&up).await;
    assert_eq!((up.requests(), outcomes.iter().filter(|it| it.is_ok()).count()), (1, 1));
    assert!(crowd(&up).await.iter().all(Result::is_ok), "it is closed");
    assert_eq!(up.requests(), 51);
}

/// 200 calls a minute in an outage of 20 minutes: 20,000 attempts, or 5 and a probe every 30 seconds.
#[tokio::test(start_paused = true)]
async fn an_outage_of_20_minutes_is_asked_44_times_and_not_20_000_times() {
    static BREAKER: Breaker = breaker();

    #[retry(
        stop = attempts(5) | within(20s),
        wait = exponential(500ms).cap(8s).full_jitter(),
        breaker = &BREAKER,
    )]
    async fn call(requests: &mut u32) -> Result<(), Error> {
        *requests += 1;
        Err(Error::Down)
    }
    for (guards, expected) in [(true, 5 + 39), (false, 20_000)] {
        let start = Instant::now();
        let mut requests = 0;
        while start.elapsed() < secs(20 * 60) {
            let overrides = retry_with().draw(0.0).guards(guards);
            overrides.scope(call(&mut requests)).await.unwrap_err();
            sleep(ms(300)).await;
        }
        assert_eq!(requests, expected);
    }
}
