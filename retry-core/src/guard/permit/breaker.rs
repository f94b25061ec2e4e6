//! What a call holds of a breaker.

use core::fmt;
use core::time::Duration;
use std::time::Instant;

use crate::guard::breaker::Breaker;
use crate::guard::breaker::admission::Admission;
use crate::guard::breaker::state::{Change, Refused};
use crate::guard::permit::{Denied, Permit};
use crate::report::reason::StopReason;

/// The admission of the attempt that is being made or waited for.
pub struct Admitted<'a> {
    breaker: &'a Breaker,
    admission: Option<Admission<'a>>,
    was_probe: bool,
}

impl<'a> Admitted<'a> {
    /// None yet.
    #[inline]
    pub const fn new(breaker: &'a Breaker) -> Self {
        Self { breaker, admission: None, was_probe: false }
    }
}

fn denied(refused: Refused) -> Denied {
    Denied { reason: StopReason::BreakerOpen, retry_after: refused.retry_after }
}

impl Permit for Admitted<'_> {
    #[inline]
    fn measures(&self) -> bool {
        self.breaker.measures()
    }

    #[inline]
    fn enter(&mut self, now: impl Fn() -> Instant) -> Result<Option<Change>, Denied> {
        let admission = self.breaker.admit(now).map_err(denied)?;
        let change = admission.change();
        self.was_probe = admission.is_probe();
        self.admission = Some(admission);
        Ok(change)
    }

    #[inline]
    fn attempted(
        &mut self,
        fails: bool,
        took: Option<Duration>,
        now: impl Fn() -> Instant,
        random: impl FnOnce() -> f64,
    ) -> Option<Change> {
        self.admission.take()?.ended(fails, took, now, random)
    }

    fn retry(&mut self, _: bool, now: impl Fn() -> Instant) -> Result<(), Denied> {
        // A probe is the only attempt of its call, even if the others have closed the breaker.
        let admission = if self.was_probe {
            Err(self.breaker.refuse_at(now()))
        } else {
            self.breaker.admit_retry(now())
        };
        self.admission = Some(admission.map_err(denied)?);
        Ok(())
    }

    #[inline]
    fn ended(&mut self, _: StopReason) {
        self.admission = None;
    }
}

impl fmt::Debug for Admitted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Admitted").field("admission", &self.admission).finish_non_exhaustive()
    }
}
