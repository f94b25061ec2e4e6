//! `reqwest::Error`.

use std::io::{self, ErrorKind};

use reqwest::{Error, StatusCode};

use crate::strategy::on::chain::errors_below;
use crate::verdict::transient::Transient;
use crate::verdict::verdict::Verdict;

/// Judged by how far the request had come (feature `reqwest`):
///
/// | what happened | verdict |
/// |---|---|
/// | no connection: refused, unknown host, timed out while connecting | retry: nothing was sent, so with any method |
/// | a certificate that does not hold, or no TLS at the other side | permanent |
/// | the request could not be built, too many redirects, an answer that does not decode, an upgrade that failed | permanent |
/// | anything after that: reset, closed, timed out, the body cut short | ambiguous |
/// | a status, from `error_for_status` | as of the transient ones: 408, 425, 429 and 503 retry, 502 and 504 ambiguous, the rest permanent |
///
/// A timeout of the whole request that ran out while it was connecting does not say so, and is
/// ambiguous; a `connect_timeout` does.
///
/// An error of `error_for_status` has lost the headers, and with them what the server asked to wait.
#[diagnostic::do_not_recommend]
impl Transient for Error {
    fn verdict(&self) -> Verdict {
        if let Some(status) = self.status() {
            return of_status(status);
        }
        if self.is_builder() || self.is_redirect() || self.is_upgrade() || stays(self) {
            return Verdict::Final;
        }
        if self.is_connect() {
            return Verdict::Retry;
        }
        // What reads the body says that it could not decode it, too, where it was cut short.
        if self.is_decode() && !self.is_timeout() && !is_cut(self) {
            return Verdict::Final;
        }
        Verdict::Ambiguous
    }
}

fn of_status(status: StatusCode) -> Verdict {
    match status {
        StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_EARLY => Verdict::Retry,
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
            Verdict::Retry.throttled()
        }
        StatusCode::BAD_GATEWAY | StatusCode::GATEWAY_TIMEOUT => Verdict::Ambiguous,
        _ => Verdict::Final,
    }
}

/// Whether what is below it stays as it is: the other side is not who it should be, or does not
/// speak TLS, or the proxy or the URL is not what it takes.
fn stays(error: &Error) -> bool {
    errors_below(error).any(|source| {
        if let Some(error) = source.downcast_ref::<Error>() {
            return error.is_builder() || error.is_redirect();
        }
        // Which TLS there is, and so the type of its error, is the user's choice: rustls puts its own
        // into one of these, native TLS says what is wrong in words.
        let invalid = source.downcast_ref::<io::Error>().is_some_and(|it| {
            matches!(it.kind(), ErrorKind::InvalidData | ErrorKind::InvalidInput)
        });
        invalid || says_so(&source.to_string())
    })
}

fn says_so(text: &str) -> bool {
    ["certificate", "invalid URL", "proxy auth"].iter().any(|words| text.contains(words))
}

/// Whether the connection broke below it.
fn is_cut(error: &Error) -> bool {
    errors_below(error).any(|source| {
        source.downcast_ref::<io::Error>().is_some_and(|it| !it.verdict().is_final())
            || source.downcast_ref::<Error>().is_some_and(|it| !it.is_decode())
    })
}
