//! The strategies and the engine behind the `retry` crate, which re-exports everything a user
//! needs and documents it; depend on that one.
//!
//! The rooms: `strategy` is what a user combines and `verdict` what an outcome means. `engine` is one
//! retried call: `call` decides and is pure, `handle` is what an expansion holds, and `failing` what a
//! call needs once it has failed; `gates` may refuse, and `clock` and `timer` are the only rooms that
//! touch time. `guard` is what a call can hold, `attempt` what a body can know and say, and `scope`
//! what is set up around a call. `policy` holds the strategies together, with their uses as a value;
//! `report` is what a call did and why it ended, `stats` what is counted and told. `expansion` is there
//! for the macros alone.

#![forbid(unsafe_code)]

mod attempt;
mod engine;
mod expansion;
mod fit;
mod guard;
mod policy;
mod report;
mod scope;
mod stats;
mod strategy;
mod sync;
/// For the macros and the configuration of `retry`. No part of it is stable.
#[doc(hidden)]
pub mod text;
mod verdict;

/// The clock that the limits in time go by. In a browser, where the standard library has none and
/// panics, that of the crate `web-time`.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;
/// The clock that the limits in time go by. In a browser, where the standard library has none and
/// panics, that of the crate `web-time`.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use web_time::Instant;

pub use crate::attempt::attempt::Attempt;
pub use crate::attempt::call_id::CallId;
pub use crate::attempt::current::{Current, current};
pub use crate::attempt::mark::Mark;
pub use crate::engine::rules::MaxHint;
pub use crate::guard::breaker::admission::Admission;
pub use crate::guard::breaker::state::{BreakerState, Change, Refused};
pub use crate::guard::breaker::{Breaker, Waiting};
pub use crate::guard::budget::{Budget, Spent};
pub use crate::policy::limiting::{Fits, Limited, Limiting, Uncut};
pub use crate::policy::policy::{AsPolicy, BoxedPolicy, Pace, Policy, Unjudged};
pub use crate::policy::preview::{Preview, PreviewRow};
pub use crate::policy::schedule::{Schedule, Step};
pub use crate::report::error::RetryError;
pub use crate::report::exhausted::Exhausted;
pub use crate::report::interrupted::{Interrupted, Interruptible, Interruption};
pub use crate::report::reason::StopReason;
pub use crate::report::report::{PastAttempt, Report};
pub use crate::scope::deadline::{Deadline, IntoDeadline, deadline};
pub use crate::scope::inherit::{Inherit, inherit_sync};
pub use crate::scope::overrides::{Overrides, retry_with};
pub use crate::scope::record::{Recorded, record, record_sync};
pub use crate::scope::scope::Scoped;
pub use crate::scope::switch::{is_enabled, set_enabled};
pub use crate::stats::sites::{SiteStats, Sites, sites};
pub use crate::strategy::boxed::Boxed;
pub use crate::strategy::delay::Delay;
pub use crate::strategy::on::On;
pub use crate::strategy::state::State;
pub use crate::strategy::stop::Stop;
pub use crate::strategy::wait::Wait;
pub use crate::strategy::{on, stop, wait};
pub use crate::verdict::outcome::{NoValue, Outcome};
pub use crate::verdict::transient::Transient;
pub use crate::verdict::verdict::Verdict;

/// For the facade's own policy. It is not re-exported, and no part of it is stable.
#[doc(hidden)]
pub mod sealed {
    pub use crate::policy::policy::SealedPolicy;
}

/// A call by a policy as a future, for the facade's own services. It is not re-exported, and no part of
/// it is stable.
#[doc(hidden)]
pub mod calling {
    pub use crate::policy::calling::{Attempts, BySleep, Calling, OnTokio, Pausing};
    pub use crate::policy::limiting::Fits;
}

/// Where the compiler finds the name of what it warns of. No part of it is stable.
#[doc(hidden)]
pub mod alias {
    pub use crate::expansion::describe::Alias as OfRetryError;
}

/// The same for a condition that never holds.
#[doc(hidden)]
pub mod never {
    pub use crate::expansion::compared::Concrete as OfThisType;
}

/// What the expansion of the macros calls. No part of it is stable.
///
/// The facade hides it. It is not hidden here, since the compiler gives what is hidden its whole path
/// in messages.
pub mod macros {
    pub use crate::attempt::mark::IsResult;
    pub use crate::engine::cancel;
    pub use crate::engine::clock::{self, Runtime, System, Untimed};
    pub use crate::engine::gates::Entry;
    pub use crate::engine::handle::{Handle, outlined};
    pub use crate::engine::rules::{IntoThreshold, MaxHint, Rules, Threshold};
    pub use crate::engine::timer;
    pub use crate::expansion::compared::AnswersItself;
    pub use crate::expansion::derived::{Forwards, RetryAfter, asks_for, forwarded};
    pub use crate::expansion::describe::{Judged, Tell};
    pub use crate::expansion::hooks as hook;
    pub use crate::expansion::judge::{self as on, IsAny, IsDyn, SourceIsAny, SourceIsDyn};
    pub use crate::expansion::small::{duration, outcome, path_of};
    pub use crate::expansion::waits::{Answers, Arm, answer, in_place, seeing};
    pub use crate::fit::{Gives, Impossible, Nothing};
    pub use crate::guard::guarded::Guarded;
    pub use crate::policy::asking::{Asking, Settles};
    pub use crate::policy::policy::{AsPolicy, Policy};
    pub use crate::report::error::RetryError;
    pub use crate::report::interrupted::{Interrupted, interrupted, settle, settle_bare};
    pub use crate::report::reason::StopReason;
    pub use crate::report::report::Report;
    pub use crate::scope::future::RunsInScope;
    pub use crate::scope::inherit::{BeforeItIsSpawned, TheHandleIsTooLate};
    pub use crate::scope::inside::{AsAValue, ButAFutureRunsLater, EndsInside};
    pub use crate::scope::overrides::EndsCalls;
    pub use crate::stats::counters::Counters;
    pub use crate::stats::site::Site;
    pub use crate::stats::told::{Failure, Shown, Told, described};
    pub use crate::strategy::on::{self as condition, IsThe, On};
    pub use crate::strategy::stop::{self, IntoStop, may_go_on, must_end};
    pub use crate::strategy::wait::{self, IntoWait, Wait};
    pub use crate::verdict::outcome::Outcome;
    pub use crate::verdict::transient::Transient;
    pub use crate::verdict::verdict::Verdict;
}
