//! Marks: an error that says, where it occurs, whether it is worth another attempt.

use core::time::Duration;

use crate::attempt::context;
use crate::verdict::verdict::Verdict;

/// Marks a failure where it occurs, in the body of a retried function or anywhere under it.
///
/// The `Result` is passed through unchanged; an `Ok` marks nothing. If the attempt then fails, the
/// mark decides in place of `on`. It is about the innermost retried attempt; outside of one it
/// does nothing.
///
/// ```
/// use retry::{Mark, retry};
///
/// #[retry(stop = attempts(5), wait = none(), on = any_error())]
/// fn load(path: &str, calls: &mut u32) -> Result<u32, Box<dyn std::error::Error>> {
///     *calls += 1;
///     let text = std::fs::read_to_string(path)?;
///     // Reading again would not make it a number.
///     Ok(text.trim().parse::<u32>().permanent()?)
/// }
/// # let path = std::env::temp_dir().join("retry-doc-mark");
/// # std::fs::write(&path, "seven").unwrap();
/// # let path = path.to_str().unwrap();
///
/// let mut calls = 0;
/// assert!(load(path, &mut calls).is_err());
/// assert_eq!(calls, 1);
/// ```
///
/// Neither a mark nor `on` overrules `stop`. What counts is the last mark of an attempt: one on an error that the body then handles would
/// still speak for the error that it returns in the end. Mark an error that leaves the body.
pub trait Mark: Sized + IsResult {
    /// Another attempt would not change this: [`Verdict::Final`].
    fn permanent(self) -> Self;

    /// It had no effect, and another attempt may succeed: [`Verdict::Retry`].
    fn transient(self) -> Self;

    /// It may have taken effect: [`Verdict::Ambiguous`], retried only where the call is
    /// `idempotent`.
    fn ambiguous(self) -> Self;

    /// The other side asked to be left alone for this long: [`Verdict::retry_after`], on top of a
    /// mark before it, else on [`Verdict::Retry`]. The wait is at least this, and if the call may
    /// not wait so long (`max_hint`), it ends.
    fn retry_after(self, wait: Duration) -> Self;

    /// No wait is needed: [`Verdict::now`], on top of a mark before it, else on
    /// [`Verdict::Retry`].
    fn now(self) -> Self;
}

/// What can be marked. Nobody else's type can.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be marked",
    label = "only a `Result` can",
    note = "mark the `Result` that it leaves the body in: `Err(error).permanent()`, not `Err(error.permanent())`",
    note = "or, if the type is yours, put what it means on it: `impl retry::Transient for {Self}`"
)]
#[doc(hidden)]
pub trait IsResult {
    /// Whether there is an error to mark.
    fn is_failure(&self) -> bool;
}

impl<T, E> IsResult for Result<T, E> {
    fn is_failure(&self) -> bool {
        self.is_err()
    }
}

// Not of the `Result` alone, so that the compiler says of an error why it has no such method.
impl<R: IsResult> Mark for R {
    fn permanent(self) -> Self {
        mark(self, |_| Verdict::Final)
    }

    fn transient(self) -> Self {
        mark(self, |_| Verdict::Retry)
    }

    fn ambiguous(self) -> Self {
        mark(self, |_| Verdict::Ambiguous)
    }

    fn retry_after(self, wait: Duration) -> Self {
        mark(self, |before| repeatable(before).retry_after(wait))
    }

    fn now(self) -> Self {
        mark(self, |before| repeatable(before).now())
    }
}

fn mark<R: IsResult>(result: R, verdict: impl FnOnce(Option<Verdict>) -> Verdict) -> R {
    if result.is_failure() {
        context::mark(verdict);
    }
    result
}

fn repeatable(before: Option<Verdict>) -> Verdict {
    before.filter(|verdict| !verdict.is_final()).unwrap_or(Verdict::Retry)
}
