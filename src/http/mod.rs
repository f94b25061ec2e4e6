//! What answers over HTTP mean (feature `http`): which statuses are worth another attempt, how long
//! the server asks to wait, which requests may be sent twice.
//!
//! It knows the types of the crate `http` and no client, so that users of hyper, axum, reqwest and
//! others share it. The [chapter](crate::guide::http) of the guide shows it in whole.
//!
//! ```
//! use http::{Method, Response};
//! use retry::http::{is_idempotent, statuses};
//! use retry::retry;
//!
//! # fn send(calls: u32) -> std::io::Result<Response<String>> {
//! #     let status = if calls < 3 { 502 } else { 200 };
//! #     Response::builder().status(status).body(String::new()).map_err(std::io::Error::other)
//! # }
//! #[retry(
//!     stop = attempts(5),
//!     wait = none(),
//!     on = ok(|response| statuses::transient().verdict(response)) | transient(),
//!     idempotent = is_idempotent(&method),
//! )]
//! fn fetch(method: Method, calls: &mut u32) -> std::io::Result<Response<String>> {
//!     *calls += 1;
//!     // … a request with that `method`
//!     # send(*calls)
//! }
//!
//! let mut calls = 0;
//! assert_eq!(fetch(Method::GET, &mut calls)?.status(), 200);
//! assert_eq!(calls, 3);
//! // A gateway that lost the answer may have delivered the request.
//! let mut calls = 0;
//! assert_eq!(fetch(Method::POST, &mut calls)?.status(), 502);
//! assert_eq!(calls, 1);
//! # Ok::<(), std::io::Error>(())
//! ```

mod error;
mod idempotency;
mod retry_after;
pub mod statuses;

pub use self::error::StatusError;
pub use self::idempotency::{IDEMPOTENCY_KEY, IdempotencyKey, InvalidKey, is_idempotent};
pub use self::retry_after::{retry_after, retry_after_at};
pub use self::statuses::Statuses;
