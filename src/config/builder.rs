//! A configuration made in code.

use core::time::Duration;

use retry_core::MaxHint;

use super::PolicyConfig;
use super::draft::Draft;
use super::error::ConfigError;
use super::key::Key;
use super::source::Source;
use super::value::{Jitter, Value};

/// Makes a [`PolicyConfig`] in code; see [`PolicyConfig::builder`]. The methods are named as the
/// keys of the [module](super) and the methods of [`Wait`](crate::Wait), and take the same values.
///
/// ```
/// use retry::PolicyConfig;
/// use std::time::Duration;
///
/// let config = PolicyConfig::builder()
///     .attempts(5)
///     .within(Duration::from_secs(30))
///     .exponential(Duration::from_millis(100))
///     .cap(Duration::from_secs(10))
///     .full_jitter()
///     .build()?;
/// let same = r#"{"attempts":5,"within":"30s","exponential":"100ms","cap":"10s","jitter":"full"}"#;
/// assert_eq!(serde_json::from_str::<PolicyConfig>(same).unwrap(), config);
/// assert_eq!(serde_json::to_string(&config).unwrap(), same);
/// # Ok::<(), retry::config::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "call `build`"]
pub struct PolicyConfigBuilder {
    draft: Draft,
}

impl PolicyConfigBuilder {
    pub(super) fn new() -> Self {
        Self { draft: Draft::new(Source::Code) }
    }

    fn set(mut self, key: Key, value: Value) -> Self {
        self.draft.set(key, value);
        self
    }

    /// Calls in all, from 1.
    pub fn attempts(self, attempts: u32) -> Self {
        self.set(Key::Attempts, Value::Count(attempts))
    }

    /// No attempt starts at or after this; not zero.
    pub fn within(self, limit: Duration) -> Self {
        self.set(Key::Within, Value::Span(limit))
    }

    /// The whole call is over by then, see [`PolicyConfig::limited`]; not zero.
    pub fn deadline(self, limit: Duration) -> Self {
        self.set(Key::Deadline, Value::Span(limit))
    }

    /// How long an attempt may take, see [`PolicyConfig::limited`]; not zero, and shorter than the
    /// deadline.
    pub fn attempt_timeout(self, limit: Duration) -> Self {
        self.set(Key::AttemptTimeout, Value::Span(limit))
    }

    /// The longest wait that the other side may ask for.
    pub fn max_hint(self, most: MaxHint) -> Self {
        self.set(Key::MaxHint, Value::Hint(most))
    }

    /// Retries before so many failures, or before this time, are told at DEBUG.
    pub fn warn_after(self, after: impl Into<WarnAt>) -> Self {
        self.set(Key::WarnAfter, after.into().0)
    }

    /// Of the retries that would be warnings, only one in so many is one, or one per this much time; not
    /// zero.
    pub fn warn_every(self, every: impl Into<WarnAt>) -> Self {
        self.set(Key::WarnEvery, every.into().0)
    }

    /// The same wait every time.
    pub fn fixed(self, delay: Duration) -> Self {
        self.set(Key::Fixed, Value::Span(delay))
    }

    /// `start` first, then longer by [`step`](Self::step) each time.
    pub fn linear(self, start: Duration) -> Self {
        self.set(Key::Linear, Value::Span(start))
    }

    /// What [`linear`](Self::linear) adds; left out, its start.
    pub fn step(self, step: Duration) -> Self {
        self.set(Key::Step, Value::Span(step))
    }

    /// `base` first, then [`factor`](Self::factor) times as long each time; not zero.
    pub fn exponential(self, base: Duration) -> Self {
        self.set(Key::Exponential, Value::Span(base))
    }

    /// What [`exponential`](Self::exponential) multiplies with, from 1; left out, 2.
    pub fn factor(self, factor: impl Into<f64>) -> Self {
        self.set(Key::Factor, Value::Number(factor.into()))
    }

    /// The longest wait, not below the first one.
    pub fn cap(self, cap: Duration) -> Self {
        self.set(Key::Cap, Value::Span(cap))
    }

    /// The shortest wait, not above the cap.
    pub fn floor(self, floor: Duration) -> Self {
        self.set(Key::Floor, Value::Span(floor))
    }

    /// See [`Wait::full_jitter`](crate::Wait::full_jitter). There is one jitter in a policy.
    pub fn full_jitter(self) -> Self {
        self.set(Key::Jitter, Value::Jitter(Jitter::Full))
    }

    /// See [`Wait::equal_jitter`](crate::Wait::equal_jitter).
    pub fn equal_jitter(self) -> Self {
        self.set(Key::Jitter, Value::Jitter(Jitter::Equal))
    }

    /// See [`Wait::jitter`](crate::Wait::jitter).
    pub fn jitter(self, width: Duration) -> Self {
        self.set(Key::Jitter, Value::Jitter(Jitter::Additive(width)))
    }

    /// See [`Wait::jitter_factor`](crate::Wait::jitter_factor); from 0 to 1.
    pub fn jitter_factor(self, factor: impl Into<f64>) -> Self {
        self.set(Key::Jitter, Value::Jitter(Jitter::Factor(factor.into())))
    }

    /// Checks everything.
    ///
    /// # Errors
    ///
    /// If the settings make no policy, by the same rules as in a file.
    pub fn build(self) -> Result<PolicyConfig, ConfigError> {
        self.draft.finish()
    }
}

/// So many failures or so much time, made from a `u32` or a `Duration`.
#[derive(Clone, Copy, Debug)]
pub struct WarnAt(Value);

impl From<u32> for WarnAt {
    fn from(failures: u32) -> Self {
        Self(Value::Count(failures))
    }
}

impl From<Duration> for WarnAt {
    fn from(time: Duration) -> Self {
        Self(Value::Span(time))
    }
}
