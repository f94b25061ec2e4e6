//! What happens in a call, as one value for all who count or show it.

use core::fmt;
use core::time::Duration;

use crate::attempt::call_id::CallId;
use crate::guard::breaker::state::Change;
use crate::report::interrupted::Interruption;
use crate::report::reason::StopReason;
use crate::stats::site::Site;

/// An error's text, if the outcome had an error.
pub(crate) type ErrorText<'a> = Option<&'a dyn fmt::Display>;

/// Something that happens in a call, a success of its first attempt excepted.
#[derive(Clone, Copy)]
pub(crate) enum Event<'a> {
    /// An attempt has failed, and another will be made. Only told to those who show it.
    #[cfg_attr(not(feature = "tracing"), allow(dead_code))]
    Retrying(Retrying<'a>),
    /// An attempt is healthy after others have failed.
    #[cfg_attr(not(feature = "tracing"), allow(dead_code))]
    Healthy(Healthy, Option<CallId>),
    /// The pause before an attempt is over: how long it was planned.
    Waited(Duration),
    /// The call has ended.
    Ended(Ended<'a>),
    /// The call has ended in a panic.
    Panicked,
    /// It retries inside of another retry. Only told to those who show it.
    #[cfg_attr(not(feature = "tracing"), allow(dead_code))]
    Multiplied(Multiplied),
    /// A sync call is about to sleep where async tasks run. Only told to those who show it.
    #[cfg_attr(not(all(feature = "tracing", feature = "tokio")), allow(dead_code))]
    Blocks(Option<CallId>),
    /// It has changed the state of its breaker. Counted by metrics alone.
    #[cfg_attr(not(any(feature = "tracing", feature = "metrics")), allow(dead_code))]
    Changed(Change, Option<CallId>),
}

/// An attempt has failed, and another will be made.
#[derive(Clone, Copy)]
#[cfg_attr(not(feature = "tracing"), allow(dead_code))]
pub(crate) struct Retrying<'a> {
    pub(crate) call: Option<CallId>,
    /// The number of the attempt.
    pub(crate) attempt: u32,
    pub(crate) delay: Duration,
    /// `None` at the first failure of a call that read no clock at its start.
    pub(crate) elapsed: Option<Duration>,
    /// How many attempts may still be made, if `stop` counts them.
    pub(crate) left: Option<u32>,
    /// Whether it is worth a warning.
    pub(crate) loud: bool,
    pub(crate) error: ErrorText<'a>,
}

/// An attempt is healthy, or has been, after others have failed: the outage is over.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "tracing"), allow(dead_code))]
pub(crate) struct Healthy {
    /// The number of the attempt.
    pub(crate) attempt: u32,
    /// How many it took in this outage.
    pub(crate) retries: u32,
    /// From when the outage began to when the attempt started, if both are known.
    pub(crate) lasted: Option<Duration>,
}

/// The attempts of a call, inside of those of another.
#[derive(Clone, Copy)]
#[cfg_attr(not(feature = "tracing"), allow(dead_code))]
pub(crate) struct Multiplied {
    pub(crate) call: Option<CallId>,
    pub(crate) outer: &'static Site,
    /// How many attempts the call around makes at most.
    pub(crate) around: u32,
    /// How many the call itself makes at most.
    pub(crate) most: u32,
    /// How many that comes to.
    pub(crate) product: u32,
}

/// A call has ended.
#[derive(Clone, Copy)]
#[cfg_attr(not(feature = "tracing"), allow(dead_code))]
pub(crate) struct Ended<'a> {
    /// Known where somebody listens.
    pub(crate) call: Option<CallId>,
    pub(crate) reason: StopReason,
    /// How many attempts have failed and could have been followed by another.
    pub(crate) failures: u32,
    /// How many were made.
    pub(crate) attempts: u32,
    pub(crate) elapsed: Option<Duration>,
    /// What has cut the last attempt.
    pub(crate) cut: Option<Interruption>,
    pub(crate) error: ErrorText<'a>,
}

impl<'a> Ended<'a> {
    /// A call that was refused before its first attempt.
    pub(crate) const fn refused(reason: StopReason, error: ErrorText<'a>) -> Self {
        Self { attempts: 0, ..Self::first(reason, error) }
    }

    /// A call that has ended with or in its first attempt, of which nothing more is known.
    pub(crate) const fn first(reason: StopReason, error: ErrorText<'a>) -> Self {
        Self { call: None, reason, failures: 0, attempts: 1, elapsed: None, cut: None, error }
    }
}

/// The end of a call whose first attempt failed, for the tests of those who count.
#[cfg(test)]
pub(super) const fn ended(reason: StopReason) -> Event<'static> {
    Event::Ended(Ended {
        call: None,
        reason,
        failures: 1,
        attempts: 2,
        elapsed: None,
        cut: None,
        error: None,
    })
}
