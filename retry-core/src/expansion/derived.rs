//! What `#[derive(Transient)]` is written with.

use core::time::Duration;

use crate::fit::{Impossible, Nothing};
use crate::verdict::transient::Transient;
use crate::verdict::verdict::Verdict;

/// What a field named by `retry_after` can hold.
#[diagnostic::on_unimplemented(
    message = "`retry_after` takes a field that is a `Duration` or an `Option<Duration>`; this one is `{Self}`",
    label = "this field is `{Self}`",
    note = "make it one where the error is made: `Duration::from_secs(seconds)`"
)]
pub trait RetryAfter: sealed::Sealed {
    /// How long to wait, if it is known.
    fn hint(&self) -> Option<Duration>;
}

mod sealed {
    #[allow(unreachable_pub)] // public, but in no public module
    pub trait Sealed {}
}

impl sealed::Sealed for Duration {}
impl sealed::Sealed for Option<Duration> {}

impl RetryAfter for Duration {
    #[inline]
    fn hint(&self) -> Option<Duration> {
        Some(*self)
    }
}

impl RetryAfter for Option<Duration> {
    #[inline]
    fn hint(&self) -> Option<Duration> {
        *self
    }
}

/// The verdict with the wait that a field holds.
#[inline]
pub fn asks_for<H: RetryAfter>(verdict: Verdict, hint: &H) -> Verdict {
    match hint.hint() {
        Some(wait) => verdict.retry_after(wait),
        None => verdict,
    }
}

/// An error that `forward` can ask. `Kind` is only there for a better message where it is none.
#[diagnostic::on_unimplemented(
    message = "`forward` asks the field what it means, which `{Self}` does not know",
    label = "`{Self}` does not implement `retry::Transient`",
    note = "say it for the variant itself: `#[transient]`, `#[permanent]` or `#[ambiguous]`",
    note = "or, if the type is yours, put that knowledge on it: `#[derive(retry::Transient)]`"
)]
pub trait Forwards<Kind> {
    /// Its own verdict.
    fn forwarded(&self) -> Verdict;
}

/// Marks an error that knows what it means.
#[derive(Debug)]
pub struct Knows(());

#[diagnostic::do_not_recommend]
impl<E: Transient + ?Sized> Forwards<Knows> for E {
    #[inline]
    fn forwarded(&self) -> Verdict {
        self.verdict()
    }
}

#[diagnostic::do_not_recommend]
impl<I: Impossible> Forwards<Nothing> for I {
    fn forwarded(&self) -> Verdict {
        Verdict::Final
    }
}

/// The verdict of the field that a `forward` asks.
#[inline]
pub fn forwarded<Kind, E: Forwards<Kind> + ?Sized>(error: &E) -> Verdict {
    error.forwarded()
}
