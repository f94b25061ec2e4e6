//! What a budget and a breaker let through while nothing answers, and where jitter lands.

use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use retry::{BoxedPolicy, Breaker, Budget, policy, record_sync, retry, retry_with};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

use super::scenario::runtime;
use super::server::{Down, SLOT};

const MINUTE: Duration = Duration::from_secs(60);

pub(crate) struct Figures {
    /// Requests sent for each call, by one client of 1,000 calls a second with a budget.
    pub(crate) one_client: f64,
    /// The same by 500 clients of 2 calls a second, each with a budget that is full at first.
    pub(crate) small_clients: f64,
    /// Requests of 4,000 calls in 20 minutes, without a breaker and with one.
    pub(crate) without_breaker: u32,
    pub(crate) with_breaker: u32,
    /// Slots in which 1,000 clients come back after their sixth failure: with a limit over the
    /// jitter, and with full jitter.
    pub(crate) capped_slots: usize,
    pub(crate) full_slots: usize,
}

impl Figures {
    /// Told is the share that is done.
    pub(crate) fn compute(told: impl Fn(f64)) -> io::Result<Self> {
        Ok(runtime()?.block_on(Self::of_outages(told)))
    }

    async fn of_outages(told: impl Fn(f64)) -> Self {
        // The worst case: an outage finds every budget full.
        let budget = || Outage::new(Some(Budget::new(160).initial(160)), None);
        let (calls, often) = (60_000, Duration::from_millis(1));
        let one_client = budget().requests(calls, often).await;
        told(0.5);
        let mut small_clients = 0;
        for client in 0..500 {
            small_clients += budget().requests(120, MINUTE / 120).await;
            told(0.5 + 0.4 * f64::from(client) / 500.0);
        }
        let breaker = Breaker::consecutive(5).open_for(Duration::from_secs(30));
        let (in_20_minutes, often) = (4_000, MINUTE / 200);
        let without_breaker = Outage::new(None, None).requests(in_20_minutes, often).await;
        let with_breaker = Outage::new(None, Some(breaker)).requests(in_20_minutes, often).await;
        Self {
            one_client: f64::from(one_client) / f64::from(calls),
            small_clients: f64::from(small_clients) / f64::from(500 * 120),
            without_breaker,
            with_breaker,
            capped_slots: slots(&capped_jitter()),
            full_slots: slots(&full_jitter()),
        }
    }
}

/// One client of a server that never answers.
struct Outage {
    requests: AtomicU32,
    budget: Option<Budget>,
    breaker: Option<Breaker>,
}

impl Outage {
    fn new(budget: Option<Budget>, breaker: Option<Breaker>) -> Arc<Self> {
        Arc::new(Self { requests: AtomicU32::new(0), budget, breaker })
    }

    #[retry(
        stop = attempts(5),
        wait = exponential(100ms).cap(2s).full_jitter(),
        on = any_error(),
        budget = self.budget.as_ref(),
        breaker = self.breaker.as_ref(),
        interrupted = |_| Down,
        log = off,
    )]
    async fn ask(&self) -> Result<(), Down> {
        self.requests.fetch_add(1, Ordering::Relaxed);
        Err(Down)
    }

    /// How many requests so many calls send.
    async fn requests(self: Arc<Self>, calls: u32, every: Duration) -> u32 {
        let start = Instant::now();
        let mut calling = JoinSet::new();
        for number in 0..calls {
            sleep_until(start + every * number).await;
            let client = Arc::clone(&self);
            let call = async move { client.ask().await };
            calling.spawn(retry_with().seed(number.into()).scope(call));
            while calling.try_join_next().is_some() {}
        }
        calling.join_all().await;
        self.requests.load(Ordering::Relaxed)
    }
}

fn capped_jitter() -> BoxedPolicy<Down> {
    policy! {
        stop = attempts(7),
        wait = exponential(500ms).jitter(1s).min(fixed(8s)),
        on = any_error(),
    }
    .boxed()
}

fn full_jitter() -> BoxedPolicy<Down> {
    policy! { stop = attempts(7), wait = exponential(500ms).cap(8s).full_jitter(), on = any_error() }
        .boxed()
}

/// In how many slots a thousand clients come back that have failed for the sixth time together.
fn slots(policy: &BoxedPolicy<Down>) -> usize {
    let sixth = |client| {
        let fails = || policy.call(|| Err::<(), _>(Down));
        let alone = retry_with().virtual_time().seed(client);
        let (_, reports) = record_sync(|| alone.sync_scope(fails));
        let delay = reports.first().and_then(|report| report.delays().nth(5));
        delay.unwrap_or_default().as_millis() / SLOT.as_millis()
    };
    (0..1_000).map(sixth).collect::<BTreeSet<_>>().len()
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { one_client, small_clients, without_breaker, with_breaker, .. } = self;
        writeln!(f, "requests a call in a minute of outage, a full budget of 160:")?;
        writeln!(f, "  one client, 1,000 calls/s        {one_client:.4}")?;
        writeln!(f, "  500 clients, 2 calls/s each      {small_clients:.4}")?;
        writeln!(f, "requests in 20 minutes of outage, 200 calls a minute, 5 attempts:")?;
        writeln!(f, "  without a breaker                {without_breaker}")?;
        writeln!(f, "  a breaker of 30 s                {with_breaker}")?;
        writeln!(f, "slots of 100 ms in which 1,000 clients come back after their sixth failure:")?;
        writeln!(f, "  the limit of 8 s over the jitter {}", self.capped_slots)?;
        write!(f, "  full jitter, capped at 8 s       {}", self.full_slots)
    }
}
