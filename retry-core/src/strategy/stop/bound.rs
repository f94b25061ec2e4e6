//! Whether a stop strategy is sure to end, told by its type.

use crate::strategy::stop::Stop;

/// Whether a stop strategy is sure to end every call: [`Bounded`] or [`Unbounded`].
///
/// `a | b` is bounded if either is, `a & b` if both are:
///
/// ```
/// use retry::stop::{self, Bounded, Stop, Unbounded};
///
/// fn sure_to_end(stop: impl Stop<Ends = Bounded>) {}
/// fn may_go_on(stop: impl Stop<Ends = Unbounded>) {}
///
/// let throttled = || stop::when(|state| state.verdict().is_throttled());
/// sure_to_end(stop::attempts(5) | throttled());
/// may_go_on(stop::attempts(5) & throttled());
/// ```
pub trait Boundedness: sealed::Sealed {
    /// Which of the two it is.
    #[doc(hidden)]
    const ENDS: bool;
    /// Of `a | b`.
    type Or<Other: Boundedness>: Boundedness;
    /// Of `a & b`.
    type And<Other: Boundedness>: Boundedness;
}

/// Sure to end every call.
#[derive(Clone, Copy, Debug)]
pub struct Bounded(());

/// May let a call go on for ever.
#[derive(Clone, Copy, Debug)]
pub struct Unbounded(());

impl Boundedness for Bounded {
    const ENDS: bool = true;
    type Or<Other: Boundedness> = Self;
    type And<Other: Boundedness> = Other;
}

impl Boundedness for Unbounded {
    const ENDS: bool = false;
    type Or<Other: Boundedness> = Other;
    type And<Other: Boundedness> = Self;
}

/// What a stop strategy's [`Ends`](Stop::Ends) must be where `forever` is not written.
#[diagnostic::on_unimplemented(
    message = "this retry may never end",
    label = "nothing in this `stop` is sure to end it",
    note = "join it with a bound: `… | attempts(5)` or `… | within(30s)`",
    note = "or write the flag `forever` beside it if it should go on until it succeeds",
    note = "a function need never say stop, and an `Option` never does where it is `None`: neither is a bound"
)]
#[doc(hidden)]
pub trait MustEnd: Boundedness {}

impl MustEnd for Bounded {}

/// Accepts only a stop strategy that is sure to end.
#[doc(hidden)]
#[inline]
pub fn must_end<S: Stop<Ends: MustEnd>>(stop: S) -> S {
    stop
}

/// What a stop strategy's [`Ends`](Stop::Ends) must be where `forever` is written beside it.
#[diagnostic::on_unimplemented(
    message = "`forever` stands beside a stop that ends the call",
    label = "this is sure to end it",
    note = "remove `forever`, or this",
    note = "where a bound is there only sometimes, give an `Option` of it: `stop = self.limit.map(within)`"
)]
#[doc(hidden)]
pub trait MayGoOn: Boundedness {}

impl MayGoOn for Unbounded {}

/// Accepts only a stop strategy that may let a call go on for ever.
#[doc(hidden)]
#[inline]
pub fn may_go_on<S: Stop<Ends: MayGoOn>>(stop: S) -> S {
    stop
}

mod sealed {
    #[allow(unreachable_pub)] // public, but in no public module
    pub trait Sealed {}
    impl Sealed for super::Bounded {}
    impl Sealed for super::Unbounded {}
}
