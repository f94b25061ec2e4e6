//! What a call's [`State`](crate::State) remembers between two questions, where a strategy has use
//! for it.

use core::time::Duration;

use rand::rngs::{SmallRng, SysRng};
use rand::{RngExt, SeedableRng};

/// The source of randomness, and the last values of `decorrelated`.
pub(crate) struct Memory {
    source: Source,
    decorrelated: [Option<Decorrelated>; DECORRELATED],
}

enum Source {
    Rng(SmallRng),
    /// The same every time, for a preview of what could be drawn.
    Always(f64),
}

/// How many different `decorrelated` strategies one policy may hold before the oldest forgets
/// its previous value. Two is the most anyone has a use for (one of them for throttling).
const DECORRELATED: usize = 4;

#[derive(Clone, Copy)]
struct Decorrelated {
    base: Duration,
    cap: Duration,
    previous: Duration,
}

impl Memory {
    const fn of(source: Source) -> Self {
        Self { source, decorrelated: [None; DECORRELATED] }
    }

    /// Seeded by the system.
    pub(crate) fn unseeded() -> Self {
        let rng = SmallRng::try_from_rng(&mut SysRng);
        Self::of(Source::Rng(rng.unwrap_or_else(|_| fallback_rng())))
    }

    pub(crate) fn seeded(seed: u64) -> Self {
        Self::of(Source::Rng(SmallRng::seed_from_u64(seed)))
    }

    /// Draws `random` every time.
    pub(crate) const fn drawing(random: f64) -> Self {
        Self::of(Source::Always(random))
    }

    /// A number from 0 up to, not including, 1.
    pub(crate) fn random(&mut self) -> f64 {
        match &mut self.source {
            Source::Rng(rng) => rng.random(),
            Source::Always(random) => *random,
        }
    }

    /// The value that `decorrelated(base, cap)` gave last.
    pub(crate) fn decorrelated(&self, base: Duration, cap: Duration) -> Option<Duration> {
        let mut slots = self.decorrelated.iter().flatten();
        slots.find(|slot| slot.base == base && slot.cap == cap).map(|slot| slot.previous)
    }

    pub(crate) fn set_decorrelated(&mut self, base: Duration, cap: Duration, previous: Duration) {
        let slots = &mut self.decorrelated;
        let found = slots.iter().position(|slot| match slot {
            Some(slot) => slot.base == base && slot.cap == cap,
            None => true,
        });
        let index = found.unwrap_or_else(|| {
            slots.rotate_left(1);
            DECORRELATED - 1
        });
        slots[index] = Some(Decorrelated { base, cap, previous });
    }

    pub(crate) fn forget_decorrelated(&mut self) {
        self.decorrelated = [None; DECORRELATED];
    }
}

/// A source of randomness for a system whose own fails.
pub(crate) fn fallback_rng() -> SmallRng {
    SmallRng::seed_from_u64(seed_without_system())
}

/// A seed from the hash maps' keys, which differ from map to map, for a system whose own source
/// fails.
fn seed_without_system() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(0_u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fifth_decorrelated_forgets_only_the_oldest() {
        let mut memory = Memory::seeded(1);
        let ms = Duration::from_millis;
        for n in 1..=5 {
            memory.set_decorrelated(ms(n), ms(100), ms(10 * n));
        }
        assert_eq!(memory.decorrelated(ms(1), ms(100)), None);
        for n in 2..=5 {
            assert_eq!(memory.decorrelated(ms(n), ms(100)), Some(ms(10 * n)));
        }
    }

    #[test]
    fn seeds_without_the_system_differ() {
        assert_ne!(seed_without_system(), seed_without_system());
    }
}
