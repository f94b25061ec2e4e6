//! The macros of the `retry` crate, which re-exports and documents them.
//!
//! The pipeline is read, check, emit. `read` makes typed trees of tokens, each once: the keys of one
//! table, a tree for `stop` and `wait` and one for `on`, the annotated function, durations. `check`
//! holds every rejection of what could be read but is unwise; a reader rejects only what it cannot
//! read. `emit` writes the function, the block or the policy back, with the loop around an attempt
//! in `call`, on the hidden module that `private` names. `doc` writes the paragraph in the function's
//! documentation, and `diagnose` collects errors. What numbers come to, the strategies of the core
//! are asked themselves.
//!
//! `transient` is the derive: small enough for readers and checks of its own, it shares what `read`
//! knows of tokens, and the words for errors and paths.

#![forbid(unsafe_code)]

mod check;
mod diagnose;
mod doc;
mod emit;
#[cfg(test)]
mod mistakes;
mod read;
#[cfg(test)]
mod soup;
mod transient;

use proc_macro::TokenStream;

/// Retries the function it stands on.
///
/// ```
/// # #[derive(Clone, Copy)] enum ApiError { Busy }
/// # impl ApiError { fn is_transient(&self) -> bool { true } }
/// # struct Client;
/// # impl Client { async fn get(&self, id: u64) -> Result<u64, ApiError> { Ok(id) } }
/// use retry::retry;
///
/// #[retry(
///     stop = attempts(5) | within(30s),
///     wait = exponential(100ms).cap(10s).full_jitter(),
///     on = ApiError::is_transient,
/// )]
/// async fn fetch_order(client: &Client, id: u64) -> Result<u64, ApiError> {
///     client.get(id).await
/// }
/// ```
///
/// When to use what is in the [guide](guide/index.html), which starts with
/// [a first retry](guide/getting_started/index.html).
///
#[doc = include_str!("tables.md")]
#[doc(alias = "backoff")]
#[doc(alias = "cancel")]
#[doc(alias = "circuit breaker")]
#[doc(alias = "deadline")]
#[doc(alias = "delay")]
#[doc(alias = "jitter")]
#[doc(alias = "max_attempts")]
#[doc(alias = "max_retries")]
#[doc(alias = "timeout")]
#[proc_macro_attribute]
pub fn retry(args: TokenStream, item: TokenStream) -> TokenStream {
    emit::function::attribute(args.into(), &item.into()).into()
}

/// Retries a block inside a function, in place: it gives the block's last outcome, and an async
/// one is awaited where it stands, like `tokio::join!`.
///
/// ```
/// # #[derive(Debug)] struct Busy;
/// # fn connect() -> Result<u32, Busy> { Ok(7) }
/// # fn main() -> Result<(), Busy> {
/// let link = retry::block!(
///     stop = attempts(5),
///     wait = fixed(100ms),
///     on = any_error(),
///     || -> Result<u32, Busy> { connect() },
/// )?;
/// # assert_eq!(link, 7);
/// # Ok(())
/// # }
/// ```
///
/// The last item is `async { … }`, `async || -> T { … }` or `|| -> T { … }`; the forms with a
/// type are for blocks that use `?`. The keys are those of [the attribute](attr.retry.html#the-keys). A `return` or `?` in
/// the block ends the attempt, not the function around it.
///
/// Where nothing but a success can end it (`forever` without `stop`, and `on = any_error()`) it
/// gives the value of the success itself:
///
/// ```
/// # let mut tries = 0;
/// # let mut lease = || { tries += 1; if tries < 3 { None } else { Some(7) } };
/// let lease: u32 = retry::block!(forever, wait = none(), on = any_error(), || lease());
/// # assert_eq!(lease, 7);
/// ```
#[proc_macro]
pub fn block(input: TokenStream) -> TokenStream {
    emit::block::block(input.into()).into()
}

/// Makes a [`Policy`](struct.Policy.html): the keys of the attribute as a value.
///
/// ```
/// # #[derive(Debug)] enum ApiError { Busy, Status(u16) }
/// use retry::policy;
///
/// let policy = policy! {
///     stop = attempts(5) | within(30s),
///     wait = exponential(100ms).cap(10s).full_jitter(),
///     on = matches(Err(ApiError::Busy)) | |error: &ApiError| matches!(error, ApiError::Status(502..)),
/// };
/// let answer = policy.call(|| Ok::<_, ApiError>(42));
/// # assert!(matches!(answer, Ok(42)));
/// ```
///
/// It takes `stop`, `wait`, `on`, `forever`, `max_hint`, `idempotent`, `warn_after`, `warn_every`,
/// `deadline`, `attempt_timeout`, `budget`, `breaker`, `nested`, `log`, `name` and `crate`, which mean what
/// they mean in [the attribute](attr.retry.html#the-keys). All are evaluated once, where the macro stands. Calls
/// are named after the function around it, or by `name = "…"`.
///
/// A value does not know the function it will serve, so in its `on`
///
/// - a closure names the type of its argument, `|error: &ApiError| …`, and the path of a function
///   takes exactly that (not `&dyn Error`);
/// - `is::<T>()` needs an error that is `'static`, and looks into a `Box` or `Arc` of `dyn
///   Error`, but not into anyhow's; `source_is::<T>()` needs one that implements `Error`;
/// - `matches(Err(…))` judges errors, as do all but `ok(…)`, `output(…)` and patterns of
///   successes, and what judges errors serves functions with any type of success;
/// - `at_most(n)` is rejected: it counts the retries of one call, and a policy is shared between
///   calls. Write it in the `on` of a function.
///
/// Without `on` the error itself must know: it implements `Transient`.
#[proc_macro]
pub fn policy(input: TokenStream) -> TokenStream {
    emit::policy::policy(input.into()).into()
}

/// Makes an error type know what each of its values means for the attempt that ended with it.
///
/// ```
/// use retry::{Transient, Verdict, retry};
/// use std::{io, time::Duration};
///
/// # #[derive(Debug)]
/// #[derive(Transient)]
/// enum ApiError {
///     /// The attempt had no effect, and another may succeed.
///     #[transient]
///     Unavailable,
///
///     /// The same; the other side is overloaded, and may have said when to come back.
///     #[transient(retry_after = after, throttled)]
///     TooMany { after: Option<Duration> },
///
///     /// It may have taken effect: retried only where the call is `idempotent`.
///     #[ambiguous]
///     TimedOut,
///
///     /// Another attempt would not change it.
///     #[permanent]
///     NotFound,
///
///     /// As the error inside says.
///     #[transient(forward)]
///     Io(io::Error),
/// }
///
/// let after = Some(Duration::from_secs(2));
/// let verdict = ApiError::TooMany { after }.verdict();
/// assert!(verdict.is_retry() && verdict.is_throttled());
/// assert_eq!(verdict.hint(), after);
/// assert!(ApiError::Io(io::ErrorKind::NotFound.into()).verdict().is_final());
///
/// // The type knows: there is no `on`.
/// #[retry(stop = attempts(3), wait = none())]
/// fn fetch(calls: &mut u32) -> Result<u32, ApiError> {
///     *calls += 1;
///     if *calls < 3 { Err(ApiError::Unavailable) } else { Ok(7) }
/// }
/// assert_eq!(fetch(&mut 0).unwrap(), 7);
/// ```
///
/// Every variant is marked, so that a new one is decided upon when it is added. `use
/// retry::Transient` imports the derive and the trait.
///
/// | mark | verdict |
/// |---|---|
/// | `#[transient]` | [`Verdict::Retry`](struct.Verdict.html#associatedconstant.Retry) |
/// | `#[ambiguous]` | [`Verdict::Ambiguous`](struct.Verdict.html#associatedconstant.Ambiguous) |
/// | `#[permanent]` | [`Verdict::Final`](struct.Verdict.html#associatedconstant.Final) |
/// | `#[transient(forward)]` | that of the single field, with its hint, whatever it is |
///
/// | option | of | meaning |
/// |---|---|---|
/// | `retry_after = field` | `transient`, `ambiguous` | the field, a `Duration` or an `Option` of one, holds how long the other side asked to be left alone; the fields of a tuple go by number, from 0 |
/// | `throttled` | `transient`, `ambiguous` | the other side is overloaded |
/// | `forward` | `transient` | alone: the field's own `Transient` is asked |
/// | `crate = ::path` | `#[transient(…)]` on the type | where the facade is, if it is renamed or exported again |
///
/// A struct is one error and carries the mark itself:
///
/// ```
/// # use retry::Transient;
/// # use std::time::Duration;
/// #[derive(Transient)]
/// #[transient(retry_after = 0)]
/// struct Locked(Duration);
///
/// #[derive(Transient)]
/// #[transient(forward)]
/// struct Traced<E> {
///     source: E,
/// }
///
/// let error = Traced { source: Locked(Duration::from_secs(1)) };
/// assert_eq!(error.verdict().hint(), Some(Duration::from_secs(1)));
/// ```
///
/// A type parameter needs to be `Transient` only where a verdict is asked of it. What the marks
/// cannot say (a status code that decides, a verdict that skips the wait) is an `impl Transient` by
/// hand, whose body is one `match`.
#[proc_macro_derive(Transient, attributes(transient, permanent, ambiguous))]
pub fn transient(item: TokenStream) -> TokenStream {
    transient::derive(item.into()).into()
}
