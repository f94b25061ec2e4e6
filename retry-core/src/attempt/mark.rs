//! Marks: an error that says, where it occurs, whether it is worth another attempt.

use core::any::type_name;
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
/// Neither a mark nor `on` overrules `stop`. An error that is marked is moved and converted (by `?`)
/// like any other, so nothing can tell it from another one: what counts is the last mark of an
/// attempt. One on an error that the body then handles would still speak for an unmarked error that
/// it returns in the end. Mark an error where it leaves the body, after what handles it:
///
/// ```
/// use retry::{Mark, retry};
/// # fn cached() -> Result<u32, &'static str> { Err("not cached") }
/// # fn asked(calls: &mut u32) -> Result<u32, &'static str> {
/// #     *calls += 1;
/// #     if *calls < 3 { Err("busy") } else { Ok(7) }
/// # }
///
/// #[retry(stop = attempts(5), wait = none(), on = any_error())]
/// fn load(calls: &mut u32) -> Result<u32, &'static str> {
///     // Not `cached().permanent().or_else(…)`, which would mark the failure of `asked` too.
///     cached().or_else(|_| asked(calls))
/// }
/// # assert_eq!(load(&mut 0), Ok(7));
/// ```
pub trait Mark: Sized + IsResult {
    /// Another attempt would not change this: [`Verdict::Final`].
    fn permanent(self) -> Self;

    /// It had no effect, and another attempt may succeed: [`Verdict::Retry`].
    fn transient(self) -> Self;

    /// It may have taken effect: [`Verdict::Ambiguous`], retried only where the call is
    /// `idempotent`.
    fn ambiguous(self) -> Self;

    /// The other side asked to be left alone for this long: [`Verdict::retry_after`], on top of a
    /// mark before it on an error of this type, else on [`Verdict::Retry`]. The wait is at least this, and if the call may
    /// not wait so long (`max_hint`), it ends.
    fn retry_after(self, wait: Duration) -> Self;

    /// No wait is needed: [`Verdict::now`], on top of a mark before it on an error of this type, else on
    /// [`Verdict::Retry`].
    fn now(self) -> Self;

    /// The next of `n` that can do the same is to be asked, at once and without using up an attempt, until
    /// all of them have failed in a row: [`Verdict::next_of`], on top of a mark before it on an error of this
    /// type, else on [`Verdict::Retry`].
    fn next_of(self, n: usize) -> Self;
}

/// What can be marked. Nobody else's type can.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be marked",
    label = "only a `Result` can",
    note = "mark the `Result` that it leaves the body in: `Err(error).permanent()`, not `Err(error.permanent())`",
    note = "or, if the type is yours, put what it means on it: `#[derive(retry::Transient)]`"
)]
#[doc(hidden)]
pub trait IsResult {
    /// The name of the error's type, if there is an error to mark.
    fn error_type(&self) -> Option<&'static str>;
}

impl<T, E> IsResult for Result<T, E> {
    fn error_type(&self) -> Option<&'static str> {
        self.is_err().then(type_name::<E>)
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

    fn next_of(self, n: usize) -> Self {
        mark(self, |before| repeatable(before).next_of(n))
    }
}

fn mark<R: IsResult>(result: R, verdict: impl FnOnce(Option<Verdict>) -> Verdict) -> R {
    if let Some(error) = result.error_type() {
        context::mark(error, verdict);
    }
    result
}

fn repeatable(before: Option<Verdict>) -> Verdict {
    before.filter(|verdict| !verdict.is_final()).unwrap_or(Verdict::Retry)
}
