//! The keys, and what else people call them.

/// One table of the keys: each with its name, a value that it could have, and what other libraries
/// and the attribute call it.
macro_rules! keys {
    ($($key:ident $name:literal $example:literal [$($other:literal)*])*) => {
        /// What can be set, in the order in which it is told and written: the bounds and the
        /// limits in time, then what makes up the wait.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub(super) enum Key {
            $($key),*
        }

        impl Key {
            pub(super) const ALL: &[Self] = &[$(Self::$key),*];
            pub(super) const NAMES: &[&str] = &[$($name),*];

            pub(super) const fn name(self) -> &'static str {
                match self { $(Self::$key => $name),* }
            }

            /// A value that it could have.
            pub(super) const fn example(self) -> &'static str {
                match self { $(Self::$key => $example),* }
            }

            const fn others(self) -> &'static [&'static str] {
                match self { $(Self::$key => &[$($other),*]),* }
            }
        }
    };
}

keys! {
    Attempts "attempts" "5" ["retries" "max_retries" "tries" "max_tries" "max_attempts" "max_times" "count" "limit" "stop"]
    Within "within" "30s" ["timeout" "elapsed" "max_time" "max_elapsed" "max_elapsed_time" "max_duration" "total_delay"]
    Deadline "deadline" "20s" ["call_timeout" "overall_timeout" "total_timeout"]
    AttemptTimeout "attempt_timeout" "2s" ["try_timeout" "per_try_timeout" "request_timeout" "timeout_per_attempt"]
    MaxHint "max_hint" "30s" ["max_retry_after" "retry_after_max" "longest_hint" "max_hint_wait"]
    WarnAfter "warn_after" "3" ["log_after" "quiet_until" "warn_at"]
    WarnEvery "warn_every" "1m" ["log_every"]
    Fixed "fixed" "1s" ["delay" "interval" "constant" "sleep" "every"]
    Linear "linear" "100ms" []
    Step "step" "100ms" []
    Exponential "exponential" "100ms" ["backoff" "wait" "base" "base_delay" "initial" "initial_delay" "initial_interval" "initial_backoff" "expo"]
    Factor "factor" "2.0" ["multiplier" "exponent" "backoff_factor"]
    Cap "cap" "10s" ["max_delay" "max_interval" "max_wait" "max_backoff" "max"]
    Floor "floor" "50ms" ["min_delay" "min_interval" "min_wait" "min_backoff" "min"]
    Jitter "jitter" "full" []
}

/// The keys that say when to give up; one of them must be there.
pub(super) const BOUNDS: [Key; 2] = [Key::Attempts, Key::Within];

/// What people write who want a call that never ends.
pub(super) const ENDLESS: [&str; 8] =
    ["forever", "endless", "endlessly", "infinite", "infinity", "inf", "unlimited", "unbounded"];

/// The keys that say how long to wait, of which one must be there.
pub(super) const BACKOFFS: [Key; 3] = [Key::Fixed, Key::Linear, Key::Exponential];

impl Key {
    pub(super) fn of(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|key| key.name() == name)
    }

    /// The key that others call so.
    pub(super) fn meant(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|key| key.others().contains(&name))
    }

    /// The backoff to which it belongs.
    pub(super) const fn backoff(self) -> Option<Self> {
        match self {
            Self::Step => Some(Self::Linear),
            Self::Factor => Some(Self::Exponential),
            _ => None,
        }
    }

    /// Whether its value is a plain number in an example, which needs no quotes.
    pub(super) const fn is_number(self) -> bool {
        matches!(self, Self::Attempts | Self::Factor | Self::WarnAfter)
    }
}
