//! What outside of the policy may refuse: the one place, and the one order.
//!
//! A call is asked for at its start (the process-wide switch, `enabled`, the overrides of a test),
//! before each attempt ([`Guards::admit`]), and when the policy would make a retry, before anybody is
//! told of it: the deadline (part of the schedule, see `call.rs`), nesting, `cancel` and the breaker
//! ([`Guards::refuse`]), and last the budget ([`Guards::spend`]), so that no token is spent on a retry
//! that is not made.

use crate::Instant;
use core::time::Duration;

use crate::engine::call::Call;
use crate::guard::breaker::state::Change;
use crate::report::interrupted::Interruption;
use crate::report::reason::StopReason;
use crate::scope::deadline::Limit;
use crate::scope::switch;
use crate::strategy::erased::AnyStop;
use crate::strategy::stop::{Boundedness, Stop};
use crate::verdict::verdict::Verdict;

/// What the keys of one call say about being refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// By an override or the switch.
    Open,
    /// `enabled` said `false`.
    Disabled,
    /// By an override, but not by the switch: `forever` means that the call must not end because
    /// retrying was off for a while.
    Forever,
    /// By nothing, since only a success gives a value that could be returned.
    Endless,
}

impl Entry {
    /// What `enabled` says.
    #[inline]
    pub const fn enabled(enabled: bool) -> Self {
        if enabled { Self::Open } else { Self::Disabled }
    }

    /// What `enabled` says beside `forever`.
    #[inline]
    pub const fn forever(enabled: bool) -> Self {
        if enabled { Self::Forever } else { Self::Disabled }
    }

    /// What the type of a stop strategy says.
    #[inline]
    pub(crate) const fn of<S: Stop>() -> Self {
        if <S::Ends as Boundedness>::ENDS { Self::Open } else { Self::Forever }
    }

    /// Why a call is no more than its plain body, if it is: decided before its first attempt. An
    /// override has the last word.
    pub(crate) fn closed(self, overridden: Option<bool>) -> Option<StopReason> {
        let enabled = match self {
            Self::Endless => true,
            Self::Open => overridden.unwrap_or_else(switch::is_enabled),
            Self::Forever => overridden.unwrap_or(true),
            Self::Disabled => overridden.unwrap_or(false),
        };
        (!enabled).then_some(StopReason::Disabled)
    }
}

/// How an attempt has ended, for those who watch over the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// With a success, or a failure that is an answer.
    Answered,
    /// With a failure worth another attempt, or cut.
    Failed,
}

/// How long one attempt may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timeout {
    /// This long in all.
    After(Duration),
    /// This long since it last made progress.
    Idle(Duration),
}

/// What guards one call. A type, so that a call without guards pays for none: that is `()`.
pub trait Guards {
    /// The same for what is compiled once, if there is anything.
    fn any(&mut self) -> Option<&mut dyn Guards>;

    /// When the call must be over.
    fn deadline(&self) -> Option<Limit> {
        None
    }

    /// How long one attempt may take.
    fn timeout(&self) -> Option<Timeout> {
        None
    }

    /// A test has said that the other side's guards are not asked.
    fn lift(&mut self) {}

    /// Somebody has cancelled the call.
    fn cancel(&mut self) {}

    /// Whether somebody has.
    fn is_cancelled(&self) -> bool {
        false
    }

    /// Whether the first attempt of a call that nobody watches or has cancelled may start, with nothing
    /// more to ask, to measure or to tell: what most are. Where it may not, [`admit`](Self::admit) says why, or what else there is to do.
    fn admits(&mut self) -> bool;

    /// What keeps an attempt from starting, if anything does; else what letting it start has changed.
    fn admit(
        &mut self,
        _is_retry: bool,
        _now: &dyn Fn() -> Instant,
    ) -> Result<Option<Change>, Interruption> {
        Ok(None)
    }

    /// An attempt after the first starts.
    fn retried(&mut self) {}

    /// An attempt has ended. Answers what that has changed.
    fn attempted(&mut self, _: Answer, _now: &dyn Fn() -> Instant) -> Option<Change> {
        None
    }

    /// The first attempt has ended with a success, and so has the call.
    fn succeeded(&mut self, now: &dyn Fn() -> Instant) -> Option<Change>;

    /// The delay after which a retry may be made, or why it may not be.
    fn refuse(
        &mut self,
        delay: Duration,
        _now: &dyn Fn() -> Instant,
    ) -> Result<Duration, StopReason> {
        Ok(delay)
    }

    /// Pays for the retry that is going to be made after a failure of this verdict.
    fn spend(&mut self, _: Verdict) -> Result<(), StopReason> {
        Ok(())
    }

    /// The call has ended otherwise. What was given out for it is given back.
    fn ended(&mut self, _reason: StopReason) {}

    /// The call was dropped before it has ended: the same. Nobody drops what guards it but by this.
    fn release(&mut self) {}
}

/// The delay of a retry that nothing refuses, and that is paid for.
pub(crate) fn pass(
    guards: &mut dyn Guards,
    call: &mut Call,
    delay: Duration,
    stop: &AnyStop<'_>,
    now: &dyn Fn() -> Instant,
) -> Result<Duration, StopReason> {
    let waits = guards.refuse(delay, now)?;
    if waits > delay {
        call.stretch(waits, stop)?;
    }
    guards.spend(call.state().verdict())?;
    Ok(waits)
}

impl Guards for () {
    #[inline(always)]
    #[allow(clippy::inline_always)] // on the way of every first success
    fn any(&mut self) -> Option<&mut dyn Guards> {
        None
    }

    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn lift(&mut self) {}

    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn admits(&mut self) -> bool {
        true
    }

    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn attempted(&mut self, _: Answer, _: &dyn Fn() -> Instant) -> Option<Change> {
        None
    }

    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn succeeded(&mut self, _: &dyn Fn() -> Instant) -> Option<Change> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_override_has_the_last_word_and_an_endless_call_hears_nobody() {
        let closed = Some(StopReason::Disabled);
        for (entry, overridden, expected) in [
            (Entry::Open, None, None),
            (Entry::Open, Some(false), closed),
            (Entry::Disabled, None, closed),
            (Entry::Disabled, Some(true), None),
            (Entry::Forever, None, None),
            (Entry::Forever, Some(false), closed),
            (Entry::Endless, None, None),
            (Entry::Endless, Some(false), None),
        ] {
            assert_eq!(entry.closed(overridden), expected, "{entry:?} {overridden:?}");
        }
    }

    /// Says only what a guard has to.
    struct Silent;

    impl Guards for Silent {
        fn any(&mut self) -> Option<&mut dyn Guards> {
            Some(self)
        }

        fn admits(&mut self) -> bool {
            false
        }

        fn succeeded(&mut self, _: &dyn Fn() -> Instant) -> Option<Change> {
            None
        }
    }

    #[test]
    fn what_says_nothing_keeps_no_call_from_anything() {
        assert!(().admits());
        let (mut silent, now) = (Silent, || unreachable!("the time is asked for"));
        let second = Duration::from_secs(1);
        assert!(silent.deadline().is_none() && silent.timeout().is_none());
        assert!(!silent.is_cancelled());
        assert_eq!(silent.admit(true, &now), Ok(None));
        assert_eq!(silent.attempted(Answer::Failed, &now), None);
        assert_eq!(silent.refuse(second, &now), Ok(second));
        assert_eq!(silent.spend(Verdict::Retry), Ok(()));
    }
}
