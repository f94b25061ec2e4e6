//! Which of a call's waits a strategy counts.

/// What the number of a wait counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counted {
    /// All waits of the call but this many, its first.
    Since(u32),
    /// Waits after failures of one kind, throttled or not.
    Alike,
}

impl Counted {
    /// The same, but for this many more.
    pub(crate) const fn past(self, skipped: u32) -> Self {
        match self {
            Self::Since(already) => Self::Since(already.saturating_add(skipped)),
            Self::Alike => Self::Alike,
        }
    }
}

/// Which waits of a call have followed a throttled verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ThrottledWaits {
    count: u32,
    /// A bit for each of the first 64 waits, the lowest for the first. Later ones are only counted:
    /// nobody writes `times(64).then(…)` around a `throttled`.
    first: u64,
}

impl ThrottledWaits {
    pub(crate) const NONE: Self = Self { count: 0, first: 0 };

    /// Wait number `wait` follows a throttled verdict.
    pub(crate) fn count(&mut self, wait: u32) {
        self.count = self.count.saturating_add(1);
        self.first |= 1_u64.checked_shl(wait.saturating_sub(1)).unwrap_or(0);
    }

    /// How many do, without those among the first `skipped`.
    pub(crate) fn after(self, skipped: u32) -> u32 {
        let rest = 1_u64.checked_shl(skipped).unwrap_or(0).wrapping_sub(1);
        self.count.saturating_sub((self.first & rest).count_ones())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_that_are_skipped_do_not_count() {
        let mut waits = ThrottledWaits::NONE;
        for wait in [1, 3, 4, 64, 65, 200] {
            waits.count(wait);
        }
        let after = [0, 1, 2, 3, 4, 63, 64, 65, u32::MAX].map(|skipped| waits.after(skipped));
        // The 65th and the 200th are counted whatever is skipped.
        assert_eq!(after, [6, 5, 5, 4, 3, 3, 2, 2, 2]);
    }
}
