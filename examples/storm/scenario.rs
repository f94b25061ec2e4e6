//! What the clients do.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use retry::{BoxedPolicy, Breaker, Budget, policy, retry, retry_with};
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinSet;
use tokio::time::sleep_until;

use super::server::{DOWN_FROM, Down, SLOT, Server, UP_FROM, WATCHED};

const CLIENTS: u32 = 1_000;
/// How often each client makes a call, whatever has become of those before.
const EVERY: Duration = Duration::from_secs(2);

/// A way to retry.
pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    policy: fn() -> BoxedPolicy<Down>,
    budget: Option<fn() -> Budget>,
    breaker: Option<fn() -> Breaker>,
}

/// Doubling up to a cap: all that failed together come back together.
fn no_jitter() -> BoxedPolicy<Down> {
    policy! { stop = attempts(5), wait = exponential(2s).cap(8s), on = any_error() }.boxed()
}

/// How many libraries do it: the limit is put over what has its jitter already. Whatever is longer
/// becomes the limit itself, so from the third retry on all come back together again.
fn capped_jitter() -> BoxedPolicy<Down> {
    policy! {
        stop = attempts(5),
        wait = exponential(2s).jitter(2s).min(fixed(8s)),
        on = any_error(),
    }
    .boxed()
}

/// Anything from nothing to the backoff. Here `cap` and `full_jitter` may stand in either order.
fn full_jitter() -> BoxedPolicy<Down> {
    policy! { stop = attempts(5), wait = exponential(2s).cap(8s).full_jitter(), on = any_error() }
        .boxed()
}

/// What one process has: guards are no business between machines.
struct Client {
    policy: BoxedPolicy<Down>,
    budget: Option<Budget>,
    breaker: Option<Breaker>,
}

impl Client {
    #[retry(
        policy = self.policy,
        budget = self.budget.as_ref(),
        breaker = self.breaker.as_ref(),
        interrupted = |_| Down,
        log = off,
    )]
    async fn ask(&self, server: &Server) -> Result<(), Down> {
        server.ask().await
    }
}

/// What became of a scenario.
#[derive(Debug, PartialEq)]
pub(crate) struct Run {
    pub(crate) name: &'static str,
    /// The requests in each [`SLOT`].
    pub(crate) requests: Vec<u32>,
    /// The calls made during the outage.
    pub(crate) calls: u32,
    /// Those that ended with an error, whenever they were made.
    pub(crate) failed: u32,
}

impl Scenario {
    pub(crate) fn all() -> [Self; 5] {
        let plain = |name, policy| Self { name, policy, budget: None, breaker: None };
        let budget: fn() -> Budget = || Budget::new(160);
        let breaker: fn() -> Breaker = || Breaker::consecutive(5).open_for(Duration::from_secs(25));
        [
            plain("no jitter", no_jitter),
            plain("capped jitter", capped_jitter),
            plain("full jitter", full_jitter),
            Self { budget: Some(budget), ..plain("full jitter, budget", full_jitter) },
            Self { breaker: Some(breaker), ..plain("full jitter, breaker", full_jitter) },
        ]
    }

    /// Lets the clients call for as long as the server is watched. Told is the share that is done.
    pub(crate) fn run(&self, told: impl Fn(f64)) -> io::Result<Run> {
        Ok(runtime()?.block_on(self.storm(told)))
    }

    async fn storm(&self, told: impl Fn(f64)) -> Run {
        let server = Arc::new(Server::start());
        let client = |_| {
            Arc::new(Client {
                policy: (self.policy)(),
                budget: self.budget.map(|budget| budget()),
                breaker: self.breaker.map(|breaker| breaker()),
            })
        };
        let clients: Vec<_> = (0..CLIENTS).map(client).collect();

        let mut calling = JoinSet::new();
        let mut calls = 0;
        for (number, client) in (0_u32..).zip(clients.iter().cycle()) {
            let at = EVERY * number / CLIENTS;
            if at >= WATCHED {
                break;
            }
            sleep_until(server.at(at)).await;
            calls += u32::from((DOWN_FROM..UP_FROM).contains(&at));
            let (client, server) = (Arc::clone(client), Arc::clone(&server));
            let call = async move { client.ask(&server).await };
            // So that every run draws the same.
            calling.spawn(retry_with().seed(number.into()).scope(call));
            if number % CLIENTS == 0 {
                told(at.as_secs_f64() / WATCHED.as_secs_f64());
            }
        }
        let mut failed = 0;
        while let Some(outcome) = calling.join_next().await {
            failed += u32::from(!matches!(outcome, Ok(Ok(()))));
        }
        Run { name: self.name, requests: server.requests(), calls, failed }
    }
}

/// In virtual time, and on one thread. A new one for each run: in which order timers of the same
/// moment ring depends on how long their clock has been going.
pub(crate) fn runtime() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_time().start_paused(true).build()
}

impl Run {
    /// The requests sent during the outage.
    pub(crate) fn sent(&self) -> u32 {
        self.between(DOWN_FROM, UP_FROM).iter().sum()
    }

    /// The most requests in any slot.
    pub(crate) fn peak(&self) -> u32 {
        self.requests.iter().copied().max().unwrap_or_default()
    }

    /// The requests in each slot from one time to another.
    pub(crate) fn between(&self, from: Duration, to: Duration) -> &[u32] {
        let slot = |time: Duration| {
            let slot = usize::try_from(time.as_millis() / SLOT.as_millis()).unwrap_or(usize::MAX);
            slot.min(self.requests.len())
        };
        &self.requests[slot(from)..slot(to)]
    }
}
