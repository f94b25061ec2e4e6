//! What a call holds from before its first attempt.

use crate::report::reason::StopReason;

/// Something that was given out for one call, before its first attempt, and is given back when the
/// call ends: by telling it how, or by dropping it where there is nothing to tell (the call was
/// cancelled, or has panicked).
pub trait Permit {
    /// The call has ended with an outcome.
    fn ended(&mut self, reason: StopReason);
}

/// Nothing was asked for.
impl Permit for () {
    #[inline]
    fn ended(&mut self, _: StopReason) {}
}
