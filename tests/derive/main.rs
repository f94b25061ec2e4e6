//! `#[derive(Transient)]`: what a user's enums and structs say, in every shape that they can have.

// The shapes are the subject.
#![allow(
    clippy::large_enum_variant,
    clippy::needless_lifetimes,
    clippy::unwrap_used,
    clippy::extra_unused_lifetimes,
    clippy::unused_self,
    dead_code
)]

extern crate retry as again;

mod beside_thiserror;
mod enums;
/// Public, since its bounds may be on private types.
pub mod generics;
mod names;
mod quiet;
mod structs;

use std::time::Duration;

use retry::{Transient, Verdict};

pub(crate) const S: Duration = Duration::from_secs(1);

/// What each error means.
pub(crate) fn verdicts<E: Transient, const N: usize>(errors: [E; N]) -> [Verdict; N] {
    errors.map(|error| error.verdict())
}
