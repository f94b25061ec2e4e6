//! How a breaker stands, in one word.

use core::num::NonZeroU64;

use crate::guard::breaker::state::BreakerState;

/// The phase, and a number that is new with each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stand {
    pub(crate) phase: Phase,
    pub(crate) generation: u64,
}

/// The word of a breaker that was closed: of no other phase, so that `None` takes no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Closed(NonZeroU64);

impl Closed {
    #[inline]
    pub(crate) const fn generation(self) -> u64 {
        self.0.get() >> 2
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
        let phase = match word & 3 {
            0 => Phase::Fresh,
            1 => Phase::Closed,
            2 => Phase::Open,
            _ => Phase::HalfOpen,
        };
        Self { phase, generation: word >> 2 }
    }

    /// The word itself, if it says that the breaker is closed and knows the time.
    #[inline]
    pub(crate) fn closed(word: u64) -> Option<Closed> {
        if word & 3 == Phase::Closed as u64 { NonZeroU64::new(word).map(Closed) } else { None }
    }

    pub(crate) const fn pack(self) -> u64 {
        self.generation << 2 | self.phase as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked() {
        assert_eq!(Stand::unpack(0), Stand { phase: Phase::Fresh, generation: 0 });
        for phase in [Phase::Fresh, Phase::Closed, Phase::Open, Phase::HalfOpen] {
            for generation in [0, 1, u64::MAX >> 2] {
                let stand = Stand { phase, generation };
                assert_eq!(Stand::unpack(stand.pack()), stand);
                let closed = (phase == Phase::Closed).then_some(generation);
                assert_eq!(Stand::closed(stand.pack()).map(Closed::generation), closed);
            }
        }
    }
}
