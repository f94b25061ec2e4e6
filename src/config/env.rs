//! Overrides from environment variables.

use std::env;

use super::PolicyConfig;
use super::draft::Draft;
use super::error::ConfigError;
use super::source::{Raw, Source};

impl PolicyConfig {
    /// Overrides keys by the environment variables that start with `prefix`: with `APP_RETRY_`,
    /// the variable `APP_RETRY_ATTEMPTS` sets `attempts`, `APP_RETRY_JITTER` sets `jitter`.
    ///
    /// - A backoff replaces another: `APP_RETRY_EXPONENTIAL` removes a `fixed`, or a `linear` with
    ///   its `step`.
    /// - An empty value removes the key.
    /// - The prefix belongs to this one policy: a variable that starts with it and is none of the
    ///   keys is an error, since it is most likely a misspelling. Two policies take two prefixes
    ///   of which neither starts with the other.
    ///
    /// # Errors
    ///
    /// If a variable is unknown or its value wrong, or if the result is no policy. The message
    /// names the variable and the value. An empty prefix is an error too.
    ///
    /// ```no_run
    /// use retry::PolicyConfig;
    /// use std::time::Duration;
    ///
    /// let config = PolicyConfig::builder().attempts(5).fixed(Duration::from_secs(1)).build()?;
    /// let config = config.with_env("APP_RETRY_")?;
    /// # Ok::<(), retry::config::ConfigError>(())
    /// ```
    pub fn with_env(self, prefix: &str) -> Result<Self, ConfigError> {
        // What is not Unicode is no valid value either; it is shown as well as it can be.
        let text = |text: std::ffi::OsString| text.to_string_lossy().into_owned();
        self.with_vars(prefix, env::vars_os().map(|(name, value)| (text(name), text(value))))
    }

    /// Overrides keys as [`with_env`](Self::with_env) does, by variables from somewhere else.
    ///
    /// ```
    /// use retry::PolicyConfig;
    /// use std::time::Duration;
    ///
    /// let config = PolicyConfig::builder().attempts(5).fixed(Duration::from_secs(1)).build()?;
    /// let vars = [("APP_RETRY_EXPONENTIAL", "50ms"), ("HOME", "/root")];
    /// let same = PolicyConfig::builder().attempts(5).exponential(Duration::from_millis(50));
    /// assert_eq!(config.clone().with_vars("APP_RETRY_", vars)?, same.build()?);
    ///
    /// let error = config.with_vars("APP_RETRY_", [("APP_RETRY_ATEMPTS", "3")]).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "unknown variable `APP_RETRY_ATEMPTS`; did you mean `APP_RETRY_ATTEMPTS`?",
    /// );
    /// # Ok::<(), retry::config::ConfigError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`with_env`](Self::with_env).
    pub fn with_vars<N, V>(
        self,
        prefix: &str,
        vars: impl IntoIterator<Item = (N, V)>,
    ) -> Result<Self, ConfigError>
    where
        N: AsRef<str>,
        V: AsRef<str>,
    {
        if prefix.is_empty() {
            let fault = "the prefix is empty, so every variable would belong to the policy; write \
                         one such as `APP_RETRY_`";
            return Err(ConfigError::new(vec![fault.to_owned()]));
        }
        let mut over = Draft::new(Source::Env(prefix.to_owned()));
        for (name, value) in vars {
            let Some(name) = name.as_ref().strip_prefix(prefix) else { continue };
            let Some(key) = over.key(name) else { continue };
            match value.as_ref() {
                "" => over.removed.push(key),
                value => over.read(key, &Raw::quoted(value)),
            }
        }
        let mut draft = Draft::new(Source::File);
        for (key, value) in self.values() {
            draft.set(key, value);
        }
        draft.overlaid(over).finish()
    }
}
