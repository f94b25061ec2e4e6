//! What a call holds of a budget.

use core::fmt;
use std::time::Instant;

use crate::guard::budget::{Budget, Spent};
use crate::guard::permit::{Denied, Permit};
use crate::report::reason::StopReason;

/// Nothing up to the first failure; then what its last retry has taken.
pub struct Budgeted<'a> {
    budget: &'a Budget,
    spent: Option<Spent<'a>>,
}

impl<'a> Budgeted<'a> {
    /// Nothing yet.
    #[inline]
    pub const fn new(budget: &'a Budget) -> Self {
        Self { budget, spent: None }
    }
}

impl Permit for Budgeted<'_> {
    #[inline]
    fn starts(&mut self) {
        if let Some(spent) = &mut self.spent {
            spent.made();
        }
    }

    fn retry(&mut self, throttled: bool, _: impl Fn() -> Instant) -> Result<(), Denied> {
        // What the retry before has taken is gone: it was made, and has failed.
        self.spent = self.budget.try_spend(throttled);
        match self.spent {
            Some(_) => Ok(()),
            None => Err(Denied { reason: StopReason::Budget, retry_after: None }),
        }
    }

    #[inline]
    fn ended(&mut self, reason: StopReason) {
        match (self.spent.take(), reason) {
            (Some(spent), StopReason::Success) => spent.succeeded(),
            (None, StopReason::Success) => self.budget.succeeded(),
            (spent, _) => drop(spent),
        }
    }
}

impl fmt::Debug for Budgeted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Budgeted").field("spent", &self.spent).finish_non_exhaustive()
    }
}
