#![doc = include_str!("../README.md")]
//! # Where to find what
//!
//! - [`retry`](macro@retry) retries a function, [`block!`] a block inside one. They take the same
//!   keys.
//! - [`stop`] says when to give up, [`wait`] how long to wait, [`on`] what is worth another
//!   attempt. In the macros their functions need no import.
//! - [`Verdict`] is what an outcome means; [`Transient`] puts that knowledge on an error type.
//! - [`Stop`], [`Wait`] and [`On`] are the traits for strategies and conditions of your own; they
//!   are told a [`State`] or an outcome and answer with `bool`, [`Delay`] and `Verdict`.
//! - [`sites`] is what every retried function has done so far, in numbers or as a table.

#![forbid(unsafe_code)]

#[doc(hidden)]
pub use retry_core::__private;
pub use retry_core::{
    Delay, NoValue, On, Outcome, SiteStats, Sites, State, Stop, StopReason, Transient, Verdict,
    Wait, on, sites, stop, wait,
};
pub use retry_macros::{block, retry};
