//! Requests of the client reqwest, sent again (feature `reqwest`).
//!
//! - [`reqwest::Error`] is [`Transient`](retry_core::Transient), by how far the
//!   request had come, so that `on` may be left out.
//! - [`check_status`](ResponseExt::check_status) makes an error of an answer that is not good, with
//!   what the server asked to wait.
//! - [`RequestError`] is either of them, and shows no URL.
//! - [`send_retrying`](RequestBuilderExt::send_retrying) in place of `send` does all of it.
//!
//! ```no_run
//! use retry::http::{Statuses, statuses};
//! use retry::reqwest::{RequestError, ResponseExt};
//! use retry::retry;
//!
//! const RETRIED: Statuses = statuses::transient();
//!
//! #[retry(stop = attempts(5) | within(20s), wait = exponential(500ms).full_jitter(), idempotent)]
//! async fn fetch(client: &reqwest::Client, url: &str) -> Result<String, RequestError> {
//!     let response = client.get(url).send().await?.check_status(&RETRIED)?;
//!     Ok(response.text().await?)
//! }
//! ```
//!
//! No TLS and no default feature of reqwest is switched on: what the program wants of it, it says in
//! its own `Cargo.toml`. In a browser, where reqwest cannot tell how far a request had come, this
//! module is not there.

mod attempts;
mod body;
mod error;
mod future;
mod response;
mod send;

pub use self::error::RequestError;
pub use self::future::Sending;
pub use self::response::ResponseExt;
pub use self::send::{RequestBuilderExt, SendRetrying};
