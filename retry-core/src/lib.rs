//! The strategies and the engine behind the `retry` crate, which re-exports everything a user
//! needs and documents it; depend on that one.
//!
//! The rooms: [`stop`], [`wait`] and [`on`] are the three kinds of strategy, asked with a
//! [`State`]; `verdict` says what an outcome means; `call` is one retried call, a pure state
//! machine; `run` is what the expansion holds and `slow` what it needs after a failure, which
//! connect it with `clock`, `sleep` and `observe`, the only rooms that touch the outside.
//! `context` is what the running attempt can know, and `current` the handle to it; `scope` is what
//! has been set up around a call, by `overrides` and `record`; `site` is one retried function,
//! which keeps `counters` and is listed in `sites`. `policy` holds the strategies together, and
//! `adhoc`, `schedule` and `preview` are its uses.

#![forbid(unsafe_code)]

mod adhoc;
mod attempt;
mod call;
mod call_id;
#[doc(hidden)]
pub mod clock;
pub mod condition;
mod context;
mod counters;
mod current;
mod delay;
mod describe;
mod error;
mod errors;
#[doc(hidden)]
pub mod hook;
mod mark;
#[cfg(feature = "metrics")]
mod meters;
mod observe;
pub mod on;
mod overrides;
mod policy;
mod preview;
mod reason;
mod record;
mod report;
mod run;
mod schedule;
mod scope;
mod shape;
mod site;
mod sites;
#[doc(hidden)]
pub mod sleep;
mod slot;
mod slow;
mod state;
pub mod stop;
mod verdict;
pub mod wait;

pub use crate::attempt::Attempt;
pub use crate::call::MaxHint;
pub use crate::call_id::CallId;
pub use crate::current::{Current, current};
pub use crate::delay::Delay;
pub use crate::error::RetryError;
pub use crate::mark::Mark;
pub use crate::on::On;
pub use crate::overrides::{Overrides, is_enabled, retry_with, set_enabled};
pub use crate::policy::{AsPolicy, BoxedPolicy, Policy};
pub use crate::preview::{Preview, PreviewRow};
pub use crate::reason::StopReason;
pub use crate::record::{record, record_sync};
pub use crate::report::{PastAttempt, Report};
pub use crate::schedule::{Schedule, Step};
pub use crate::scope::{Inherit, Scoped};
pub use crate::sites::{SiteStats, Sites, sites};
pub use crate::state::State;
pub use crate::stop::Stop;
pub use crate::verdict::{NoValue, Outcome, Transient, Verdict};
pub use crate::wait::Wait;

/// What the expansion of the macros calls. No part of it is stable.
#[doc(hidden)]
pub mod __private {
    pub use crate::call::{MaxHint, Rules};
    pub use crate::clock;
    pub use crate::condition;
    pub use crate::counters::Counters;
    pub use crate::describe::{ByDebug, ByDisplay, ByName, Describe, Judged, NoAlias, Plain};
    pub use crate::error::RetryError;
    pub use crate::hook;
    pub use crate::observe::WarnAfter;
    pub use crate::on::{self, IsAny, IsDyn, On, SourceIsAny, SourceIsDyn};
    pub use crate::policy::{AsPolicy, Policy};
    pub use crate::reason::StopReason;
    pub use crate::report::Report;
    pub use crate::run::{Entered, Run, Untimed, must_end};
    pub use crate::site::Site;
    pub use crate::sleep;
    pub use crate::stop::{self, IntoStop};
    pub use crate::verdict::{Outcome, Transient, Verdict};
    pub use crate::wait::{self, IntoWait, Wait};
}
