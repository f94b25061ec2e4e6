//! What the keys of one call name to guard it, held from before its first attempt to its end.

use crate::Instant;
use core::time::Duration;
use std::sync::Arc;

use crate::attempt::context;
use crate::engine::gates::{Answer, Guards, Timeout};
use crate::guard::breaker::admission::Admission;
use crate::guard::breaker::stand::Closed;
use crate::guard::breaker::state::{Change, Refused};
use crate::guard::breaker::{Breaker, Waiting};
use crate::guard::budget::{Budget, Spent};
use crate::report::interrupted::Interruption;
use crate::report::reason::StopReason;
use crate::scope::deadline::{IntoDeadline, Limit};
use crate::verdict::verdict::Verdict;

/// Where a call has no breaker: to ask a stand-in is cheaper than to ask whether there is one.
static NO_BREAKER: Breaker = Breaker::always_closed();
/// What the stand-in would say, for calls that do not even ask it.
const NO_BREAKER_IS: Option<Closed> = Closed::FIRST;
/// And where it has no budget: always full.
static NO_BUDGET: Budget = Budget::new(0);

/// The guards of one call.
#[derive(Debug)]
#[must_use]
#[allow(clippy::struct_excessive_bools)] // each is a question of its own
pub struct Guarded<'a> {
    deadline: Option<Limit>,
    timeout: Option<Timeout>,
    /// Whether the retrying is left to the call around this one.
    is_nested: bool,
    is_cancelled: bool,
    breaker: &'a Breaker,
    /// Whether a retry waits for the breaker's next probe.
    waits: bool,
    /// Whether an attempt was a probe.
    was_probe: bool,
    /// The state of the closed breaker that has let the first attempt through.
    closed_in: Option<Closed>,
    budget: &'a Budget,
    given: Option<Given<'a>>,
}

/// What only a probe or a retry is given.
#[derive(Debug, Default)]
struct Given<'a> {
    /// By the breaker, and when, if it measures.
    admission: Option<(Admission<'a>, Option<Instant>)>,
    spent: Option<Spent<'a>>,
}

impl<'a> Guarded<'a> {
    /// No guards yet.
    pub const fn new() -> Self {
        Self {
            deadline: None,
            timeout: None,
            is_nested: false,
            is_cancelled: false,
            breaker: &NO_BREAKER,
            waits: false,
            was_probe: false,
            closed_in: NO_BREAKER_IS,
            budget: &NO_BUDGET,
            given: None,
        }
    }

    /// What a policy says.
    pub(crate) fn by(
        deadline: Option<Limit>,
        timeout: Option<Timeout>,
        breaker: Option<(&'a Breaker, bool)>,
        budget: Option<&'a Budget>,
        once: bool,
    ) -> Self {
        let (breaker, waits) = breaker.unwrap_or((&NO_BREAKER, false));
        let budget = budget.unwrap_or(&NO_BUDGET);
        let guarded = Self { deadline, timeout, breaker, waits, budget, ..Self::new() };
        if once { guarded.once() } else { guarded }
    }

    /// `deadline`.
    #[inline]
    pub fn deadline(self, deadline: impl IntoDeadline) -> Self {
        Self { deadline: deadline.limit(), ..self }
    }

    /// `attempt_timeout`.
    #[inline]
    pub fn timeout(self, timeout: impl IntoTimeout) -> Self {
        Self { timeout: timeout.timeout().map(Timeout::After), ..self }
    }

    /// `attempt_timeout = idle(…)`.
    #[inline]
    pub fn idle(self, timeout: impl IntoTimeout) -> Self {
        Self { timeout: timeout.timeout().map(Timeout::Idle), ..self }
    }

    /// `nested = once`.
    #[inline]
    pub fn once(self) -> Self {
        Self { is_nested: context::around().is_some(), ..self }
    }

    /// `nested = multiply`, beside a policy that may say otherwise.
    #[inline]
    pub fn multiply(self) -> Self {
        Self { is_nested: false, ..self }
    }

    /// `breaker`.
    #[inline]
    pub fn breaker(self, breaker: impl IntoBreaker<'a>) -> Self {
        let (breaker, waits) = match breaker.breaker() {
            Some(given) => given,
            None => (&NO_BREAKER, false),
        };
        Self { breaker, waits, ..self }
    }

    /// `budget`.
    #[inline]
    pub fn budget(self, budget: impl IntoBudget<'a>) -> Self {
        Self { budget: budget.budget().unwrap_or(&NO_BUDGET), ..self }
    }
}

impl<'a> Guarded<'a> {
    fn given(&mut self) -> &mut Given<'a> {
        self.given.get_or_insert_default()
    }

    /// The breaker, if there is one.
    fn real_breaker(&self) -> Option<&'a Breaker> {
        (!core::ptr::eq(self.breaker, &raw const NO_BREAKER)).then_some(self.breaker)
    }
}

impl Default for Guarded<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl Guards for Guarded<'_> {
    #[inline]
    fn any(&mut self) -> Option<&mut dyn Guards> {
        Some(self)
    }

    #[inline]
    fn deadline(&self) -> Option<Limit> {
        self.deadline
    }

    #[inline]
    fn timeout(&self) -> Option<Timeout> {
        self.timeout
    }

    #[inline]
    fn lift(&mut self) {
        (self.breaker, self.budget) = (&NO_BREAKER, &NO_BUDGET);
    }

    fn cancel(&mut self) {
        self.is_cancelled = true;
    }

    fn is_cancelled(&self) -> bool {
        self.is_cancelled
    }

    #[inline]
    fn admits(&mut self) -> bool {
        let closed_in = self.breaker.closed();
        if closed_in.is_some() {
            self.closed_in = closed_in;
        }
        closed_in.is_some()
    }

    fn admit(
        &mut self,
        is_retry: bool,
        now: &dyn Fn() -> Instant,
    ) -> Result<Option<Change>, Interruption> {
        if self.is_cancelled {
            return Err(Interruption::Cancelled);
        }
        self.closed_in = None;
        let Some(breaker) = self.real_breaker() else { return Ok(None) };
        // A probe is the only attempt of its call, unless that waits for it.
        let admitted =
            if is_retry && !self.waits { breaker.admit_retry(now()) } else { breaker.admit(now) };
        let admission = admitted.map_err(|_| Interruption::BreakerOpen)?;
        let change = admission.change();
        self.was_probe |= admission.is_probe();
        self.given().admission = Some((admission, breaker.measures().then(now)));
        Ok(change)
    }

    fn retried(&mut self) {
        if let Some(Given { spent: Some(spent), .. }) = &mut self.given {
            spent.made();
        }
    }

    fn attempted(&mut self, answer: Answer, now: &dyn Fn() -> Instant) -> Option<Change> {
        let breaker = self.real_breaker()?;
        let (admission, started) = match self.closed_in.take() {
            Some(closed) => (breaker.admitted(closed), None),
            None => self.given.as_mut()?.admission.take()?,
        };
        match answer {
            Answer::Failed => admission.failed(now()),
            Answer::Answered => {
                let took = started.map(|started| now().saturating_duration_since(started));
                admission.succeeded(took, now)
            }
        }
    }

    #[inline]
    fn succeeded(&mut self, now: &dyn Fn() -> Instant) -> Option<Change> {
        self.budget.succeeded();
        match self.closed_in {
            Some(closed) => {
                self.breaker.answered(closed);
                None
            }
            None => self.attempted(Answer::Answered, now),
        }
    }

    fn refuse(
        &mut self,
        delay: Duration,
        now: &dyn Fn() -> Instant,
    ) -> Result<Duration, StopReason> {
        if self.is_nested {
            return Err(StopReason::Nested);
        }
        if self.is_cancelled {
            return Err(StopReason::Cancelled);
        }
        // A probe is the only attempt of its call, even if others have closed the breaker meanwhile.
        let is_over = self.was_probe && !self.waits;
        let asked = |breaker: &Breaker| {
            if is_over {
                Err(breaker.refuse_at(now()))
            } else {
                breaker.admit_retry(now()).map(drop)
            }
        };
        match self.real_breaker().map(asked) {
            // Asked again when the attempt starts: until then it may have opened.
            None | Some(Ok(())) => Ok(delay),
            Some(Err(Refused { retry_after: Some(wait), .. })) if self.waits => Ok(delay.max(wait)),
            Some(Err(_)) => Err(StopReason::BreakerOpen),
        }
    }

    fn spend(&mut self, verdict: Verdict) -> Result<(), StopReason> {
        if !core::ptr::eq(self.budget, &raw const NO_BUDGET) {
            let spent = self.budget.try_spend(verdict.is_throttled()).ok_or(StopReason::Budget)?;
            self.given().spent = Some(spent);
        }
        Ok(())
    }

    fn ended(&mut self, reason: StopReason) {
        let spent = self.given.take().and_then(|given| given.spent);
        if reason == StopReason::Success {
            match spent {
                Some(spent) => spent.succeeded(),
                None => self.budget.succeeded(),
            }
        }
    }

    fn release(&mut self) {
        self.given = None;
    }
}

/// What `attempt_timeout` takes.
#[diagnostic::on_unimplemented(
    message = "`attempt_timeout` takes a duration, not a `{Self}`",
    label = "neither a `Duration` nor an `Option` of one",
    note = "write `attempt_timeout = 2s`, or `attempt_timeout = idle(30s)` for what may take long as long as it moves"
)]
pub trait IntoTimeout {
    /// That duration, if there is one.
    fn timeout(self) -> Option<Duration>;
}

impl IntoTimeout for Duration {
    #[inline]
    fn timeout(self) -> Option<Duration> {
        Some(self)
    }
}

impl IntoTimeout for Option<Duration> {
    #[inline]
    fn timeout(self) -> Option<Duration> {
        self
    }
}

/// What `budget` takes: a reference to what [lends](LendsBudget) one, if there is one.
#[diagnostic::on_unimplemented(
    message = "`budget` takes a reference to a `retry::Budget`, and a `{Self}` is none",
    label = "no reference to a budget",
    note = "write `budget = &BUDGET`, with `static BUDGET: Budget = Budget::new(160);`"
)]
pub trait IntoBudget<'a> {
    /// That.
    fn budget(self) -> Option<&'a Budget>;
}

/// What has a budget, directly or behind others. A trait of its own, so that of what has none one thing
/// is said.
#[diagnostic::on_unimplemented(
    message = "`budget` takes a reference to a `retry::Budget`, and a `{Self}` is none",
    label = "no budget",
    note = "write `budget = &BUDGET`, with `static BUDGET: Budget = Budget::new(160);`"
)]
pub trait LendsBudget {
    /// That.
    fn lend(&self) -> Option<&Budget>;
}

/// What `breaker` takes: a reference to what [lends](LendsBreaker) one, if there is one.
#[diagnostic::on_unimplemented(
    message = "`breaker` takes a reference to a `retry::Breaker`, and a `{Self}` is none",
    label = "no reference to a breaker",
    note = "write `breaker = &BREAKER`, with `static BREAKER: Breaker = Breaker::consecutive(5);`"
)]
pub trait IntoBreaker<'a> {
    /// That, and whether a retry waits for its next probe.
    fn breaker(self) -> Option<(&'a Breaker, bool)>;
}

/// What has a breaker, directly or behind others. A trait of its own, so that of what has none one thing
/// is said.
#[diagnostic::on_unimplemented(
    message = "`breaker` takes a reference to a `retry::Breaker`, and a `{Self}` is none",
    label = "no breaker",
    note = "write `breaker = &BREAKER`, with `static BREAKER: Breaker = Breaker::consecutive(5);`"
)]
pub trait LendsBreaker {
    /// That, and whether a retry waits for its next probe.
    fn lend(&self) -> Option<(&Breaker, bool)>;
}

#[diagnostic::do_not_recommend]
impl<'a, L: LendsBudget + ?Sized> IntoBudget<'a> for &'a L {
    #[inline]
    fn budget(self) -> Option<&'a Budget> {
        self.lend()
    }
}

impl<'a, I: IntoBudget<'a>> IntoBudget<'a> for Option<I> {
    #[inline]
    fn budget(self) -> Option<&'a Budget> {
        self?.budget()
    }
}

impl LendsBudget for Budget {
    #[inline]
    fn lend(&self) -> Option<&Budget> {
        Some(self)
    }
}

#[diagnostic::do_not_recommend]
impl<L: LendsBudget + ?Sized> LendsBudget for &L {
    #[inline]
    fn lend(&self) -> Option<&Budget> {
        (**self).lend()
    }
}

#[diagnostic::do_not_recommend]
impl<L: LendsBudget + ?Sized> LendsBudget for Arc<L> {
    #[inline]
    fn lend(&self) -> Option<&Budget> {
        (**self).lend()
    }
}

#[diagnostic::do_not_recommend]
impl<L: LendsBudget> LendsBudget for Option<L> {
    #[inline]
    fn lend(&self) -> Option<&Budget> {
        self.as_ref()?.lend()
    }
}

#[diagnostic::do_not_recommend]
impl<'a, L: LendsBreaker + ?Sized> IntoBreaker<'a> for &'a L {
    #[inline]
    fn breaker(self) -> Option<(&'a Breaker, bool)> {
        self.lend()
    }
}

impl<'a, I: IntoBreaker<'a>> IntoBreaker<'a> for Option<I> {
    #[inline]
    fn breaker(self) -> Option<(&'a Breaker, bool)> {
        self?.breaker()
    }
}

impl LendsBreaker for Breaker {
    #[inline]
    fn lend(&self) -> Option<(&Breaker, bool)> {
        Some((self, false))
    }
}

#[diagnostic::do_not_recommend]
impl<L: LendsBreaker + ?Sized> LendsBreaker for &L {
    #[inline]
    fn lend(&self) -> Option<(&Breaker, bool)> {
        (**self).lend()
    }
}

#[diagnostic::do_not_recommend]
impl<L: LendsBreaker + ?Sized> LendsBreaker for Arc<L> {
    #[inline]
    fn lend(&self) -> Option<(&Breaker, bool)> {
        (**self).lend()
    }
}

#[diagnostic::do_not_recommend]
impl<L: LendsBreaker> LendsBreaker for Option<L> {
    #[inline]
    fn lend(&self) -> Option<(&Breaker, bool)> {
        self.as_ref()?.lend()
    }
}

impl LendsBreaker for Waiting<'_> {
    #[inline]
    fn lend(&self) -> Option<(&Breaker, bool)> {
        Some((Waiting::breaker(*self), true))
    }
}

impl<'a> IntoBreaker<'a> for Waiting<'a> {
    #[inline]
    fn breaker(self) -> Option<(&'a Breaker, bool)> {
        Some((self.breaker(), true))
    }
}
