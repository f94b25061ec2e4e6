//! The client: what a program copies.

use reqwest::{Client, Method};
use retry::config::ConfigError;
use retry::http::{IDEMPOTENCY_KEY, IdempotencyKey, Statuses, is_idempotent, statuses};
use retry::reqwest::{RequestError, ResponseExt};
use retry::{Breaker, Budget, PolicyConfig, retry};
use std::time::Duration;

/// How many retries all calls to the service may make together.
pub(crate) static BUDGET: Budget = Budget::new(500).initial(250);

/// Whether a call to it is worth being made. In production, 30 seconds.
pub(crate) static BREAKER: Breaker =
    Breaker::consecutive(5).open_for(Duration::from_millis(300)).jitter_factor(0.0);

/// 408, 425, 429, 502, 503 and 504; its 500 is a fault that stays.
const RETRIED: Statuses = statuses::transient();

/// A client of the service that keeps the orders.
pub(crate) struct Orders {
    client: Client,
    url: String,
    settings: PolicyConfig,
}

impl Orders {
    /// With bounds and waits as they are here, unless the environment says otherwise:
    /// `ORDERS_RETRY_ATTEMPTS=3`, `ORDERS_RETRY_DEADLINE=2s`.
    pub(crate) fn new(client: Client, url: String) -> Result<Self, ConfigError> {
        let ms = Duration::from_millis;
        // In production, 20 s, of which an attempt may take 5, and waits from 500 ms to 8 s.
        let settings = PolicyConfig::builder()
            .attempts(5)
            .deadline(ms(700))
            .attempt_timeout(ms(250))
            .exponential(ms(20))
            .cap(ms(320))
            .full_jitter()
            .build()?;
        Ok(Self { client, url, settings: settings.with_env("ORDERS_RETRY_")? })
    }

    pub(crate) async fn get(&self, path: &str) -> Result<String, RequestError> {
        self.send(Method::GET, path, "", None).await
    }

    /// Sent again only after what is sure to have had no effect.
    pub(crate) async fn post(&self, path: &str, body: &str) -> Result<String, RequestError> {
        self.send(Method::POST, path, body, None).await
    }

    /// Carried out once, however often it is sent, by a server that knows such keys. The key is that of
    /// the order, so that the order is not made twice by another call either.
    pub(crate) async fn post_once(
        &self,
        path: &str,
        body: &str,
        key: &IdempotencyKey,
    ) -> Result<String, RequestError> {
        self.send(Method::POST, path, body, Some(key)).await
    }

    #[retry(
        name = "orders",
        policy = self.settings,
        deadline = self.settings.deadline(),
        attempt_timeout = self.settings.attempt_timeout(),
        idempotent = key.is_some() || is_idempotent(&method),
        budget = &BUDGET,
        breaker = &BREAKER,
    )]
    async fn send(
        &self,
        method: Method,
        path: &str,
        body: &str,
        key: Option<&IdempotencyKey>,
    ) -> Result<String, RequestError> {
        let request = self.client.request(method.clone(), format!("{}{path}", self.url));
        let request = match key {
            Some(key) => request.header(IDEMPOTENCY_KEY, key),
            None => request,
        };
        let statuses = RETRIED.for_request(&method, key.is_some());
        let response = request.body(body.to_owned()).send().await?.check_status(&statuses)?;
        // Part of the attempt: an answer that breaks off is asked for again.
        Ok(response.text().await?)
    }
}
