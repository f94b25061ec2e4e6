//! One stable identity per call.

use core::fmt;

use rand::rngs::SysRng;
use rand::{Rng, TryRng};

use crate::strategy::memory::fallback_rng;

/// One id per call, the same on every attempt: what an `Idempotency-Key` header wants.
///
/// 122 random bits, from [`Current::call_id`](crate::Current::call_id). Displays as a UUID (version
/// 4) in the usual form of 36 characters. It lives as long as the call: what must not happen twice
/// even after a restart needs a key that is stored.
///
/// ```
/// # use retry::retry;
/// #[retry(stop = attempts(3), wait = none(), on = any_error())]
/// fn charge(keys: &mut Vec<String>) -> Result<(), ()> {
///     keys.extend(retry::current().map(|call| call.call_id().to_string()));
///     Err(())
/// }
/// let mut keys = Vec::new();
/// assert!(charge(&mut keys).is_err());
/// assert!(keys.len() == 3 && keys[0] == keys[2]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CallId(u128);

impl CallId {
    pub(crate) fn random() -> Self {
        let mut bytes = [0_u8; 16];
        if SysRng.try_fill_bytes(&mut bytes).is_err() {
            fallback_rng().fill_bytes(&mut bytes);
        }
        Self::from_random(u128::from_be_bytes(bytes))
    }

    /// Marks random bits as a UUID of version 4 (RFC 9562, section 5.4).
    const fn from_random(bits: u128) -> Self {
        let version = bits & !(0xf << 76) | 4 << 76;
        Self(version & !(0b11 << 62) | 0b10 << 62)
    }

    /// The id as a number.
    pub const fn as_u128(self) -> u128 {
        self.0
    }
}

impl fmt::Display for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = format!("{:032x}", self.0);
        let parts = [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]];
        f.pad(&parts.join("-"))
    }
}

impl fmt::Debug for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_looks_like_a_uuid_of_version_4() {
        let id = CallId::from_random(u128::MAX);
        assert_eq!(id.to_string(), "ffffffff-ffff-4fff-bfff-ffffffffffff");
        assert_eq!(
            CallId::from_random(0x0123_4567_89ab_cdef_0123_4567_89ab_cdef).to_string(),
            "01234567-89ab-4def-8123-456789abcdef"
        );
    }

    #[test]
    fn two_calls_have_different_ids() {
        assert_ne!(CallId::random(), CallId::random());
    }
}
