//! A client of an HTTP service as production wants it:
//!
//! ```sh
//! cargo run --example http_client
//! ORDERS_RETRY_ATTEMPTS=2 cargo run --example http_client
//! ```
//!
//! `client.rs` is the whole of it: which statuses pass by themselves, how long the server asks to wait, what
//! may be sent twice and by which key, one limit for a call and one for an attempt, a budget and a breaker
//! for all calls, and settings from the environment. Here it calls a server that has bad days; the server
//! prints what it is asked, and the library logs what it makes of the answers.

mod client;
mod server;

use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;

use client::{BREAKER, BUDGET, Orders};
use retry::http::IdempotencyKey;
use retry::reqwest::RequestError;
use tokio::time::sleep;

fn tell(outcome: Result<String, RequestError>) {
    match outcome {
        Ok(body) => println!("= {body}"),
        Err(error) => println!("= failed: {error}"),
    }
}

async fn run() -> Result<(), Box<dyn Error>> {
    // One client for all requests, so that connections are used again.
    let client = reqwest::Client::builder().no_proxy().build()?;
    let orders = Orders::new(client, server::start().await?)?;

    println!("# an answer at once");
    tell(orders.get("/orders/1").await);

    println!("# a bad minute: asked to wait, cut off, a broken gateway");
    tell(orders.get("/orders/2").await);

    println!("# no such order: an answer, too");
    tell(orders.get("/orders/404").await);

    println!("# an hour is not waited for");
    tell(orders.get("/orders/3").await);

    println!("# a payment whose answer is lost, with a key: sent until it is answered");
    let key = IdempotencyKey::new("order-7")?;
    tell(orders.post_once("/orders", "tea", &key).await);

    println!("# the same without one: nobody knows, so it is not sent again");
    tell(orders.post("/mail", "tea is on its way").await);

    println!("# no answer, again and again: over in time all the same");
    tell(orders.get("/orders/5").await);

    println!(
        "# an outage: after five failures in a row the breaker opens, and the next call sends nothing"
    );
    tell(orders.get("/orders/1").await);
    tell(orders.get("/outage").await);
    tell(orders.get("/outage").await);
    sleep(Duration::from_millis(350)).await;
    println!("# later one request tries, and is answered; the breaker closes");
    tell(orders.get("/outage").await);

    let sites = retry::sites();
    println!("\n{sites}");
    let ratio = sites.get("orders").map_or(0.0, retry::SiteStats::retries_per_success);
    println!("retries per success: {ratio:.1}{}", if ratio > 0.1 { ", too many" } else { "" });
    println!(
        "budget: {} of {} tokens, {} refused",
        BUDGET.available(),
        BUDGET.size(),
        BUDGET.refused()
    );
    println!("breaker: opened {}, refused {}", BREAKER.opened(), BREAKER.refused());
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    // In production with `.json()`, and with the time.
    tracing_subscriber::fmt().without_time().with_ansi(false).with_target(false).init();
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
