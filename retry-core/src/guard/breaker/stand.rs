//! How a breaker stands, in one word.

use core::num::NonZeroU64;

use crate::guard::breaker::state::BreakerState;

/// The phase, and a number that is new with each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stand {
    pub(crate) phase: Phase,
    pub(crate) generation: u64,
}

/// The word of a breaker that was closed and does not measure: never 0, so that `None` takes no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Closed(NonZeroU64);

impl Closed {
    /// Of one that was closed from the start.
    pub(crate) const FIRST: Option<Self> =
        Stand::closed(Stand { phase: Phase::Closed, generation: 0 }.pack(false));

    #[inline]
    pub(crate) const fn generation(self) -> u64 {
        self.0.get() >> SHIFT
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Closed, and nobody has said yet what time it is.
    Fresh,
    Closed,
    Open,
    HalfOpen,
}

impl Phase {
    pub(crate) const fn is_closed(self) -> bool {
        matches!(self, Self::Fresh | Self::Closed)
    }

    pub(crate) const fn state(self) -> BreakerState {
        match self {
            Self::Fresh | Self::Closed => BreakerState::Closed,
            Self::Open => BreakerState::Open,
            Self::HalfOpen => BreakerState::HalfOpen,
        }
    }
}

impl Stand {
    #[inline]
    pub(crate) const fn unpack(word: u64) -> Self {
        let phase = match word & PHASE {
            0 => Phase::Fresh,
            1 => Phase::Closed,
            2 => Phase::Open,
            _ => Phase::HalfOpen,
        };
        Self { phase, generation: word >> SHIFT }
    }

    /// The word itself, if it says that the breaker is closed, knows the time, and does not measure: by
    /// one bit, since every first success is asked.
    #[inline]
    pub(crate) const fn closed(word: u64) -> Option<Closed> {
        match NonZeroU64::new(word) {
            Some(it) if word & PLAIN != 0 => Some(Closed(it)),
            _ => None,
        }
    }

    /// The word, of a breaker that measures or not.
    pub(crate) const fn pack(self, measures: bool) -> u64 {
        let plain = if matches!(self.phase, Phase::Closed) && !measures { PLAIN } else { 0 };
        self.generation << SHIFT | plain | self.phase as u64
    }
}

const PHASE: u64 = 3;
const PLAIN: u64 = 4;
const SHIFT: u32 = 3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked() {
        assert_eq!(Stand::unpack(0), Stand { phase: Phase::Fresh, generation: 0 });
        for phase in [Phase::Fresh, Phase::Closed, Phase::Open, Phase::HalfOpen] {
            for generation in [0, 1, u64::MAX >> 3] {
                let stand = Stand { phase, generation };
                assert_eq!(Stand::unpack(stand.pack(false)), stand);
                let closed = (phase == Phase::Closed).then_some(generation);
                assert_eq!(Stand::closed(stand.pack(false)).map(Closed::generation), closed);
                assert_eq!(Stand::unpack(stand.pack(true)), stand);
                assert_eq!(Stand::closed(stand.pack(true)), None);
            }
        }
    }
}
