//! `std::io::Error`.

use std::io::{Error, ErrorKind};

use crate::report::interrupted::{Interrupted, Interruption};
use crate::verdict::transient::Transient;
use crate::verdict::verdict::Verdict;

/// Judged by its kind:
///
/// | verdict | kinds |
/// |---|---|
/// | retry | connection refused, interrupted, would block |
/// | ambiguous (the other side may have received and done it) | connection reset, connection aborted, broken pipe, timed out, unexpected eof |
/// | permanent | the rest |
///
/// One that was made of an [`Interrupted`] is judged as that.
///
/// Whether a locked or missing file is worth another attempt depends on who locked it; say so
/// with `on = transient() | |error| error.kind() == ErrorKind::PermissionDenied`.
impl Transient for Error {
    fn verdict(&self) -> Verdict {
        let inner = self.get_ref().and_then(|inner| inner.downcast_ref::<Interrupted>());
        if let Some(interrupted) = inner {
            return interrupted.verdict();
        }
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

/// [`TimedOut`](ErrorKind::TimedOut) where time ran out, else [`Other`](ErrorKind::Other): not
/// [`Interrupted`](ErrorKind::Interrupted), which many loops repeat.
impl From<Interrupted> for Error {
    fn from(interrupted: Interrupted) -> Self {
        let kind = match interrupted.by() {
            Interruption::Deadline | Interruption::AttemptTimeout => ErrorKind::TimedOut,
            _ => ErrorKind::Other,
        };
        Self::new(kind, interrupted)
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
