//! What a `wait` that is a closure is expanded to. It is called where it stands, so it may change what
//! it captures, and need not name the types of its arguments.

use core::cell::Cell;
use core::fmt;

use crate::strategy::delay::Delay;
use crate::strategy::state::State;
use crate::strategy::wait::{IntoDelay, Wait};

/// A strategy for one question.
pub struct InPlace<F>(Cell<Option<F>>);

/// `wait = |state| …`
pub fn in_place<D: IntoDelay, F: FnMut(&State) -> D>(f: F) -> InPlace<F> {
    InPlace(Cell::new(Some(f)))
}

/// `wait = |state, outcome| …`
pub fn seeing<O, D: IntoDelay>(
    outcome: &O,
    mut f: impl FnMut(&State, &O) -> D,
) -> InPlace<impl FnMut(&State) -> D> {
    in_place(move |state: &State| f(state, outcome))
}

/// What an arm of such a closure answers with, so that each may give something else.
pub fn answer<D: IntoDelay>(state: &State, answer: D) -> Option<Delay> {
    answer.into_delay(state)
}

impl<D: IntoDelay, F: FnMut(&State) -> D> Wait for InPlace<F> {
    fn delay(&self, state: &State) -> Delay {
        // Nothing can ask again while the closure is at work: it cannot get at the strategy that it is.
        let Some(mut f) = self.0.take() else { return Delay::ZERO };
        let answer = f(state).into_delay(state);
        self.0.set(Some(f));
        state.answered(answer)
    }
}

impl<F> fmt::Debug for InPlace<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("InPlace(..)")
    }
}
