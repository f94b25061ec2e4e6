//! A service that ends at once when it is told to, and still finishes what it has in hand:
//!
//! ```sh
//! cargo run --example graceful_shutdown
//! ```
//!
//! Press ctrl-c. An upload and a thread are in the middle of a pause of a minute, which ends in
//! milliseconds; the order that is being delivered then is delivered. Nothing of that is a failure, so
//! the process ends with 0.

use std::error::Error;
use std::io;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use retry::{Attempt, RetryError, StopReason, retry};
use tokio::signal::ctrl_c;
use tokio::sync::Notify;
use tokio::task::{JoinError, spawn_blocking};
use tokio::time::sleep;

/// Whether the service is to end. The `CancellationToken` of `tokio-util` does the same.
#[derive(Default)]
struct Shutdown {
    asked_at: OnceLock<Instant>,
    bell: Notify,
}

impl Shutdown {
    async fn on_ctrl_c(&self) -> io::Result<()> {
        ctrl_c().await?;
        println!("ctrl-c: ending");
        let _ = self.asked_at.set(Instant::now());
        self.bell.notify_waiters();
        Ok(())
    }

    fn is_asked(&self) -> bool {
        self.asked_at.get().is_some()
    }

    async fn asked(&self) {
        // Before it is looked at, so that no ring goes unheard in between.
        let rung = self.bell.notified();
        if !self.is_asked() {
            rung.await;
        }
    }

    /// Says how a call has ended. One that was cancelled has not failed.
    fn tell<E>(&self, what: &str, outcome: Result<(), RetryError<E>>) -> Result<(), RetryError<E>> {
        match outcome {
            Err(error) if error.reason == StopReason::Cancelled => {
                let after = self.asked_at.get().map_or(Duration::ZERO, Instant::elapsed);
                let attempts = error.attempts;
                println!("{what}: cancelled after {attempts} attempt, in {} ms", after.as_millis());
                Ok(())
            }
            outcome => outcome,
        }
    }
}

fn pauses(what: &str, attempt: &Attempt) {
    let (number, delay) = (attempt.number(), attempt.next_delay().unwrap_or_default());
    println!("{what}: attempt {number} failed, pausing for {delay:?}");
}

/// The async part: the future is made anew for every pause.
#[retry(
    stop = attempts(10),
    wait = fixed(1m),
    on = any_error(),
    before_sleep = |attempt, _| pauses("upload", attempt),
    cancel = shutdown.asked(),
)]
async fn upload(shutdown: &Shutdown) -> Result<(), RetryError<io::Error>> {
    Err(io::Error::from(io::ErrorKind::ConnectionRefused))
}

/// The sync part: a thread that sleeps looks at the flag every few milliseconds.
#[retry(
    stop = attempts(10),
    wait = fixed(1m),
    on = any_error(),
    before_sleep = |attempt, _| pauses("flush", attempt),
    cancel = || shutdown.is_asked(),
)]
fn flush(shutdown: &Shutdown) -> Result<(), RetryError<io::Error>> {
    Err(io::Error::from(io::ErrorKind::StorageFull))
}

/// Work that takes its time. An attempt that has begun is never cut by `cancel`.
#[retry(
    stop = attempts(3),
    wait = exponential(100ms).full_jitter(),
    on = any_error(),
    cancel = shutdown.asked(),
)]
async fn deliver(order: u32, shutdown: &Shutdown) -> Result<(), RetryError<io::Error>> {
    println!("order {order}: on its way");
    sleep(Duration::from_millis(500)).await;
    println!("order {order}: delivered");
    Ok::<_, io::Error>(())
}

async fn deliveries(shutdown: &Shutdown) -> Result<(), RetryError<io::Error>> {
    for order in 1.. {
        if shutdown.is_asked() {
            break;
        }
        shutdown.tell("order", deliver(order, shutdown).await)?;
    }
    Ok(())
}

async fn flushing(shutdown: Arc<Shutdown>) -> Result<Result<(), RetryError<io::Error>>, JoinError> {
    spawn_blocking(move || shutdown.tell("flush", flush(&shutdown))).await
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let shutdown = Arc::new(Shutdown::default());
    // In this order, so that nothing has begun before ctrl-c is listened to.
    let (listened, delivered, uploaded, flushed) = tokio::join!(
        shutdown.on_ctrl_c(),
        deliveries(&shutdown),
        async { shutdown.tell("upload", upload(&shutdown).await) },
        flushing(Arc::clone(&shutdown)),
    );
    listened?;
    delivered?;
    uploaded?;
    flushed??;
    println!("ended well");
    Ok(())
}
