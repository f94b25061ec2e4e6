//! What the outcome of an attempt means.

use core::fmt;
use core::ops::{BitAnd, BitOr, Not};
use core::time::Duration;

/// What the outcome of one attempt means.
///
/// There are three verdicts, written like variants: [`Verdict::Final`], [`Verdict::Retry`] and
/// [`Verdict::Ambiguous`]. The last two can carry what else the outcome told: how long the other
/// side asked to wait ([`retry_after`](Self::retry_after)), that no wait is needed
/// ([`now`](Self::now)), or that it is overloaded ([`throttled`](Self::throttled)).
///
/// ```
/// use retry::Verdict;
/// use std::time::Duration;
///
/// fn judge(status: u16, retry_after: Option<Duration>) -> Verdict {
///     match (status, retry_after) {
///         (429, Some(wait)) => Verdict::Retry.retry_after(wait).throttled(),
///         (429, None) => Verdict::Retry.throttled(),
///         (502 | 503, _) => Verdict::Retry,
///         (504, _) => Verdict::Ambiguous,
///         _ => Verdict::Final,
///     }
/// }
/// assert!(judge(404, None).is_final());
/// assert_eq!(judge(429, Some(Duration::from_secs(2))).hint(), Some(Duration::from_secs(2)));
/// ```
///
/// Verdicts combine like the conditions that give them. `a | b`: anything beats `Final`, and
/// `Ambiguous` beats `Retry`. `a & b`: `Final` wins, otherwise as `|`. In both, of two hints the
/// longer is kept, and the wait is skipped only if neither side wants one. `!a` turns `Final`
/// into `Retry` and the rest into `Final`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Verdict {
    meaning: Meaning,
    hint: Option<Duration>,
    now: bool,
    throttled: bool,
    /// Of how many that are tried in turn; zero if of none.
    turns: u32,
}

/// In ascending order of what beats what in `a | b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Meaning {
    Final,
    Retry,
    Ambiguous,
}

#[allow(non_upper_case_globals)] // written like the variants they stand for
impl Verdict {
    /// Return the outcome, good or bad: another attempt would not change it. A failure that is judged
    /// so is called *permanent* wherever it is named.
    pub const Final: Self = Self::new(Meaning::Final);

    /// The attempt had no effect, and another may succeed.
    pub const Retry: Self = Self::new(Meaning::Retry);

    /// The attempt failed but may have taken effect (a timeout after the request was sent).
    /// Retried only where the call is `idempotent`.
    pub const Ambiguous: Self = Self::new(Meaning::Ambiguous);
}

impl Verdict {
    const fn new(meaning: Meaning) -> Self {
        Self { meaning, hint: None, now: false, throttled: false, turns: 0 }
    }

    /// Retry with the next of `n` that can do the same: mirrors, replicas, addresses of one name. It is asked
    /// at once, without a wait, and the failure uses up none of the attempts that `stop` counts, until all
    /// `n` have failed in a row. The last of them is a failure like any other: it counts, and is waited for.
    /// With 0 or 1, every one is.
    ///
    /// So `attempts(3)` of 4 mirrors are at most twelve attempts in three rounds. Limits in time, budgets and
    /// breakers take no notice of it, and reports and counters count every attempt. A hint beside it still
    /// holds. On [`Verdict::Final`] it changes nothing.
    ///
    /// ```
    /// use retry::{Step, StopReason, Verdict, policy};
    /// use std::time::Duration;
    ///
    /// let policy = policy! { stop = attempts(2), wait = fixed(1s) };
    /// let mut schedule = policy.into_schedule();
    /// let next = Verdict::Retry.next_of(3);
    /// let steps: Vec<_> = (0..6).map(|_| schedule.failed_with(next).delay()).collect();
    /// let (zero, second) = (Ok(Duration::ZERO), Ok(Duration::from_secs(1)));
    /// assert_eq!(steps, [zero, zero, second, zero, zero, Err(StopReason::Attempts)]);
    /// ```
    pub const fn next_of(mut self, n: usize) -> Self {
        #[allow(clippy::cast_possible_truncation)] // bounded
        let n = if n > u32::MAX as usize { u32::MAX } else { n as u32 };
        self.turns = n;
        self
    }

    /// The other side asked to be left alone for this long.
    ///
    /// The hint is a floor for the next delay, never a reason to come sooner. Where it is longer
    /// than the call may wait (see `max_hint`), the call gives up at once. Asked for twice, the
    /// longer counts. On [`Verdict::Final`] it changes nothing.
    ///
    /// Clients that were given the same hint would come back together. Where the policy's own waits are
    /// spread by jitter, a hinted wait is spread too, upward by up to a tenth of the hint as far as the
    /// call's limits and a `max_hint = clamp(d)` allow; `.jitter(d)` spreads it by up to `d` instead, and a policy without jitter
    /// keeps to the hint exactly.
    pub const fn retry_after(mut self, wait: Duration) -> Self {
        self.hint = match self.hint {
            Some(hint) if hint.as_nanos() > wait.as_nanos() => Some(hint),
            _ => Some(wait),
        };
        self
    }

    /// Retry without a wait, and without advancing the backoff; the attempt counts.
    ///
    /// For a redirect to another server, or a failure that has already been put right. A hint
    /// beside it still holds. On [`Verdict::Final`] it changes nothing.
    pub const fn now(mut self) -> Self {
        self.now = true;
        self
    }

    /// The other side is overloaded; see [`Wait::throttled`](crate::Wait::throttled). On
    /// [`Verdict::Final`] it changes nothing.
    pub const fn throttled(mut self) -> Self {
        self.throttled = true;
        self
    }

    /// Whether the outcome is to be returned.
    pub const fn is_final(self) -> bool {
        matches!(self.meaning, Meaning::Final)
    }

    /// Whether another attempt is safe and may succeed.
    pub const fn is_retry(self) -> bool {
        matches!(self.meaning, Meaning::Retry)
    }

    /// Whether the attempt may have taken effect.
    pub const fn is_ambiguous(self) -> bool {
        matches!(self.meaning, Meaning::Ambiguous)
    }

    /// How long the other side asked to be left alone.
    pub const fn hint(self) -> Option<Duration> {
        self.hint
    }

    /// Of how many that can do the same the next is to be asked at once; 0 where nobody said so.
    pub const fn turns(self) -> u32 {
        self.turns
    }

    /// Whether the next attempt needs no wait.
    pub const fn is_now(self) -> bool {
        self.now
    }

    /// Whether the other side is overloaded.
    pub const fn is_throttled(self) -> bool {
        self.throttled
    }

    fn merge(self, other: Self) -> Self {
        Self {
            meaning: self.meaning.max(other.meaning),
            hint: self.hint.max(other.hint),
            now: self.now && other.now,
            throttled: self.throttled || other.throttled,
            turns: self.turns.min(other.turns),
        }
    }
}

impl BitOr for Verdict {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        match (self.is_final(), other.is_final()) {
            (_, true) => self,
            (true, false) => other,
            (false, false) => self.merge(other),
        }
    }
}

impl BitAnd for Verdict {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        if self.is_final() || other.is_final() { Self::Final } else { self.merge(other) }
    }
}

impl Not for Verdict {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        if self.is_final() { Self::Retry } else { Self::Final }
    }
}

/// `true` is [`Verdict::Retry`], `false` is [`Verdict::Final`].
impl From<bool> for Verdict {
    #[inline]
    fn from(retry: bool) -> Self {
        if retry { Self::Retry } else { Self::Final }
    }
}

impl fmt::Debug for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.meaning)?;
        if let Some(hint) = self.hint {
            write!(f, ".retry_after({hint:?})")?;
        }
        if self.now {
            f.write_str(".now()")?;
        }
        if self.turns > 0 {
            write!(f, ".next_of({})", self.turns)?;
        }
        if self.throttled {
            f.write_str(".throttled()")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RETRY: Verdict = Verdict::Retry;
    const S: Duration = Duration::from_secs(1);

    #[test]
    fn anything_beats_final_and_ambiguous_beats_retry() {
        let all = [Verdict::Final, Verdict::Retry, Verdict::Ambiguous];
        for (i, a) in all.into_iter().enumerate() {
            for (j, b) in all.into_iter().enumerate() {
                assert_eq!(a | b, all[i.max(j)]);
                assert_eq!(a & b, if i.min(j) == 0 { Verdict::Final } else { all[i.max(j)] });
            }
        }
        assert_eq!(!Verdict::Final, Verdict::Retry);
        assert_eq!(!Verdict::Ambiguous.retry_after(S), Verdict::Final);
    }

    #[test]
    fn of_two_hints_the_longer_is_kept() {
        let (long, short) = (RETRY.retry_after(2 * S), RETRY.retry_after(S));
        assert_eq!((long | short).hint(), Some(2 * S));
        assert_eq!((short & long).hint(), Some(2 * S));
        assert_eq!((RETRY | long).hint(), Some(2 * S));
        assert_eq!(short.retry_after(2 * S).retry_after(S).hint(), Some(2 * S));
    }

    #[test]
    fn a_final_side_adds_neither_hint_nor_throttling() {
        let loud = Verdict::Final.retry_after(S).throttled().now();
        assert_eq!(loud | RETRY, RETRY);
        assert_eq!(RETRY | loud, RETRY);
        assert_eq!(loud & RETRY, Verdict::Final);
    }

    #[test]
    fn the_wait_is_skipped_only_if_neither_side_wants_one() {
        assert!((RETRY.now() | RETRY.now()).is_now());
        assert!(!(RETRY.now() | RETRY).is_now());
        assert!((RETRY.now() | Verdict::Final).is_now());
        assert!((RETRY | RETRY.throttled()).is_throttled());
    }

    #[test]
    fn of_two_numbers_of_turns_the_fewer_are_taken() {
        assert_eq!((RETRY.next_of(3) | RETRY.next_of(2)).turns(), 2);
        assert_eq!((RETRY.next_of(3) & RETRY).turns(), 0);
        assert_eq!((RETRY.next_of(3) | Verdict::Final).turns(), 3);
        assert_eq!(RETRY.next_of(usize::MAX).turns(), u32::MAX);
    }

    #[test]
    fn debug_reads_like_the_code_that_makes_it() {
        let verdict = Verdict::Ambiguous.retry_after(S).now().next_of(2).throttled();
        assert_eq!(
            format!("{verdict:?}"),
            "Ambiguous.retry_after(1s).now().next_of(2).throttled()"
        );
    }
}
