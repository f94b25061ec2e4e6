//! What a retried function does, as metrics for Prometheus:
//!
//! ```sh
//! cargo run --example metrics
//! ```
//!
//! It makes a few calls that go well, badly or nowhere, and prints what a scrape over HTTP gives.
//! With `-- --stay` it goes on serving the metrics, for `curl` or a Prometheus of your own.
//!
//! What there is to watch, and to be woken by:
//!
//! The load that retrying adds to the other side. Above 0.1 something is wrong, even while every call
//! still succeeds in the end. Where none does, there may be no series of successes: hence the `or`.
//!
//! ```text
//! sum by (name) (rate(retry_retries_total[5m]))
//!   / sum by (name) (
//!     rate(retry_calls_total{outcome=~"first_try|recovered"}[5m]) or 0 * rate(retry_retries_total[5m])
//!   )
//!   > 0.1
//! ```
//!
//! The calls that have given up, by `reason`. An answer that another attempt would not change, such as
//! a 404, is none of them: its `outcome` is `permanent`.
//!
//! ```text
//! sum by (name, reason) (rate(retry_calls_total{outcome="given_up"}[5m]))
//! ```
//!
//! And `histogram_quantile(0.99, sum by (le, name) (rate(retry_delay_seconds_bucket[5m])))`: how long
//! calls wait before another attempt.

pub(crate) mod server;

use std::env;
use std::error::Error;
use std::future::pending;
use std::time::Duration;

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use reqwest::{Client, StatusCode};
use retry::{Verdict, retry, retry_with};
use tokio::time::timeout;

/// Asks for `path`. A gateway that has waited in vain may have passed the request on; asking
/// twice is harmless, so this is `idempotent`.
#[retry(
    name = "fetch",
    stop = attempts(3),
    wait = exponential(10ms).throttled(fixed(40ms)),
    on = |status: &StatusCode| verdict(*status),
    idempotent,
)]
pub(crate) async fn fetch(client: &Client, url: &str, path: &str) -> Result<(), StatusCode> {
    let response = client.get(format!("{url}{path}")).send().await;
    let status = response.map_or(StatusCode::BAD_GATEWAY, |response| response.status());
    if status.is_success() { Ok(()) } else { Err(status) }
}

/// What an answer means for another attempt.
fn verdict(status: StatusCode) -> Verdict {
    match status {
        StatusCode::TOO_MANY_REQUESTS => Verdict::Retry.throttled(),
        StatusCode::GATEWAY_TIMEOUT => Verdict::Ambiguous,
        status if status.is_server_error() => Verdict::Retry,
        _ => Verdict::Final,
    }
}

/// Installs the exporter. It should be there before the first call: what happens earlier is not
/// counted.
pub(crate) fn install() -> Result<PrometheusHandle, Box<dyn Error>> {
    // Without buckets the exporter makes quantiles of its own, which cannot be added up over
    // several machines.
    let delays = Matcher::Full("retry_delay_seconds".to_owned());
    let buckets = [0.01, 0.02, 0.05, 0.1, 0.5, 1.0, 5.0, 30.0];
    Ok(PrometheusBuilder::new().set_buckets_for_metric(delays, &buckets)?.install_recorder()?)
}

/// Calls that end in every way there is, short of a panic.
pub(crate) async fn traffic(url: &str) {
    let client = Client::new();
    let call = |path: &'static str| {
        let call = fetch(&client, url, path);
        async move { println!("{path}: {:?}", call.await) }
    };
    // Well at once, and well in the end.
    for path in ["/200/tea", "/200/milk", "/503/200", "/503/504/200", "/429/503/200"] {
        call(path).await;
    }
    // Out of attempts, and not worth another one.
    for path in ["/503", "/404", "/429/404"] {
        call(path).await;
    }
    // Nobody answers, and the caller has better things to do.
    let path = "/0";
    if timeout(Duration::from_millis(20), call(path)).await.is_err() {
        println!("{path}: cancelled");
    }
    // With retrying switched off there is still one attempt.
    retry_with().enabled(false).scope(call("/503/200/off")).await;
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let scraped = server::metrics(install()?).await?;
    traffic(&server::flaky().await?).await;

    println!("\n{}\n", retry::sites());
    println!("{scraped}");
    print!("{}", reqwest::get(&scraped).await?.text().await?);
    if env::args().any(|argument| argument == "--stay") {
        println!("serving until it is ended");
        pending::<()>().await;
    }
    Ok(())
}
