//! A whole service: it answers from another one that fails now and then.
//!
//! ```sh
//! cargo run --example service
//! ```
//!
//! Its policies come from a file and the environment (`SERVICE_STOCK_ATTEMPTS=5`), its calls have limits
//! in time, share a budget and a breaker, and end when it shuts down with ctrl-c. `/metrics` is for
//! Prometheus, `/debug/retries` for people, and a POST to `/debug/retries/off` is for an incident.

pub(crate) mod app;
pub(crate) mod stock;
pub(crate) mod upstream;

use std::error::Error;

use app::Settings;
use tokio::sync::watch;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let settings = Settings::read(include_str!("service.toml"))?;
    let upstream = upstream::start().await?;
    let (stop, stopping) = watch::channel(false);
    let (url, service) = app::start(settings, &upstream.url, stopping).await?;
    println!("{url}/stock/tea");
    println!("{url}/stock/flaky");
    println!("{url}/stock/down");
    println!("{url}/metrics");
    println!("{url}/debug/retries");
    tokio::signal::ctrl_c().await?;
    stop.send_replace(true);
    service.await??;
    println!("{}", retry::sites());
    println!(
        "the other service was asked for something flaky {} times",
        upstream.asked.times("flaky")
    );
    Ok(())
}
