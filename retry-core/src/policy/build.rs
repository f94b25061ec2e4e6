//! What a policy says beside its three parts.

use crate::engine::gates::Timeout;
use crate::engine::rules::{IntoThreshold, MaxHint};
use crate::guard::guarded::{IntoBreaker, IntoBudget, IntoTimeout};
use crate::policy::limiting::{Limited, Limiting, Settings};
use crate::policy::policy::Policy;
use crate::scope::deadline::IntoDeadline;

impl<S, W, O, L> Policy<S, W, O, L> {
    /// Limits the wait that the other side may ask for: the key `max_hint`. Unless it is said, a
    /// wait may be as long as the time that remains, or 60 s where there is no limit in time.
    pub const fn with_max_hint(mut self, max_hint: MaxHint) -> Self {
        self.rules.max_hint = max_hint;
        self
    }

    /// Says whether repeating is harmless even if an attempt may have taken effect: the key
    /// `idempotent`. Unless it is said, it is not.
    pub const fn with_idempotent(mut self, idempotent: bool) -> Self {
        self.rules.idempotent = idempotent;
        self
    }

    /// Retries before this many failures, or this much time, are told at DEBUG: the key `warn_after`.
    ///
    /// ```
    /// use retry::policy;
    ///
    /// let policy = policy! { stop = attempts(9), wait = none(), on = any_error() };
    /// let quiet = policy.with_warn_after(3);
    /// # assert!(quiet.call(|| Err::<(), _>("locked")).is_err());
    /// ```
    pub fn with_warn_after(mut self, after: impl IntoThreshold) -> Self {
        self.rules.warn_after = after.threshold();
        self
    }

    /// Of the retries that would be warnings, only one in so many is one, or one per this much time: the
    /// key `warn_every`. The others are told at DEBUG.
    pub fn with_warn_every(mut self, every: impl IntoThreshold) -> Self {
        self.rules.warn_every = every.threshold();
        self
    }

    fn guarded<G>(self, limits: G) -> Policy<S, W, O, G> {
        Policy {
            stop: self.stop,
            wait: self.wait,
            on: self.on,
            rules: self.rules,
            limits,
            site: self.site,
        }
    }
}

impl<S, W, O, L: Limiting> Policy<S, W, O, L> {
    fn with(self, set: impl FnOnce(&mut Settings)) -> Policy<S, W, O, Limited> {
        let mut settings = self.limits.settings();
        set(&mut settings);
        self.guarded(Limited(settings))
    }

    fn with_uncut(self, set: impl FnOnce(&mut Settings)) -> Policy<S, W, O, L::Uncut> {
        let mut settings = self.limits.settings();
        set(&mut settings);
        let limits = self.limits.uncut(settings);
        self.guarded(limits)
    }

    /// Limits each call as a whole: the key `deadline`. It is a duration from the start of the call,
    /// an `Instant`, or an `Option` of one, where `None` is no limit.
    ///
    /// Nothing waits to it or past it: the call returns its last outcome then. An async attempt that
    /// is running at it is cut, and the call returns the outcome before that, or else an error made
    /// of [`Interrupted`](crate::Interrupted). A sync attempt cannot be cut.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// use retry::policy;
    /// use std::io;
    /// use std::time::Duration;
    ///
    /// let policy = policy! { stop = attempts(5), wait = fixed(10ms), on = is::<io::Error>() };
    /// let policy = policy.with_deadline(Duration::from_millis(50));
    /// let hangs = std::future::pending::<io::Result<()>>;
    /// let error = policy.call_async(hangs).await.unwrap_err();
    /// assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    /// # }
    /// ```
    pub fn with_deadline(self, deadline: impl IntoDeadline) -> Policy<S, W, O, Limited> {
        self.with(|settings| settings.deadline = deadline.limit())
    }

    /// Cuts an async attempt that takes longer than this: the key `attempt_timeout`. An `Option` of a
    /// duration will do, where `None` is no limit.
    ///
    /// What is cut may have taken effect. It is another attempt's turn only if the policy is
    /// [idempotent](Self::with_idempotent); if not, the call ends as it is cut, for the reason
    /// [`Ambiguous`](crate::StopReason::Ambiguous). A sync attempt cannot be cut, so in
    /// [`call`](Self::call) and in sync functions it says nothing.
    pub fn with_attempt_timeout(self, timeout: impl IntoTimeout) -> Policy<S, W, O, Limited> {
        self.with(|settings| settings.timeout = timeout.timeout().map(Timeout::After))
    }

    /// Cuts an async attempt that has not called [`progress`](crate::Current::progress) for this long:
    /// the key `attempt_timeout = idle(…)`. Otherwise like
    /// [`with_attempt_timeout`](Self::with_attempt_timeout), whose place it takes.
    pub fn with_idle_timeout(self, timeout: impl IntoTimeout) -> Policy<S, W, O, Limited> {
        self.with(|settings| settings.timeout = timeout.timeout().map(Timeout::Idle))
    }

    /// Asks before every attempt whether the other side is up, and notes how it ended: the key
    /// `breaker`. A call refused before its first attempt ends with an error made of
    /// [`Interrupted`](crate::Interrupted), any other with its last outcome.
    ///
    /// ```
    /// use retry::{Breaker, policy};
    /// use std::io;
    ///
    /// static BREAKER: Breaker = Breaker::consecutive(2);
    ///
    /// let policy = policy! { stop = attempts(5), wait = none(), on = is::<io::Error>() };
    /// let policy = policy.with_breaker(&BREAKER);
    /// let mut calls = 0;
    /// let mut call = || policy.call(|| {
    ///     calls += 1;
    ///     io::Result::<()>::Err(io::ErrorKind::ConnectionRefused.into())
    /// });
    /// assert!(call().is_err());
    /// assert!(call().is_err(), "refused");
    /// assert_eq!(calls, 2);
    /// ```
    pub fn with_breaker(self, breaker: impl IntoBreaker<'static>) -> Policy<S, W, O, Limited> {
        self.with(|settings| settings.breaker = breaker.breaker())
    }

    /// Lets a retry through only while the budget has tokens: the key `budget`. A retry that is not
    /// let through ends its call with the last outcome, so this asks nothing of the error's type.
    ///
    /// ```
    /// use retry::{Budget, policy};
    ///
    /// static BUDGET: Budget = Budget::new(28);
    ///
    /// let policy = policy! { stop = attempts(9), wait = none(), on = any_error() };
    /// let policy = policy.with_budget(&BUDGET);
    /// let mut calls = 0;
    /// let outcome = policy.call(|| {
    ///     calls += 1;
    ///     Err::<(), _>("down")
    /// });
    /// assert_eq!((outcome, calls), (Err("down"), 3), "28 tokens pay for two retries");
    /// ```
    pub fn with_budget(self, budget: impl IntoBudget<'static>) -> Policy<S, W, O, L::Uncut> {
        self.with_uncut(|settings| settings.budget = budget.budget())
    }

    /// Makes a single attempt inside another retried call, which then does the retrying: the key
    /// `nested = once`.
    pub fn with_nested_once(self) -> Policy<S, W, O, L::Uncut> {
        self.with_uncut(|settings| settings.once = true)
    }
}
