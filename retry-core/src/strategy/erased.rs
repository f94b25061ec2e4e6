//! Strategies behind one type each, so that what asks them is compiled once, here, and not again
//! for every policy of a program.

use crate::strategy::state::State;
use crate::strategy::stop::{Limits, Stop, Unbounded};
use crate::strategy::wait::Wait;

/// Any stop strategy. Whether it is sure to end has been looked at where its type was known.
pub(crate) type AnyStop<'a> = dyn Stop<Ends = Unbounded> + 'a;

/// Any wait strategy.
pub(crate) type AnyWait<'a> = dyn Wait + 'a;

/// A strategy of which nobody asks any more whether it is sure to end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Erased<S>(pub(crate) S);

impl<S: Stop> Stop for Erased<S> {
    type Ends = Unbounded;

    fn stop(&self, state: &State) -> bool {
        self.0.stop(state)
    }

    fn limits(&self, state: &State) -> Limits {
        self.0.limits(state)
    }
}
