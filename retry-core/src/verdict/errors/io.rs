//! `std::io::Error`.

use std::io::{Error, ErrorKind};

use crate::verdict::transient::Transient;
use crate::verdict::verdict::Verdict;

/// Judged by its kind:
///
/// | verdict | kinds |
/// |---|---|
/// | retry | connection refused, interrupted, would block |
/// | ambiguous (the other side may have received and done it) | connection reset, connection aborted, broken pipe, timed out, unexpected eof |
/// | final | the rest |
///
/// Whether a locked or missing file is worth another attempt depends on who locked it; say so
/// with `on = transient() | |error| error.kind() == ErrorKind::PermissionDenied`.
impl Transient for Error {
    fn verdict(&self) -> Verdict {
        match self.kind() {
            ErrorKind::ConnectionRefused | ErrorKind::Interrupted | ErrorKind::WouldBlock => {
                Verdict::Retry
            }
            ErrorKind::ConnectionReset
            | ErrorKind::ConnectionAborted
            | ErrorKind::BrokenPipe
            | ErrorKind::TimedOut
            | ErrorKind::UnexpectedEof => Verdict::Ambiguous,
            _ => Verdict::Final,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_judged_as_documented() {
        let verdict = |kind| Error::from(kind).verdict();
        for kind in [ErrorKind::ConnectionRefused, ErrorKind::Interrupted, ErrorKind::WouldBlock] {
            assert_eq!(verdict(kind), Verdict::Retry, "{kind:?}");
        }
        for kind in [
            ErrorKind::ConnectionReset,
            ErrorKind::ConnectionAborted,
            ErrorKind::BrokenPipe,
            ErrorKind::TimedOut,
            ErrorKind::UnexpectedEof,
        ] {
            assert_eq!(verdict(kind), Verdict::Ambiguous, "{kind:?}");
        }
        for kind in [
            ErrorKind::NotFound,
            ErrorKind::PermissionDenied,
            ErrorKind::AlreadyExists,
            ErrorKind::InvalidData,
            ErrorKind::HostUnreachable,
            ErrorKind::Other,
        ] {
            assert_eq!(verdict(kind), Verdict::Final, "{kind:?}");
        }
    }
}
