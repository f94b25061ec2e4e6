//! The macros of the `retry` crate, which re-exports and documents them.
//!
//! The pipeline is read, check, emit. `read` makes typed trees of tokens, each once: the keys of one
//! table, a tree for `stop` and `wait` and one for `on`, the annotated function, durations. `check`
//! holds every rejection of what could be read but is unwise; a reader rejects only what it cannot
//! read. `emit` writes the function, the block or the policy back, with the loop around an attempt
//! in `call`, on the hidden module that `private` names. `doc` writes the paragraph in the function's
//! documentation, and `diagnose` collects errors. What numbers come to, the strategies of the core
//! are asked themselves.

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
/// The keys, strategies and conditions are in tables in the documentation of [the
/// crate](index.html#the-keys); the module `guide` there is about when to use what.
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
/// type are for blocks that use `?`. The keys are those of the attribute. A `return` or `?` in
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
/// It takes `stop`, `wait`, `on`, `forever`, `max_hint`, `idempotent`, `name` and `crate`, which
/// mean what they mean in the attribute. All are evaluated once, where the macro stands. Calls
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
