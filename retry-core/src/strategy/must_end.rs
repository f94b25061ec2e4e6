//! The rule that a stop must end every call, where `forever` is not written.

use crate::strategy::stop::{Bounded, Boundedness, Stop};

/// What a stop strategy's `Ends` must be.
#[diagnostic::on_unimplemented(
    message = "this retry may never end",
    label = "nothing in this `stop` is sure to end it",
    note = "join it with a bound: `… | attempts(5)` or `… | within(30s)`",
    note = "or write the flag `forever` beside it if it should go on until it succeeds"
)]
pub trait SureToEnd: Boundedness {}

impl SureToEnd for Bounded {}

/// Accepts only a stop strategy that is sure to end.
#[inline]
pub fn must_end<S: Stop<Ends: SureToEnd>>(stop: S) -> S {
    stop
}
