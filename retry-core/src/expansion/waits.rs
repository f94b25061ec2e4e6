//! What a `wait` that is a closure is expanded to. It is called where it stands, so it may change what
//! it captures, and need not name the types of its arguments.

use core::cell::Cell;
use core::fmt;
use core::marker::PhantomData;
use core::time::Duration;

use crate::strategy::delay::Delay;
use crate::strategy::state::State;
use crate::strategy::wait::{IntoDelay, Wait};
use crate::verdict::outcome::Outcome;

/// A strategy for one question. What the closure takes and answers with is asked where this is made
/// and nowhere else, so that a wrong one is one error.
pub struct InPlace<'a, O, F> {
    outcome: &'a O,
    f: Cell<Option<F>>,
    ask: fn(&mut F, &State, &O) -> Option<Delay>,
}

/// `wait = |state| …`
pub fn in_place<A, D: Arm<A>, F: FnMut(&State) -> D>(
    _: &Answers<A>,
    f: F,
) -> InPlace<'static, (), F> {
    InPlace { outcome: &(), f: Cell::new(Some(f)), ask: |f, state, ()| f(state).delay(state) }
}

/// `wait = |state, outcome| …`
pub fn seeing<'a, O, A, D: Arm<A>, F: FnMut(&State, &O) -> D>(
    _: &Answers<A>,
    outcome: &'a O,
    f: F,
) -> InPlace<'a, O, F> {
    let ask = |f: &mut F, state: &State, outcome: &O| f(state, outcome).delay(state);
    InPlace { outcome, f: Cell::new(Some(f)), ask }
}

impl<O, F> Wait for InPlace<'_, O, F> {
    fn delay(&self, state: &State) -> Delay {
        // Nothing can ask again while the closure is at work: it cannot get at the strategy that it is.
        let Some(mut f) = self.f.take() else { return Delay::ZERO };
        let answer = (self.ask)(&mut f, state, self.outcome);
        self.f.set(Some(f));
        state.answered(answer)
    }
}

impl<O, F> fmt::Debug for InPlace<'_, O, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("InPlace(..)")
    }
}

/// What such a closure, or one of its arms, answers with. Asked at once, it may be another strategy in
/// each arm. `A` is a `Delay`, or an `Option` of one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say how long to wait",
    label = "a function in `wait` answers with a `Duration`, a strategy, or an `Option` of one",
    note = "answer for example `100ms`, `Duration::from_millis(100)` or `exponential(100ms)`; `None` ends the call"
)]
pub trait Arm<A>: Sized {
    /// What it answers in this state.
    fn asked(self, state: &State) -> A;

    /// The same, `None` if there shall be no other attempt.
    fn delay(self, state: &State) -> Option<Delay>;
}

#[diagnostic::do_not_recommend]
impl Arm<Delay> for Duration {
    fn asked(self, _: &State) -> Delay {
        self.into()
    }

    fn delay(self, _: &State) -> Option<Delay> {
        Some(self.into())
    }
}

#[diagnostic::do_not_recommend]
impl Arm<Self> for Delay {
    fn asked(self, _: &State) -> Self {
        self
    }

    fn delay(self, _: &State) -> Option<Self> {
        Some(self)
    }
}

#[diagnostic::do_not_recommend]
impl<W: Wait> Arm<Delay> for W {
    fn asked(self, state: &State) -> Delay {
        Wait::delay(&self, state)
    }

    fn delay(self, state: &State) -> Option<Delay> {
        Some(Wait::delay(&self, state))
    }
}

#[diagnostic::do_not_recommend]
impl<D: IntoDelay> Arm<Option<Delay>> for Option<D> {
    fn asked(self, state: &State) -> Option<Delay> {
        self.into_delay(state)
    }

    fn delay(self, state: &State) -> Option<Delay> {
        self.into_delay(state)
    }
}

/// Asks what an arm gives.
pub fn answer<A, D: Arm<A>>(state: &State, answer: D) -> A {
    answer.asked(state)
}

/// What the closure in `wait` answers with, which decides what a block gives that only a success can
/// end otherwise.
#[derive(Debug)]
pub struct Answers<A>(PhantomData<fn() -> A>);

impl<A> Answers<A> {
    /// Those of a closure yet to come.
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        Self(PhantomData)
    }

    /// What a block gives whose call has ended so; an error if it cannot have.
    #[allow(clippy::missing_errors_doc)]
    pub fn value<O: Outcome>(&self, outcome: O) -> Result<A::Value, O::Error>
    where
        A: Ends<O>,
    {
        A::value(outcome)
    }
}

/// What a block gives that ends by a success, or by this answer of the closure in its `wait`.
pub trait Ends<O: Outcome> {
    /// The value of the success, or the outcome.
    type Value;

    /// That, or an error if the call cannot have ended so.
    #[allow(clippy::missing_errors_doc)]
    fn value(outcome: O) -> Result<Self::Value, O::Error>;
}

/// A delay never ends it.
impl<O: Outcome> Ends<O> for Delay {
    type Value = O::Ok;

    fn value(outcome: O) -> Result<O::Ok, O::Error> {
        outcome.into_result()
    }
}

/// `None` does, whatever the outcome is.
impl<O: Outcome> Ends<O> for Option<Delay> {
    type Value = O;

    fn value(outcome: O) -> Result<O, O::Error> {
        Ok(outcome)
    }
}
