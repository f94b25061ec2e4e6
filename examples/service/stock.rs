//! The client of the other service, in which all that is retried is.

use std::error::Error;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use reqwest::{Client, Response, StatusCode};
use retry::{Breaker, Budget, Interrupted, Transient, retry};
use tokio::sync::watch;

use super::app::Settings;

/// All calls to the other service share these: one of each for a dependency.
static BUDGET: Budget = Budget::new(500);
static BREAKER: Breaker = Breaker::consecutive(6).open_for(Duration::from_secs(30));

/// What can go wrong, and which of it is worth another attempt.
#[derive(Debug, Transient)]
pub(crate) enum StockError {
    /// There is no such thing: that is an answer.
    #[permanent]
    Unknown,
    /// The other service says that it cannot, and maybe when it can.
    #[transient(retry_after = after, throttled)]
    Busy { after: Option<Duration> },
    /// No answer, or half of one. Asking again is harmless.
    #[transient]
    Lost(reqwest::Error),
    /// What it answered is not understood.
    #[permanent]
    Odd(String),
    /// The call was cut or refused: its time is up, the breaker is open, or the service shuts down.
    #[permanent]
    Interrupted(Interrupted),
}

impl fmt::Display for StockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("no such item"),
            Self::Busy { .. } => f.write_str("the stock is busy"),
            Self::Lost(_) => f.write_str("the stock did not answer"),
            Self::Odd(answer) => write!(f, "the stock answered {answer:?}"),
            Self::Interrupted(interrupted) => interrupted.fmt(f),
        }
    }
}

impl Error for StockError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Lost(error) => Some(error),
            _ => None,
        }
    }
}

impl From<Interrupted> for StockError {
    fn from(interrupted: Interrupted) -> Self {
        Self::Interrupted(interrupted)
    }
}

impl StockError {
    /// What the caller of this service gets.
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::Unknown => StatusCode::NOT_FOUND,
            Self::Busy { .. } | Self::Interrupted(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Lost(_) | Self::Odd(_) => StatusCode::BAD_GATEWAY,
        }
    }
}

pub(crate) struct Stock {
    client: Client,
    url: String,
    settings: Settings,
    stopping: watch::Receiver<bool>,
    /// Whether the prices have been fetched once.
    pub(crate) has_prices: AtomicBool,
}

impl Stock {
    pub(crate) fn new(url: &str, settings: Settings, stopping: watch::Receiver<bool>) -> Self {
        let (client, url) = (Client::new(), url.to_owned());
        Self { client, url, settings, stopping, has_prices: AtomicBool::new(false) }
    }

    /// How many there are of an item. Somebody waits for the answer: all is limited, and once the other
    /// service is down nobody waits for it.
    #[retry(
        name = "stock",
        policy = self.settings.stock,
        on = transient(),
        idempotent,
        deadline = self.settings.stock.deadline(),
        attempt_timeout = self.settings.stock.attempt_timeout(),
        budget = &BUDGET,
        breaker = &BREAKER,
        cancel = stops(&self.stopping),
    )]
    pub(crate) async fn count(&self, item: &str) -> Result<u32, StockError> {
        let text =
            self.get(&format!("stock/{item}")).await?.text().await.map_err(StockError::Lost)?;
        text.parse().map_err(|_| StockError::Odd(text))
    }

    /// The prices, which the service cannot do without. Nobody waits for them, so there is no limit but
    /// the end of the service.
    #[retry(
        name = "prices",
        forever,
        wait = self.settings.prices.wait(),
        on = |error| !matches!(error, StockError::Interrupted(_)),
        breaker = BREAKER.waiting(),
        cancel = stops(&self.stopping),
        warn_every = 1m,
    )]
    pub(crate) async fn prices(&self) -> Result<(), StockError> {
        self.get("prices").await?;
        self.has_prices.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Asks once: what is retried is around it.
    async fn get(&self, path: &str) -> Result<Response, StockError> {
        let url = format!("{}/{path}", self.url);
        let response = self.client.get(url).send().await.map_err(StockError::Lost)?;
        match response.status() {
            status if status.is_success() => Ok(response),
            StatusCode::NOT_FOUND => Err(StockError::Unknown),
            StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS => {
                let after = response.headers().get("retry-after");
                let after = after.and_then(|after| after.to_str().ok()?.parse().ok());
                Err(StockError::Busy { after: after.map(Duration::from_secs) })
            }
            status => Err(StockError::Odd(status.to_string())),
        }
    }
}

/// Ends when the service is to end.
pub(crate) async fn stops(stopping: &watch::Receiver<bool>) {
    // A sender that is gone will say no more: the service ends with it.
    let _ = stopping.clone().wait_for(|stops| *stops).await;
}
