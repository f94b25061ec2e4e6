//! What the keys of a call say about a failed attempt, besides `stop` and `wait`.

use core::time::Duration;

/// The longest wait the other side may ask for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum MaxHint {
    /// Whatever fits the remaining time; a minute where the call has no limit in time.
    #[default]
    Remaining,
    /// Give up on a longer one.
    GiveUpAbove(Duration),
    /// Wait this long instead of a longer one.
    Clamp(Duration),
}

/// The default for calls without a limit in time.
const MAX_HINT: Duration = Duration::from_secs(60);

impl MaxHint {
    /// The wait to grant for `hint`, or `None` if it is too long. A call that goes on forever has
    /// time for any.
    pub(crate) fn grant(
        self,
        hint: Duration,
        remaining: Option<Duration>,
        forever: bool,
    ) -> Option<Duration> {
        let hint = match self {
            Self::Clamp(most) => hint.min(most),
            _ => hint,
        };
        let most = match self {
            Self::GiveUpAbove(most) => most,
            Self::Remaining if remaining.is_none() && !forever => MAX_HINT,
            _ => Duration::MAX,
        };
        (hint <= most && remaining.is_none_or(|remaining| hint < remaining)).then_some(hint)
    }
}

/// So many failures, or so much time: what `warn_after` and `warn_every` take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Threshold {
    /// Reached from the beginning.
    #[default]
    None,
    /// Reached after so many failures.
    Attempts(u32),
    /// Reached after this time.
    Elapsed(Duration),
}

impl Threshold {
    /// Whether it is reached. A time that nobody knows is up.
    pub(crate) fn is_reached(self, attempts: u32, elapsed: Option<Duration>) -> bool {
        match self {
            Self::None => true,
            Self::Attempts(least) => attempts >= least,
            Self::Elapsed(least) => elapsed.is_none_or(|elapsed| elapsed >= least),
        }
    }
}

/// What `warn_after` and `warn_every` take.
#[diagnostic::on_unimplemented(
    message = "`warn_after` and `warn_every` take a number of attempts, as a `u32`, or a duration",
    label = "neither a `u32` nor a `Duration`",
    note = "write it as `3` or `30s`"
)]
pub trait IntoThreshold {
    /// The threshold it stands for.
    fn threshold(self) -> Threshold;
}

impl IntoThreshold for Threshold {
    fn threshold(self) -> Threshold {
        self
    }
}

impl IntoThreshold for u32 {
    fn threshold(self) -> Threshold {
        Threshold::Attempts(self)
    }
}

impl IntoThreshold for Duration {
    fn threshold(self) -> Threshold {
        Threshold::Elapsed(self)
    }
}

/// What the keys of one attribute say about a failed attempt, besides `stop` and `wait`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rules {
    /// `idempotent`: whether repeating is harmless even if the attempt has taken effect.
    pub idempotent: bool,
    /// `max_hint`.
    pub max_hint: MaxHint,
    /// `warn_after`: retries before it are no more than DEBUG.
    pub warn_after: Threshold,
    /// `warn_every`: and so are those that follow a warning sooner than this.
    pub warn_every: Threshold,
}

impl Rules {
    /// What holds where no key says otherwise.
    pub const DEFAULT: Self = Self {
        idempotent: false,
        max_hint: MaxHint::Remaining,
        warn_after: Threshold::None,
        warn_every: Threshold::None,
    };
}
