//! What the expansion calls around each attempt: reads the clock, asks the call, tells the
//! observers. Everything that does not depend on the function's own types is kept out of the
//! expansion and here, where it is compiled once.

use core::fmt;
use core::time::Duration;

use crate::call::{Call, Failed, Next, Start};
use crate::clock::Clock;
use crate::observe;
use crate::reason::StopReason;
use crate::stop::{Boundedness, Stop};
use crate::wait::Wait;

/// An attempt has failed: how long to pause before the next, or `None` to give up.
#[cold]
pub fn pause<S: Start>(
    call: &mut Call<S>,
    clock: Clock,
    failed: Failed,
    stop: &(impl Stop + ?Sized),
    wait: &(impl Wait + ?Sized),
    error: Option<&dyn fmt::Display>,
) -> Option<Duration> {
    let (progress, next) = call.failed(clock(), failed, stop, wait);
    match next {
        Next::Retry(delay) => {
            observe::retrying(progress, delay, error);
            Some(delay)
        }
        Next::GiveUp(reason) => {
            observe::gave_up(progress, reason, error);
            None
        }
    }
}

/// An attempt after the first has ended with a final outcome: a failure if it has an error's
/// text.
#[cold]
pub fn settle<S: Start>(call: &Call<S>, clock: Clock, error: Option<&dyn fmt::Display>) {
    let Some(progress) = call.settled(clock()) else { return };
    match error {
        Some(_) => observe::gave_up(progress, StopReason::Permanent, error),
        None => observe::recovered(progress),
    }
}

/// The pause is over, and the next attempt starts.
#[cold]
pub fn resume<S: Start>(call: &mut Call<S>, clock: Clock) {
    call.resumed(clock());
}

/// What a stop strategy's `Ends` must be where `forever` is not written.
#[diagnostic::on_unimplemented(
    message = "this retry may never end",
    label = "nothing in this `stop` is sure to end it",
    note = "join it with a bound: `… | attempts(5)` or `… | within(30s)`",
    note = "or write the flag `forever` beside it if it should go on until it succeeds"
)]
pub trait Ends: Boundedness {}

impl Ends for crate::stop::Bounded {}

/// Accepts only a stop strategy that is sure to end.
#[inline]
pub fn must_end<S: Stop<Ends: Ends>>(stop: S) -> S {
    stop
}
