// The README names files; here the first definition of a link wins.
#![doc = "[costs]: guide::reference#what-it-costs"]
#![doc = "[guide_getting_started]: guide::getting_started"]
#![doc = "[guide_choosing_stop_wait_on]: guide::choosing_stop_wait_on"]
#![doc = "[guide_limits_in_time]: guide::limits_in_time"]
#![doc = "[guide_when_the_other_side_is_down]: guide::when_the_other_side_is_down"]
#![doc = "[guide_blocks_and_schedules]: guide::blocks_and_schedules"]
#![doc = "[guide_polling_until_ready]: guide::polling_until_ready"]
#![doc = "[guide_long_lived_links]: guide::long_lived_links"]
#![doc = "[guide_testing]: guide::testing"]
#![doc = "[guide_observing]: guide::observing"]
#![doc = "[guide_http]: guide::http"]
#![doc = "[guide_databases]: guide::databases"]
#![doc = "[guide_a_whole_service]: guide::a_whole_service"]
#![doc = "[guide_recipes]: guide::recipes"]
#![doc = "[guide_faq]: guide::faq"]
#![doc = "[guide_coming_from]: guide::coming_from"]
#![doc = "[guide_reference]: guide::reference"]
#![doc = "[reference]: guide::reference"]
#![doc = ""]
#![doc = include_str!("../README.md")]
//! # Where to find what
//!
//! - [`retry`](macro@retry) retries a function, [`block!`] a block inside one. They take the same
//!   keys.
//! - [`stop`] says when to give up, [`wait`] how long to wait, [`on`] what is worth another
//!   attempt. In the macros their functions need no import.
//! - [`Verdict`] is what an outcome means; [`Transient`](trait@Transient) puts that knowledge on an
//!   error type, and is [derived](derive@Transient) from marks on its variants.
//! - [`policy!`] makes a [`Policy`] of the same keys, a value for [`call`](Policy::call), for a
//!   [`Schedule`] in a loop of your own, and for a [`Preview`] of what it does.
//! - [`Stop`], [`Wait`] and [`On`] are the traits for strategies and conditions of your own; they
//!   are told a [`State`] or an outcome and answer with `bool`, [`Delay`] and `Verdict`.
//! - [`current`] is the attempt that the code runs in; a [`Mark`] on a `Result` says there and then
//!   what an error means.
//! - Hooks are told an [`Attempt`] or a [`Report`]; a [`RetryError`] in the signature tells the
//!   caller. [`StopReason`] is why a call ended.
//! - [`retry_with`] overrides, for tests, what the attributes say; [`record`] and [`record_sync`]
//!   collect reports; [`set_enabled`] switches retrying off for a whole process.
//! - [`sites`] is what every retried function has done so far, in numbers or as a table.
//! - [`guide`] is about when to use what, by situation, with answers to common questions.

#![cfg_attr(
    feature = "serde",
    doc = "- [`config`] reads when to give up and how long to wait from a file or the environment."
)]
#![cfg_attr(
    feature = "http",
    doc = "- [`http`](mod@http) knows which statuses are worth another attempt, `Retry-After` and idempotency keys."
)]
#![cfg_attr(
    feature = "tower",
    doc = "- [`tower`](mod@tower) retries the requests of a service, as a layer."
)]
#![cfg_attr(
    feature = "reqwest",
    doc = "- [`reqwest`](mod@reqwest) sends requests of that client again, and knows what its errors mean."
)]
#![forbid(unsafe_code)]

#[cfg(feature = "serde")]
pub mod config;
pub mod guide;
#[cfg(feature = "http")]
pub mod http;
#[cfg(all(feature = "reqwest", not(all(target_family = "wasm", target_os = "unknown"))))]
pub mod reqwest;
#[cfg(feature = "tower")]
pub mod tower;

#[cfg(feature = "serde")]
pub use config::PolicyConfig;
// By the first of its names the compiler speaks of it in messages, by the second the macros do.
#[doc(hidden)]
pub use retry_core::macros;
pub use retry_core::{
    Admission, AsPolicy, Attempt, Boxed, BoxedPolicy, Breaker, BreakerState, Budget, CallId,
    Change, Current, Deadline, Delay, Exhausted, Fits, Inherit, Instant, Interrupted,
    Interruptible, Interruption, IntoDeadline, Limited, Limiting, Mark, MaxHint, NoValue, On,
    Outcome, Overrides, Pace, PastAttempt, Policy, Preview, PreviewRow, Recorded, Refused, Report,
    RetryError, Schedule, Scoped, SiteStats, Sites, Spent, State, Step, Stop, StopReason,
    Transient, Uncut, Unjudged, Verdict, Wait, current, deadline, inherit_sync, is_enabled, on,
    record, record_sync, retry_with, set_enabled, sites, stop, wait,
};
#[doc(hidden)]
pub use retry_core::{alias, macros as __private, never};
pub use retry_macros::{Transient, block, policy, retry};
