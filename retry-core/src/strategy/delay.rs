//! The answer of a wait strategy, and the arithmetic on it.

use core::time::Duration;

/// What a [`Wait`](crate::Wait) strategy answers with: a delay that still knows how it came
/// about.
///
/// `value` is what the strategy would wait, `most` the longest it could have answered at this
/// attempt, `extra` a part that comes on top of it and may exceed the cap, and `floor` the
/// least delay whatever the rest says. Keeping them apart is what lets a cap and a jitter be
/// written in either order: the cap scales `value` by its ratio to `most` instead of cutting it
/// off, so clients that were spread out stay spread out.
///
/// A strategy of your own may answer with a plain [`Duration`]: `Delay::from(duration)` has
/// `value` and `most` equal and nothing else.
///
/// ```
/// use retry::Delay;
/// use std::time::Duration;
///
/// let ms = Duration::from_millis;
/// // Drawn from 0..800 ms, and capped at 400 ms: half of what was drawn.
/// let drawn = Delay::between(ms(600), ms(800));
/// assert_eq!(drawn.capped(ms(400)).total(), ms(300));
/// ```
///
/// All arithmetic saturates; nothing here panics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Delay {
    value: Duration,
    most: Duration,
    extra: Duration,
    floor: Duration,
}

impl Delay {
    /// No delay.
    pub const ZERO: Self = Self::fixed(Duration::ZERO);

    /// A delay that could not have been another.
    pub const fn fixed(value: Duration) -> Self {
        Self { value, most: value, extra: Duration::ZERO, floor: Duration::ZERO }
    }

    /// A delay drawn from a range that ends at `most`. A `value` above `most` counts as `most`.
    pub fn between(value: Duration, most: Duration) -> Self {
        Self { value: value.min(most), most, extra: Duration::ZERO, floor: Duration::ZERO }
    }

    /// What the strategy would wait, before `extra` and `floor`.
    pub const fn value(self) -> Duration {
        self.value
    }

    /// The longest `value` could have been at this attempt.
    pub const fn most(self) -> Duration {
        self.most
    }

    /// What additive jitter puts on top.
    pub const fn extra(self) -> Duration {
        self.extra
    }

    /// The least delay.
    pub const fn floor(self) -> Duration {
        self.floor
    }

    /// The delay to wait: `value` and `extra` together, and at least the floor.
    pub fn total(self) -> Duration {
        self.value.saturating_add(self.extra).max(self.floor)
    }

    /// Limits the delay to `cap`: where `most` is above it, `value` is scaled by `cap / most`.
    pub fn capped(self, cap: Duration) -> Self {
        if self.most <= cap {
            return self;
        }
        let value = if self.value == self.most {
            cap
        } else {
            scale(cap, ratio(self.value, self.most)).min(cap)
        };
        Self { value, most: cap, ..self }
    }

    /// Raises the least delay to `floor`; it beats any cap, before or after.
    pub fn floored(self, floor: Duration) -> Self {
        Self { floor: self.floor.max(floor), ..self }
    }

    /// Multiplies `value` by `factor`, which counts as a number from 0 to 1.
    pub(crate) fn shrink(self, factor: f64) -> Self {
        Self { value: scale(self.value, factor).min(self.value), ..self }
    }

    pub(crate) fn add_extra(self, extra: Duration) -> Self {
        Self { extra: self.extra.saturating_add(extra), ..self }
    }

    /// Whether there is additive jitter.
    pub(crate) const fn has_extra(self) -> bool {
        !self.extra.is_zero()
    }

    /// At least `hint`, with the additive jitter on top of it.
    pub(crate) fn at_least(self, hint: Duration) -> Duration {
        self.total().max(hint.saturating_add(self.extra))
    }

    /// The floor counted as value where it is what the delay comes to.
    fn raised(self) -> Self {
        let value = self.value.max(self.floor.saturating_sub(self.extra));
        Self { value, most: self.most.max(value), ..self }
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        // Each waits what it would wait alone, which may be its floor.
        let (this, other) = (self.raised(), other.raised());
        Self {
            value: this.value.saturating_add(other.value),
            most: this.most.saturating_add(other.most),
            extra: this.extra.saturating_add(other.extra),
            floor: this.floor.saturating_add(other.floor),
        }
    }

    pub(crate) fn longer(self, other: Self) -> Self {
        let longer = if other.total() > self.total() { other } else { self };
        Self { most: self.most.max(other.most), floor: self.floor.max(other.floor), ..longer }
    }

    pub(crate) fn shorter(self, other: Self) -> Self {
        let shorter = if other.total() < self.total() { other } else { self };
        // The chosen value may be above the other's `most` where that one has a high floor.
        Self { most: self.most.min(other.most).max(shorter.value), ..shorter }
    }
}

impl From<Duration> for Delay {
    fn from(value: Duration) -> Self {
        Self::fixed(value)
    }
}

const NANOS_PER_SEC: u128 = 1_000_000_000;

/// `nanos` as a duration, saturating.
pub(crate) fn from_nanos(nanos: u128) -> Duration {
    match u64::try_from(nanos / NANOS_PER_SEC) {
        #[allow(clippy::cast_possible_truncation)] // below 10^9
        Ok(secs) => Duration::new(secs, (nanos % NANOS_PER_SEC) as u32),
        Err(_) => Duration::MAX,
    }
}

/// `duration * factor`, saturating; a factor that is negative or not a number counts as zero.
pub(crate) fn scale(duration: Duration, factor: f64) -> Duration {
    #[allow(clippy::float_cmp)] // a first wait is exactly its base, however long
    if duration.is_zero() || factor == 1.0 {
        // 0 × ∞ is not a number, but zero times anything is no wait.
        return duration;
    }
    #[allow(clippy::cast_precision_loss)] // exact below 104 days, 1 part in 10^16 above
    let nanos = duration.as_nanos() as f64 * factor;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturates, NaN is 0
    from_nanos(nanos.round() as u128)
}

/// `part / whole`, for a `whole` that is not zero.
fn ratio(part: Duration, whole: Duration) -> f64 {
    #[allow(clippy::cast_precision_loss)]
    let ratio = part.as_nanos() as f64 / whole.as_nanos() as f64;
    ratio
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scaling_is_exact_for_ordinary_delays_and_saturates_for_the_rest() {
        let ms = Duration::from_millis;
        assert_eq!(scale(ms(100), 8.0), ms(800));
        assert_eq!(scale(ms(100), 1.5), ms(150));
        let long = Duration::MAX.saturating_sub(ms(1));
        assert_eq!(scale(long, 1.0), long);
        assert_eq!(scale(Duration::MAX, 2.0), Duration::MAX);
        assert_eq!(scale(ms(1), f64::INFINITY), Duration::MAX);
        assert_eq!(scale(Duration::ZERO, f64::INFINITY), Duration::ZERO);
        assert_eq!(scale(ms(1), f64::NAN), Duration::ZERO);
        assert_eq!(scale(ms(1), -1.0), Duration::ZERO);
    }

    #[test]
    fn the_shorter_of_two_keeps_its_value_below_most() {
        let secs = Duration::from_secs;
        let floored = Delay::fixed(secs(1)).floored(secs(9));
        let plain = Delay::fixed(secs(5));
        let shorter = floored.shorter(plain);
        assert!(shorter.value() <= shorter.most());
        assert_eq!(shorter.total(), secs(5));
    }
}
