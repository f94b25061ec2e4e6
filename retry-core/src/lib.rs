//! The strategies and the engine behind the `retry` crate, which re-exports everything a user
//! needs and documents it; depend on that one.
//!
//! The rooms: [`stop`], [`wait`] and [`on`] are the three kinds of strategy, asked with a
//! [`State`]; `verdict` says what an outcome means; `call` is one retried call, a pure state
//! machine; `drive` connects it with `clock`, `sleep` and `observe`, the only rooms that touch
//! the outside; `site` is one retried function, which keeps `counters` and is listed in `sites`.

#![forbid(unsafe_code)]

mod call;
#[doc(hidden)]
pub mod clock;
mod counters;
mod delay;
mod describe;
mod drive;
mod errors;
mod observe;
pub mod on;
mod reason;
mod shape;
mod site;
mod sites;
#[doc(hidden)]
pub mod sleep;
mod slot;
mod state;
pub mod stop;
mod verdict;
pub mod wait;

pub use crate::delay::Delay;
pub use crate::on::On;
pub use crate::reason::StopReason;
pub use crate::sites::{SiteStats, Sites, sites};
pub use crate::state::State;
pub use crate::stop::Stop;
pub use crate::verdict::{NoValue, Outcome, Transient, Verdict};
pub use crate::wait::Wait;

/// What the expansion of the macros calls. No part of it is stable.
#[doc(hidden)]
pub mod __private {
    pub use crate::call::{Call, Failed, MaxHint, Untimed};
    pub use crate::clock;
    pub use crate::counters::Counters;
    pub use crate::describe::{ByDebug, ByDisplay, ByName, Describe, Judged, Plain};
    pub use crate::drive::{must_end, pause, resume, settle};
    pub use crate::on::{self, IsAny, IsDyn, SourceIsAny, SourceIsDyn};
    pub use crate::site::Site;
    pub use crate::sleep;
    pub use crate::stop::{self, IntoStop};
    pub use crate::verdict::{Outcome, Transient, Verdict};
    pub use crate::wait::{self, IntoWait, Wait};
}
