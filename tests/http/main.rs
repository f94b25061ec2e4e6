//! What answers over HTTP mean: by their status, by their headers, and through the attribute.

#![allow(clippy::unwrap_used)] // a test that cannot go on should say where
#![allow(missing_docs)]

#[path = "../support/mod.rs"]
mod support;

mod attribute;
mod bytes;
mod idempotency;
mod retry_after;
mod statuses;

use http::{HeaderMap, HeaderName, HeaderValue, Response};
use support::{ms, secs};

/// Headers of these names and values, in order, the same name as often as it is there.
fn headers(pairs: &[(&str, &[u8])]) -> HeaderMap {
    let pair = |(name, value): &(&str, &[u8])| {
        (name.parse::<HeaderName>().unwrap(), HeaderValue::from_bytes(value).unwrap())
    };
    let mut headers = HeaderMap::new();
    for (name, value) in pairs.iter().map(pair) {
        headers.append(name, value);
    }
    headers
}

fn answer(status: u16, pairs: &[(&str, &str)]) -> Response<&'static str> {
    let response = Response::builder().status(status);
    pairs.iter().fold(response, |it, (name, value)| it.header(*name, *value)).body("").unwrap()
}
