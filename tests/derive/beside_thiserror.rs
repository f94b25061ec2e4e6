//! On the same enum as `thiserror`'s derive, whose attributes and ours do not meet.

use std::io;
use std::time::Duration;

use retry::{Transient, Verdict};
use thiserror::Error;

use crate::S;

#[derive(Debug, Error, Transient)]
enum FetchError<E: std::error::Error + 'static> {
    #[error("cannot reach the server")]
    #[transient(forward)]
    Io(#[from] io::Error),

    #[error("too many requests")]
    #[transient(retry_after = retry_after, throttled)]
    TooMany { retry_after: Option<Duration> },

    #[transient(forward)]
    #[error(transparent)]
    Other(E),

    #[permanent]
    #[error("{path}: no such thing")]
    NotFound {
        path: String,
        #[source]
        source: std::fmt::Error,
    },

    #[ambiguous]
    #[error("status {0}")]
    Status(u16),
}

#[derive(Debug, Error, Transient)]
#[error("reset")]
#[ambiguous]
struct TransportError;

#[test]
fn both_derives_say_what_they_are_told() {
    type E = FetchError<TransportError>;
    let io = || E::from(io::Error::from(io::ErrorKind::ConnectionRefused));
    let not_found = E::NotFound { path: "/".to_owned(), source: std::fmt::Error };
    for (error, text, verdict) in [
        (io(), "cannot reach the server", Verdict::Retry),
        (E::Other(TransportError), "reset", Verdict::Ambiguous),
        (
            E::TooMany { retry_after: Some(S) },
            "too many requests",
            Verdict::Retry.retry_after(S).throttled(),
        ),
        (not_found, "/: no such thing", Verdict::Final),
        (E::Status(504), "status 504", Verdict::Ambiguous),
    ] {
        assert_eq!((error.to_string().as_str(), error.verdict()), (text, verdict));
    }
}
