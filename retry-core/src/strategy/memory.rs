//! What a call's [`State`](crate::State) remembers between two questions, where a strategy has use
//! for it.

use core::time::Duration;

use rand::rngs::{SmallRng, SysRng};
use rand::{RngExt, SeedableRng};

/// The source of randomness, and the last values of `decorrelated`.
#[derive(Clone)]
pub(crate) struct Memory {
    source: Source,
    decorrelated: [Option<Decorrelated>; DECORRELATED],
}

enum Source {
    /// Seeded by the system.
    System(SmallRng),
    /// Seeded by a test.
    Seeded(SmallRng),
    /// The same every time.
    Always(f64),
}

/// Two that draw the same would come back together, so a copy of what the system has seeded draws
/// its own.
impl Clone for Source {
    fn clone(&self) -> Self {
        match self {
            Self::System(_) => Self::system(),
            Self::Seeded(rng) => Self::Seeded(rng.clone()),
            Self::Always(random) => Self::Always(*random),
        }
    }
}

impl Source {
    fn system() -> Self {
        let rng = SmallRng::try_from_rng(&mut SysRng);
        Self::System(rng.unwrap_or_else(|_| fallback_rng()))
    }
}

/// Where the random numbers of a call come from, if somebody has said so.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Chance {
    /// Reproducible numbers.
    Seed(u64),
    /// The same number every time, from 0 for the shortest delays to 1 for the longest.
    Always(f64),
}

/// How many different `decorrelated` strategies one policy may hold before the oldest forgets
/// its previous value. Two is the most anyone has a use for (one of them for throttling).
const DECORRELATED: usize = 4;

#[derive(Clone, Copy)]
struct Decorrelated {
    bounds: Bounds,
    previous: Duration,
}

/// What tells one `decorrelated` strategy from another: its base, cap and factor.
pub(crate) type Bounds = (Duration, Duration, f64);

impl Memory {
    const fn of(source: Source) -> Self {
        Self { source, decorrelated: [None; DECORRELATED] }
    }

    /// Seeded by the system.
    pub(crate) fn unseeded() -> Self {
        Self::of(Source::system())
    }

    /// Draws from this.
    pub(crate) fn drawing(chance: Chance) -> Self {
        Self::of(match chance {
            Chance::Seed(seed) => Source::Seeded(SmallRng::seed_from_u64(seed)),
            Chance::Always(random) if random.is_nan() => Source::Always(0.0),
            Chance::Always(random) => Source::Always(random.clamp(0.0, 1.0)),
        })
    }

    /// A number from 0 up to 1; drawn, it is below that.
    pub(crate) fn random(&mut self) -> f64 {
        match &mut self.source {
            Source::System(rng) | Source::Seeded(rng) => rng.random(),
            Source::Always(random) => *random,
        }
    }

    /// The value that the `decorrelated` within these bounds gave last.
    pub(crate) fn decorrelated(&self, bounds: Bounds) -> Option<Duration> {
        let mut slots = self.decorrelated.iter().flatten();
        slots.find(|slot| slot.bounds == bounds).map(|slot| slot.previous)
    }

    pub(crate) fn set_decorrelated(&mut self, bounds: Bounds, previous: Duration) {
        let slots = &mut self.decorrelated;
        let found = slots.iter().position(|slot| slot.is_none_or(|slot| slot.bounds == bounds));
        let index = found.unwrap_or_else(|| {
            slots.rotate_left(1);
            DECORRELATED - 1
        });
        slots[index] = Some(Decorrelated { bounds, previous });
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
        let mut memory = Memory::drawing(Chance::Seed(1));
        let ms = Duration::from_millis;
        let bounds = [
            (ms(1), ms(100), 3.0),
            (ms(2), ms(100), 3.0),
            (ms(2), ms(200), 3.0),
            (ms(2), ms(200), 5.0),
            (ms(5), ms(100), 3.0),
        ];
        for (bounds, n) in bounds.into_iter().zip(1..) {
            memory.set_decorrelated(bounds, ms(n));
        }
        assert_eq!(memory.decorrelated(bounds[0]), None);
        for (bounds, n) in bounds.into_iter().zip(1..).skip(1) {
            assert_eq!(memory.decorrelated(bounds), Some(ms(n)));
        }
    }

    #[test]
    fn seeds_without_the_system_differ() {
        assert_ne!(seed_without_system(), seed_without_system());
    }
}
