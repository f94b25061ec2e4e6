//! How a breaker stands, and what it tells about it.

use core::fmt;
use core::time::Duration;

/// How a [`Breaker`](crate::Breaker) stands. Its `Display` is one lowercase word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BreakerState {
    /// Everything is let through.
    Closed,
    /// Nothing is let through until the open time is over.
    Open,
    /// The open time is over: probes are let through, and their results decide.
    HalfOpen,
}

impl BreakerState {
    /// The state as one lowercase word.
    ///
    /// ```
    /// assert_eq!(retry::BreakerState::HalfOpen.as_str(), "half_open");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Open => "open",
            Self::HalfOpen => "half_open",
        }
    }
}

impl fmt::Display for BreakerState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A [`Breaker`](crate::Breaker) has changed its state, as in `closed -> open for 30s`.
///
/// Given to the one caller that has changed it, so that each change can be told once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// How it stood.
    pub from: BreakerState,
    /// How it stands now.
    pub to: BreakerState,
    /// How long it will let nothing through: `None` unless it is open now, and where it was opened by
    /// hand and stays so.
    pub open_for: Option<Duration>,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {}", self.from, self.to)?;
        match self.open_for {
            Some(open_for) => write!(f, " for {open_for:?}"),
            None => Ok(()),
        }
    }
}

/// A [`Breaker`](crate::Breaker) has not let an attempt through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refused {
    /// How long until one may be let through at the earliest: until the open time is over, or, where
    /// all probes are out, until the lease of one ends (any of them may end sooner). `None` if the
    /// breaker was opened by hand and stays so.
    pub retry_after: Option<Duration>,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.retry_after {
            Some(wait) => write!(f, "the breaker is open, for {wait:?} at least"),
            None => f.write_str("the breaker is held open"),
        }
    }
}

impl std::error::Error for Refused {}
