//! Calls an HTTP server that is unavailable at first, and gets its answer on the third attempt:
//!
//! ```sh
//! cargo run --example quickstart
//! ```

mod support;

use std::error::Error;
use std::fmt;

use reqwest::{Client, StatusCode};
use retry::retry;

/// At most five attempts, none of them later than 30 seconds after the first. The waits grow,
/// 100 ms, 200 ms, 400 ms and so on up to 10 s; the jitter draws each from zero to that number,
/// so that many clients of one server do not come back all at once.
#[retry(
    stop = attempts(5) | within(30s),
    wait = exponential(100ms).cap(10s).full_jitter(),
    on = ApiError::is_transient,
)]
async fn fetch_answer(client: &Client, url: &str) -> Result<String, ApiError> {
    let response = client.get(url).send().await?;
    if !response.status().is_success() {
        return Err(ApiError::Status(response.status()));
    }
    Ok(response.text().await?)
}

/// An error type of your own needs nothing from this library.
#[derive(Debug)]
enum ApiError {
    Status(StatusCode),
    Transport(reqwest::Error),
}

impl ApiError {
    /// Whether the same request may succeed a moment later. A 404 will not, so it is returned
    /// at once. A request that timed out may have reached the server; reading twice is harmless,
    /// ordering twice would not be.
    fn is_transient(&self) -> bool {
        match self {
            Self::Status(status) => {
                status.is_server_error() || *status == StatusCode::TOO_MANY_REQUESTS
            }
            Self::Transport(error) => error.is_connect() || error.is_timeout(),
        }
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status(status) => write!(f, "the server answered {status}"),
            Self::Transport(error) => error.fmt(f),
        }
    }
}

impl Error for ApiError {}

impl From<reqwest::Error> for ApiError {
    fn from(error: reqwest::Error) -> Self {
        Self::Transport(error)
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    // Every retry is an event of the crate `tracing`. This prints them as they are; in a service of
    // yours they go where its other events go.
    tracing_subscriber::fmt().without_time().init();

    let url = support::flaky_server().await?;
    println!("asking {url}");

    let answer = fetch_answer(&Client::new(), &url).await?;
    println!("answer: {answer}");
    Ok(())
}
