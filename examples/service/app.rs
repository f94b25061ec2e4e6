//! The service itself: its settings, its endpoints, its start and its end.

use std::error::Error;
use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use retry::PolicyConfig;
use serde::Deserialize;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::stock::{Stock, stops};

#[derive(Deserialize)]
pub(crate) struct Settings {
    pub(crate) stock: PolicyConfig,
    pub(crate) prices: PolicyConfig,
}

impl Settings {
    /// Those of the file, with what the environment says instead. All that is wrong is told here, before
    /// the service starts.
    pub(crate) fn read(file: &str) -> Result<Self, Box<dyn Error>> {
        let Self { stock, prices } = toml::from_str(file)?;
        let stock = stock.with_env("SERVICE_STOCK_")?;
        let prices = prices.with_env("SERVICE_PRICES_")?;
        Ok(Self { stock, prices })
    }
}

#[derive(Clone)]
struct App {
    stock: Arc<Stock>,
    metrics: PrometheusHandle,
}

/// Starts the service, and gives its URL and what ends when it has shut down.
pub(crate) async fn start(
    settings: Settings,
    upstream: &str,
    stopping: watch::Receiver<bool>,
) -> Result<(String, JoinHandle<io::Result<()>>), Box<dyn Error>> {
    // Before the first call: what happens earlier is not counted.
    let metrics = PrometheusBuilder::new().install_recorder()?;
    let stock = Arc::new(Stock::new(upstream, settings, stopping.clone()));
    let app = Router::new()
        .route("/stock/{item}", get(count))
        .route("/ready", get(ready))
        .route("/metrics", get(async |State(app): State<App>| app.metrics.render()))
        .route("/debug/retries", get(async || format!("{}\n", retry::sites())))
        .route("/debug/retries/{switch}", post(switch))
        .with_state(App { stock: Arc::clone(&stock), metrics });
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}", listener.local_addr()?);
    let service = tokio::spawn(async move {
        // In a task of its own: requests are answered meanwhile.
        let prices = tokio::spawn(async move { stock.prices().await });
        let serving = axum::serve(listener, app);
        serving.with_graceful_shutdown(async move { stops(&stopping).await }).await?;
        // It ends too when the service does.
        if let Ok(Err(error)) = prices.await {
            println!("no prices: {error}");
        }
        Ok(())
    });
    Ok((url, service))
}

async fn count(
    State(app): State<App>,
    Path(item): Path<String>,
) -> Result<String, (StatusCode, String)> {
    let count = app.stock.count(&item).await;
    count.map(|count| count.to_string()).map_err(|error| (error.status(), format!("{error}\n")))
}

async fn ready(State(app): State<App>) -> StatusCode {
    let has_prices = app.stock.has_prices.load(Ordering::Relaxed);
    if has_prices { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE }
}

/// For an incident: from now on every call is made once.
async fn switch(Path(switch): Path<String>) -> Result<String, StatusCode> {
    match switch.as_str() {
        "on" => retry::set_enabled(true),
        "off" => retry::set_enabled(false),
        _ => return Err(StatusCode::NOT_FOUND),
    }
    Ok(format!("retries are {switch}\n"))
}
