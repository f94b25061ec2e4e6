//! What a call did, and why it ended.

use core::fmt;
use core::time::Duration;
use std::collections::VecDeque;
use std::sync::Arc;

use crate::report::exhausted::Exhausted;
use crate::report::interrupted::Interruption;
use crate::report::reason::StopReason;
use crate::report::summary::{write_cut, write_summary};
use crate::stats::event::ErrorText;
use crate::stats::site::Site;
use crate::verdict::verdict::Verdict;

/// What one call did, and why it ended.
///
/// Given to `on_success`, `on_give_up` and `fallback`, collected by [`record`](crate::record), and
/// kept, in parts, in a [`RetryError`](crate::RetryError). Each call has its own.
///
/// Times are `None` where no clock was read: in a call that nobody watches and whose `stop` does not
/// ask for the time. With a hook, a `RetryError` in the
/// signature or a `record` around it every time is known.
///
/// ```
/// use retry::retry;
///
/// #[retry(
///     name = "flush",
///     stop = attempts(3),
///     wait = fixed(1ms),
///     on = any_error(),
///     on_give_up = |report, _| {
///         println!("{report}"); // `flush` failed after 3 attempts in 2.3ms: no attempts left
///         for attempt in report.history() {
///             println!("{}: {:?}", attempt.number(), attempt.duration());
///         }
///     },
/// )]
/// fn flush() -> Result<(), String> {
///     Err("full".to_owned())
/// }
/// # flush().unwrap_err();
/// ```
#[cfg_attr(feature = "serde", doc = include_str!("serialize.md"))]
#[derive(Clone, PartialEq, Eq)]
pub struct Report {
    pub(crate) site: &'static Site,
    pub(crate) reason: StopReason,
    pub(crate) attempts: u32,
    pub(crate) elapsed: Option<Duration>,
    pub(crate) waited: Duration,
    pub(crate) history: Vec<PastAttempt>,
}

impl Report {
    /// Of a call that was refused before its first attempt.
    pub(crate) const fn refused(site: &'static Site, reason: StopReason) -> Self {
        Self {
            site,
            reason,
            attempts: 0,
            elapsed: None,
            waited: Duration::ZERO,
            history: Vec::new(),
        }
    }

    /// Of a call that has ended with its first attempt, and that nobody watched.
    pub(crate) fn first(
        site: &'static Site,
        reason: StopReason,
        elapsed: Option<Duration>,
    ) -> Self {
        let only = PastAttempt {
            number: 1,
            duration: elapsed,
            verdict: Verdict::Final,
            delay: None,
            error: None,
            interruption: None,
            exhausted: None,
        };
        Self { attempts: 1, elapsed, history: vec![only], ..Self::refused(site, reason) }
    }

    /// The name of the function, or what `name` gave.
    pub fn name(&self) -> &'static str {
        self.site.name()
    }

    /// Why the call ended.
    pub fn reason(&self) -> StopReason {
        self.reason
    }

    /// Whether the call ended with a success: with an outcome that its condition did not ask to
    /// repeat, and that is not an `Err` or `None`, nor holds an `Err` in its `Ok` or `Some`. (The `None`
    /// that ends a stream of `Result`s is a success.) `false` where retrying was switched off: then
    /// nobody has looked at the outcome.
    pub fn is_success(&self) -> bool {
        self.reason == StopReason::Success
    }

    /// How many attempts were made, from 1: the first included, and the one that a cancelled call
    /// was in.
    pub fn attempts(&self) -> u32 {
        self.attempts
    }

    /// The time from the start of the first attempt to the end of the call, all attempts and
    /// pauses included.
    pub fn elapsed(&self) -> Option<Duration> {
        self.elapsed
    }

    /// The delays of all pauses between attempts that came to their end, as they were planned.
    pub fn waited(&self) -> Duration {
        self.waited
    }

    /// The attempts that ended, in order: the first and the last 99, should there have been more
    /// than 100.
    pub fn history(&self) -> &[PastAttempt] {
        &self.history
    }

    /// The delays before the retries in [`history`](Self::history), in order.
    pub fn delays(&self) -> impl Iterator<Item = Duration> + '_ {
        self.history.iter().filter_map(PastAttempt::delay)
    }
}

#[allow(clippy::missing_fields_in_debug)] // the site is shown by its name
impl fmt::Debug for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Report")
            .field("name", &self.name())
            .field("reason", &self.reason)
            .field("attempts", &self.attempts)
            .field("elapsed", &self.elapsed)
            .field("waited", &self.waited)
            .field("history", &self.history)
            .finish()
    }
}

/// One line: what was called, how often, how long it took, why it ended, and whether the last attempt
/// was cut.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = match self.reason {
            StopReason::Success => "succeeded",
            // Nobody has asked whether the outcome was a success.
            StopReason::Disabled => "ended",
            _ => "failed",
        };
        write_summary(f, self.name(), verb, self.reason, self.attempts, self.elapsed)?;
        write_cut(f, self.history.last().and_then(PastAttempt::interruption))
    }
}

/// One attempt of a [`Report`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastAttempt {
    pub(crate) number: u32,
    pub(crate) duration: Option<Duration>,
    pub(crate) verdict: Verdict,
    pub(crate) delay: Option<Duration>,
    pub(crate) error: Option<Arc<str>>,
    pub(crate) interruption: Option<Interruption>,
    pub(crate) exhausted: Option<Exhausted>,
}

impl PastAttempt {
    /// Its number, from 1.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// How long it took; `None` where no clock was read before it.
    pub fn duration(&self) -> Option<Duration> {
        self.duration
    }

    /// What its outcome meant. [`Verdict::Final`] for a success, and for a failure that was not
    /// worth another attempt.
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// The delay planned between it and the next attempt; `None` if no other was planned.
    pub fn delay(&self) -> Option<Duration> {
        self.delay
    }

    /// The text of its error, as the events show it: the error's `Display`, else its `Debug`, else
    /// the name of its type. `None` where its outcome was no failure.
    ///
    /// The first error often says what was wrong, where the last one only says that it still is.
    ///
    /// ```
    /// use retry::{RetryError, retry};
    ///
    /// #[retry(stop = attempts(3), wait = none(), on = any_error())]
    /// fn connect(calls: &mut u32) -> Result<(), RetryError<&'static str>> {
    ///     *calls += 1;
    ///     Err(if *calls == 1 { "bad password" } else { "locked out" })
    /// }
    /// let error = connect(&mut 0).unwrap_err();
    /// assert_eq!(error.history[0].error(), Some("bad password"));
    /// assert_eq!(error.history[2].error(), Some("locked out"));
    /// ```
    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// What has cut it, if it was cut: the call's own [`Deadline`](Interruption::Deadline), or that of a
    /// call around it, or [`AttemptTimeout`](Interruption::AttemptTimeout). `None` for an attempt that
    /// came to its end, even with an error that says that a peer has timed out.
    ///
    /// ```
    /// # use retry::{Interrupted, Interruption, record, retry};
    /// # #[derive(Debug)] struct Error;
    /// # impl From<Interrupted> for Error { fn from(_: Interrupted) -> Self { Self } }
    /// #[retry(stop = attempts(3), wait = fixed(1ms), on = any_error(), deadline = 20ms)]
    /// async fn hangs() -> Result<(), Error> {
    ///     std::future::pending().await
    /// }
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// let (_, reports) = record(hangs()).await;
    /// assert_eq!(reports[0].history()[0].interruption(), Some(Interruption::Deadline));
    /// # }
    /// ```
    pub fn interruption(&self) -> Option<Interruption> {
        self.interruption
    }

    /// The retried call that gave up inside of it, the last one if there were several, whatever the body
    /// then made of that. What was repeated there is repeated again by every retry of this call.
    ///
    /// A call in a task or thread of its own is not inside.
    ///
    /// ```
    /// use retry::{StopReason, record_sync, retry};
    ///
    /// #[retry(name = "connect", stop = attempts(3), wait = none(), on = any_error())]
    /// fn connect() -> Result<(), String> {
    ///     Err("refused".to_owned())
    /// }
    ///
    /// #[retry(stop = attempts(2), wait = none(), on = any_error())]
    /// fn fetch() -> Result<(), String> {
    ///     connect()
    /// }
    ///
    /// let (_, reports) = record_sync(fetch);
    /// let outer = reports.last().expect("it has ended last");
    /// let inner = outer.history()[0].exhausted().expect("the first attempt ran into it");
    /// assert_eq!((inner.name(), inner.attempts()), ("connect", 3));
    /// assert_eq!(inner.reason(), StopReason::Attempts);
    /// ```
    pub fn exhausted(&self) -> Option<Exhausted> {
        self.exhausted
    }
}

/// The attempts that have ended. A call that goes on forever must not grow forever.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    past: VecDeque<PastAttempt>,
    /// The text of the error with which the last attempt has ended the call.
    ending: Option<Arc<str>>,
}

impl History {
    const MOST: usize = 100;

    pub(crate) fn push(&mut self, attempt: PastAttempt) {
        if self.past.len() == Self::MOST {
            // The first one stays: it often says what the others no longer do.
            self.past.remove(1);
        }
        self.past.push_back(attempt);
    }

    pub(crate) fn set_last_delay(&mut self, delay: Duration) {
        if let Some(last) = self.past.back_mut() {
            last.delay = Some(delay);
        }
    }

    pub(crate) fn set_last_error(&mut self, error: ErrorText<'_>) {
        if let Some(last) = self.past.back_mut() {
            last.error = text(error);
        }
    }

    pub(crate) fn set_ending(&mut self, error: ErrorText<'_>) {
        self.ending = text(error);
    }

    pub(crate) fn ending(&self) -> Option<Arc<str>> {
        self.ending.clone()
    }

    pub(crate) fn into_vec(self) -> Vec<PastAttempt> {
        self.past.into()
    }
}

/// The text of an error, to be kept.
pub(crate) fn text(error: ErrorText<'_>) -> Option<Arc<str>> {
    error.map(|error| error.to_string().into())
}
