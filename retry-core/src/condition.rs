//! Conditions as values: what a policy holds for its `on`.

use crate::on::On;
use crate::verdict::{Outcome, Transient, Verdict};

/// The error itself knows: it implements [`Transient`]. What a policy without `on` goes by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByTransient;

impl<O: Outcome<Error: Transient>> On<O> for ByTransient {
    fn verdict(&self, outcome: &O) -> Verdict {
        crate::on::transient(outcome)
    }
}
