//! The strategies and the engine behind the `retry` crate, which re-exports everything a user
//! needs and documents it; depend on that one.
//!
//! The rooms: [`stop`], [`wait`] and [`on`] are the three kinds of strategy, asked with a
//! [`State`]; `verdict` says what an outcome means; `call` is one retried call, a pure state
//! machine; `policy` holds the strategies together, `adhoc`, `schedule` and `preview` are its
//! uses; `drive` connects a call with `clock`, `sleep` and `observe`, the only rooms that touch
//! the outside.

#![forbid(unsafe_code)]

mod adhoc;
mod call;
#[doc(hidden)]
pub mod clock;
pub mod condition;
mod delay;
mod describe;
mod drive;
mod errors;
mod observe;
pub mod on;
mod policy;
mod preview;
mod reason;
mod schedule;
mod shape;
mod site;
#[doc(hidden)]
pub mod sleep;
mod state;
pub mod stop;
mod verdict;
pub mod wait;

pub use crate::call::MaxHint;
pub use crate::delay::Delay;
pub use crate::on::On;
pub use crate::policy::{AsPolicy, BoxedPolicy, Policy};
pub use crate::preview::{Preview, PreviewRow};
pub use crate::reason::StopReason;
pub use crate::schedule::{Schedule, Step};
pub use crate::state::State;
pub use crate::stop::Stop;
pub use crate::verdict::{NoValue, Outcome, Transient, Verdict};
pub use crate::wait::Wait;

/// What the expansion of the macros calls. No part of it is stable.
#[doc(hidden)]
pub mod __private {
    pub use crate::call::{Call, Failed, MaxHint, Untimed};
    pub use crate::clock;
    pub use crate::condition;
    pub use crate::describe::{ByDebug, ByDisplay, ByName, Describe, Judged, Plain};
    pub use crate::drive::{must_end, pause, resume, settle};
    pub use crate::on::{self, IsAny, IsDyn, SourceIsAny, SourceIsDyn};
    pub use crate::policy::Policy;
    pub use crate::site::Site;
    pub use crate::sleep;
    pub use crate::stop::{self, IntoStop};
    pub use crate::verdict::{Outcome, Transient, Verdict};
    pub use crate::wait::{self, IntoWait, Wait};
}
