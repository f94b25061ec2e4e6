//! The probes of a half-open breaker.

use crate::guard::breaker::settings::{Settings, Share};

/// The most probes that may be out at once.
pub(crate) const MOST: usize = 32;

/// Which are out, and how the others have ended.
#[derive(Clone, Debug)]
pub(crate) struct Probes {
    out: [Slot; MOST],
    failed: u32,
    succeeded: u32,
    numbers: u32,
}

/// A place for one probe.
#[derive(Clone, Copy, Debug)]
struct Slot {
    /// Whose it is, 0 while it is free.
    number: u32,
    /// When its lease ends.
    until: u64,
}

const FREE: Slot = Slot { number: 0, until: 0 };

/// Which slot is a probe's, as long as nobody has taken it over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Taken {
    index: u32,
    number: u32,
}

/// What the probes say together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    Undecided,
    Close,
    Reopen,
}

impl Probes {
    pub(crate) const fn new() -> Self {
        Self { out: [FREE; MOST], failed: 0, succeeded: 0, numbers: 0 }
    }

    /// Lets one through: while there are fewer than all, or in place of one whose lease is over.
    pub(crate) fn take(&mut self, now: u64, settings: &Settings) -> Option<Taken> {
        let places = &self.out[..settings.probes as usize];
        let index = if self.has_room(settings.probes) {
            places.iter().position(|slot| slot.number == 0)?
        } else {
            places.iter().position(|slot| slot.number != 0 && slot.until <= now)?
        };
        // Never 0, and no other's as long as its call is one of the last four thousand million.
        self.numbers = self.numbers.wrapping_add(1).max(1);
        self.out[index] =
            Slot { number: self.numbers, until: now.saturating_add(settings.lease()) };
        Some(Taken { index: u32::try_from(index).ok()?, number: self.numbers })
    }

    /// A probe has ended.
    pub(crate) fn settle(&mut self, taken: Taken, fails: bool, settings: &Settings) -> Decision {
        if self.release(taken) {
            *(if fails { &mut self.failed } else { &mut self.succeeded }) += 1;
        }
        self.decision(settings.probes, settings.probe_ratio())
    }

    /// A probe has not come to its end: its place is free again. Says whether it still had one.
    pub(crate) fn release(&mut self, taken: Taken) -> bool {
        match self.out.get_mut(taken.index as usize) {
            Some(slot) if slot.number == taken.number => {
                *slot = FREE;
                true
            }
            _ => false,
        }
    }

    /// The earliest time at which one more may be let through.
    pub(crate) fn next(&self, settings: &Settings) -> u64 {
        if self.has_room(settings.probes) {
            return 0;
        }
        let out = self.out.iter().filter(|slot| slot.number != 0);
        out.map(|slot| slot.until).min().unwrap_or(0)
    }

    fn has_room(&self, probes: u32) -> bool {
        let out = self.out.iter().filter(|slot| slot.number != 0).count();
        out + ((self.failed + self.succeeded) as usize) < probes as usize
    }

    /// Decided as soon as the probes that are still out cannot change it.
    fn decision(&self, probes: u32, ratio: Share) -> Decision {
        let enough = ratio.of(probes);
        if self.failed >= enough {
            Decision::Reopen
        } else if self.succeeded > probes - enough {
            Decision::Close
        } else {
            Decision::Undecided
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test that cannot go on should say where

    use super::*;
    use crate::guard::breaker::settings::Trips;

    fn settings(probes: u32, ratio: f64) -> Settings {
        Settings {
            probes,
            probe_ratio: Some(Share::new(ratio)),
            lease: Some(10_000_000),
            ..Settings::new(Trips::Consecutive(1))
        }
    }

    #[test]
    fn it_is_decided_as_soon_as_the_rest_cannot_change_it() {
        use Decision::{Close, Reopen, Undecided};
        for (probes, ratio, fails, expected) in [
            (1, 0.5, &[false][..], &[Close][..]),
            (1, 0.5, &[true], &[Reopen]),
            // One flaky probe of three does not restart the whole break.
            (3, 0.5, &[true, false, false], &[Undecided, Undecided, Close]),
            (3, 0.5, &[true, true], &[Undecided, Reopen]),
            (3, 0.5, &[false, false], &[Undecided, Close]),
            (4, 0.5, &[false, false, false], &[Undecided, Undecided, Close]),
            (4, 1.0, &[true, true, true, false], &[Undecided, Undecided, Undecided, Close]),
            (3, 0.000_001, &[true], &[Reopen]),
        ] {
            let settings = settings(probes, ratio);
            let mut open = Probes::new();
            let taken: Vec<_> = (0..probes).map(|_| open.take(0, &settings).unwrap()).collect();
            assert_eq!(open.take(0, &settings), None);
            let decisions: Vec<_> = taken
                .into_iter()
                .zip(fails)
                .map(|(taken, &fails)| open.settle(taken, fails, &settings))
                .collect();
            assert_eq!(decisions, expected, "{probes} {ratio} {fails:?}");
        }
    }

    #[test]
    fn one_that_has_ended_is_not_replaced_and_one_that_was_dropped_is() {
        let settings = settings(2, 1.0);
        let mut probes = Probes::new();
        let first = probes.take(0, &settings).unwrap();
        let second = probes.take(0, &settings).unwrap();
        assert_eq!(probes.settle(first, true, &settings), Decision::Undecided);
        assert_eq!(probes.take(1, &settings), None);
        assert!(probes.release(second));
        assert_eq!(probes.next(&settings), 0);
        assert!(probes.take(1, &settings).is_some());
        assert_eq!(probes.take(1, &settings), None);
    }

    #[test]
    fn one_whose_lease_is_over_has_no_say_any_more() {
        let settings = settings(1, 0.5);
        let mut probes = Probes::new();
        let hung = probes.take(0, &settings).unwrap();
        assert_eq!(probes.next(&settings), 10_000_000);
        assert_eq!(probes.take(9_999_999, &settings), None);
        let next = probes.take(10_000_000, &settings).unwrap();
        assert_eq!(probes.settle(hung, false, &settings), Decision::Undecided);
        assert!(!probes.release(hung));
        assert_eq!(probes.take(10_000_001, &settings), None);
        assert_eq!(probes.settle(next, true, &settings), Decision::Reopen);
    }
}
