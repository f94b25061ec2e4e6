//! A policy read from configuration (feature `serde`): bounds and backoff, with everything that
//! can be wrong about them said before the first call.
//!
//! What is worth another attempt depends on the types of the program and stays in the code; how
//! often and how patiently to try is what differs between staging and production. That part is
//! [`PolicyConfig`].
//!
//! # Keys
//!
//! | key | value | meaning |
//! |---|---|---|
//! | `attempts` | number, from 1 | calls in all; 1 switches retrying off |
//! | `within` | duration, not zero | no attempt starts at or after it |
//! | `deadline` | duration, not zero | no attempt starts at or after it, and an async one is cut at it where it can be: [`limited`](PolicyConfig::limited) |
//! | `attempt_timeout` | duration, not zero, below `deadline` | cuts an async attempt, in [`limited`](PolicyConfig::limited) policies |
//! | `max_hint` | duration, or `"clamp:30s"` | the longest wait the other side may ask for: over it the call gives up, or waits so long; see [`MaxHint`] |
//! | `warn_after` | number or duration | retries before so many failures, or before this time, are told at DEBUG |
//! | `warn_every` | number or duration, not zero | after that only every so many, or one per this time, is a WARN |
//! | `fixed` | duration | the same wait every time |
//! | `linear` | duration | the first wait; each one after is longer by `step` |
//! | `step` | duration | beside `linear`; left out, the first wait |
//! | `exponential` | duration, not zero | the first wait; each one after is longer `factor` times |
//! | `factor` | number, from 1 | beside `exponential`; left out, 2 |
//! | `cap` | duration, from the first wait | the longest wait, jitter kept; see [`Wait::cap`] |
//! | `floor` | duration, up to `cap` | the shortest wait, whatever the jitter says |
//! | `jitter` | `"none"`, `"full"`, `"equal"`, `"factor:0.5"`, or a duration | see [`Wait`]'s methods of those names; a duration is added; left out, none |
//!
//! At least one of `attempts` and `within` must be there, so that every call ends, and exactly one
//! of `fixed`, `linear` and `exponential`. An unknown key is an error. A link that is kept up without an
//! end takes its waits from here and says so in the code, since nobody should make a call endless from
//! outside: `#[retry(forever, wait = config.wait(), …)]`.
//!
//! A duration is a string of a number and a unit: `"250ms"`, `"1.5s"`, `"1_000us"`. The units are
//! `ns`, `us` (or `µs`), `ms`, `s`, `m`, `h` and `d`, as in the attribute. Numbers may be strings
//! too, for sources that know nothing else.

mod builder;
mod check;
mod draft;
mod env;
mod error;
mod format;
mod key;
mod source;
mod strategy;
mod value;

use core::time::Duration;

#[allow(unused_imports)] // the documentation links to it
use retry_core::Wait;
use retry_core::macros::{Rules, Threshold};
use retry_core::on::ByTransient;
use retry_core::sealed::SealedPolicy;
use retry_core::{AsPolicy, Limited, MaxHint, Policy};

pub use self::builder::{PolicyConfigBuilder, WarnAt};
pub use self::error::ConfigError;
pub use self::strategy::{ConfigStop, ConfigWait};

use self::key::Key;
use self::strategy::Backoff;
use self::value::{Jitter, Value};

/// When to give up and how long to wait, as read from a configuration file, the environment, or
/// [built](Self::builder) in code. See the [module](self) for the keys.
///
/// A value that exists is valid: whatever is wrong is told while deserialising, all of it at
/// once, with the key and the value as written and what to write instead.
///
/// ```
/// use retry::{PolicyConfig, State, Stop, Wait};
/// use std::time::Duration;
///
/// #[derive(serde::Deserialize)]
/// struct Settings {
///     upload: PolicyConfig,
/// }
///
/// let settings: Settings = toml::from_str(
///     r#"
///     [upload]
///     attempts = 5
///     exponential = "100ms"
///     cap = "300ms"
///     "#,
/// )?;
/// let (stop, wait) = (settings.upload.stop(), settings.upload.wait());
/// assert!(!stop.stop(&State::new(4)));
/// assert!(stop.stop(&State::new(5)));
/// assert_eq!(wait.delay(&State::new(2)).total(), Duration::from_millis(200));
/// assert_eq!(wait.delay(&State::new(3)).total(), Duration::from_millis(300));
///
/// let error = toml::from_str::<PolicyConfig>(r#"attempts = 5
/// exponential = "100""#).unwrap_err();
/// assert!(error.to_string().contains(r#"`exponential = "100"` has no unit"#));
/// # Ok::<(), toml::de::Error>(())
/// ```
///
/// A function takes its numbers from it with `policy = …`, and says itself what is worth another
/// attempt, unless the error type does:
///
/// ```
/// use retry::{PolicyConfig, retry};
///
/// struct Uploader {
///     config: PolicyConfig,
/// }
///
/// impl Uploader {
///     #[retry(policy = self.config, on = any_error())]
///     fn upload(&self, calls: &mut u32) -> Result<(), String> {
///         *calls += 1;
///         Err("unavailable".to_owned())
///     }
/// }
///
/// let config = toml::from_str("attempts = 3\nfixed = \"1ms\"")?;
/// let mut calls = 0;
/// assert!(Uploader { config }.upload(&mut calls).is_err());
/// assert_eq!(calls, 3);
/// # Ok::<(), toml::de::Error>(())
/// ```
///
/// It serialises to the same keys, with every duration in the largest unit that writes it without
/// a fraction (above a second with one): 60 s as `"1m"`, 90 s as `"90s"`, 1500 ms as `"1.5s"`.
///
/// There is no default: how long a call may go on is a decision. A setting that may be missing is
/// an `Option<PolicyConfig>`.
#[derive(Clone, Debug, PartialEq)]
pub struct PolicyConfig {
    stop: ConfigStop,
    attempt_timeout: Option<Duration>,
    max_hint: MaxHint,
    warn_after: Threshold,
    warn_every: Threshold,
    wait: ConfigWait,
}

impl PolicyConfig {
    /// Starts a configuration in code; [`build`](PolicyConfigBuilder::build) checks it.
    pub fn builder() -> PolicyConfigBuilder {
        PolicyConfigBuilder::new()
    }

    /// When to give up: at the number of attempts or at a limit in time, whichever comes first. The
    /// `deadline` is one of these.
    pub fn stop(&self) -> &ConfigStop {
        &self.stop
    }

    /// How long to wait before the next attempt.
    pub fn wait(&self) -> &ConfigWait {
        &self.wait
    }

    /// When the whole call must be over: `deadline`. For a function that takes the rest of its policy
    /// from here, too, and can be cut: `#[retry(policy = CONFIG, deadline = CONFIG.deadline())]`.
    pub fn deadline(&self) -> Option<Duration> {
        self.stop.deadline
    }

    /// How long an attempt may take: `attempt_timeout`. A function takes it with
    /// `attempt_timeout = CONFIG.attempt_timeout()`, beside `idempotent`.
    pub fn attempt_timeout(&self) -> Option<Duration> {
        self.attempt_timeout
    }

    /// A policy of its bounds and waits with the condition `on`, for calls, schedules and previews
    /// without the attribute.
    ///
    /// It cuts nothing, so its errors may be of any type: its calls give up where they would wait to
    /// the `deadline` or past it, but an attempt that is running then ends by itself, and
    /// `attempt_timeout` has no part in it. See [`limited`](Self::limited) for a policy that cuts.
    ///
    /// ```
    /// use retry::{BoxedPolicy, PolicyConfig, on};
    ///
    /// let config: PolicyConfig = toml::from_str("attempts = 3\nlinear = \"1s\"")?;
    /// let policy: BoxedPolicy<String> = config.policy(on::any_error()).boxed();
    /// assert_eq!(policy.preview().attempts(), Some(3));
    /// assert_eq!(policy.call(|| Ok(42)), Ok(42));
    /// # Ok::<(), toml::de::Error>(())
    /// ```
    pub fn policy<O>(&self, on: O) -> Policy<ConfigStop, ConfigWait, O> {
        self.with_rules(Policy::new(self.stop, self.wait, on))
    }

    fn with_rules<O>(
        &self,
        policy: Policy<ConfigStop, ConfigWait, O>,
    ) -> Policy<ConfigStop, ConfigWait, O> {
        let policy = policy.with_max_hint(self.max_hint);
        policy.with_warn_after(self.warn_after).with_warn_every(self.warn_every)
    }

    /// Like [`policy`](Self::policy), with `deadline` and `attempt_timeout` in force: async attempts
    /// that take too long are cut, so the errors of its calls must be `From<Interrupted>`.
    ///
    /// A cut attempt may have taken effect. Say that repeating it is harmless with
    /// [`with_idempotent`](Policy::with_idempotent), or its call ends there.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), toml::de::Error> {
    /// use retry::{PolicyConfig, on};
    /// use std::io;
    ///
    /// let config: PolicyConfig = toml::from_str(r#"
    ///     attempts = 2
    ///     fixed = "1ms"
    ///     attempt_timeout = "10ms"
    /// "#)?;
    /// let policy = config.limited(on::any_error()).with_idempotent(true);
    /// let error = policy.call_async(std::future::pending::<io::Result<()>>).await.unwrap_err();
    /// assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    /// # Ok(()) }
    /// ```
    pub fn limited<O>(&self, on: O) -> Policy<ConfigStop, ConfigWait, O, Limited> {
        let stop = ConfigStop { deadline: None, ..self.stop };
        self.with_rules(Policy::new(stop, self.wait, on))
            .with_deadline(self.deadline())
            .with_attempt_timeout(self.attempt_timeout)
    }

    /// What it takes to write this configuration, in the order of the keys.
    fn values(&self) -> impl Iterator<Item = (Key, Value)> {
        let ConfigStop { attempts, within, deadline } = self.stop;
        let ConfigWait { backoff, cap, floor, jitter } = self.wait;
        let span = |key, span: Option<_>| (key, span.map(Value::Span));
        let number = |key, number: Option<_>| (key, number.map(Value::Number));
        let threshold = |key, threshold| {
            let value = match threshold {
                Threshold::None => None,
                Threshold::Attempts(count) => Some(Value::Count(count)),
                Threshold::Elapsed(span) => Some(Value::Span(span)),
            };
            (key, value)
        };
        let [backoff, part] = match backoff {
            Backoff::Fixed(delay) => [span(Key::Fixed, Some(delay)), span(Key::Step, None)],
            Backoff::Linear { start, step } => {
                [span(Key::Linear, Some(start)), span(Key::Step, step)]
            }
            Backoff::Exponential { base, factor } => {
                [span(Key::Exponential, Some(base)), number(Key::Factor, factor)]
            }
        };
        let values = [
            (Key::Attempts, attempts.map(Value::Count)),
            span(Key::Within, within),
            span(Key::Deadline, deadline),
            span(Key::AttemptTimeout, self.attempt_timeout),
            (
                Key::MaxHint,
                Some(self.max_hint).filter(|most| *most != MaxHint::Remaining).map(Value::Hint),
            ),
            threshold(Key::WarnAfter, self.warn_after),
            threshold(Key::WarnEvery, self.warn_every),
            backoff,
            part,
            span(Key::Cap, cap),
            span(Key::Floor, floor),
            (Key::Jitter, Some(jitter).filter(|jitter| *jitter != Jitter::None).map(Value::Jitter)),
        ];
        values.into_iter().filter_map(|(key, value)| Some((key, value?)))
    }
}

#[diagnostic::do_not_recommend]
impl SealedPolicy for PolicyConfig {
    type Limits = ();

    fn limited_by(&self) {}
}

/// What is worth another attempt is not configured: the error type says it, or `on = …` in the
/// attribute.
// What a mistake is told must not depend on the feature, and `policy!` is what most need.
#[diagnostic::do_not_recommend]
impl AsPolicy for PolicyConfig {
    type Stop = ConfigStop;
    type Wait = ConfigWait;
    type On = ByTransient;

    fn stop(&self) -> &ConfigStop {
        &self.stop
    }

    fn wait(&self) -> &ConfigWait {
        &self.wait
    }

    fn on(&self) -> &ByTransient {
        &ByTransient
    }

    fn rules(&self) -> Rules {
        let Self { max_hint, warn_after, warn_every, .. } = *self;
        Rules { idempotent: false, max_hint, warn_after, warn_every }
    }
}
