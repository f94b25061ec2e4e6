//! The macros of the `retry` crate, which re-exports and documents them.
//!
//! The pipeline, a word a file: `args` reads `key = value` pairs, with `condition` for the
//! grammar of `on`; `item` reads the annotated function; `check` rejects; `strategy`, `condition`
//! and `duration` turn what the user wrote into paths and numbers; `expand` and `block` run the
//! attempts of a function and of a block, and `cycle` writes the loop around them, on the hidden
//! module that `private` names. `doc` tells the
//! documentation. `capture` keeps its future `Send`, `clones` and `rename` help with
//! arguments, `tokens` walks token trees, and `diagnose` collects errors and makes suggestions.

#![forbid(unsafe_code)]

mod args;
mod block;
mod capture;
mod check;
mod clones;
mod condition;
mod cycle;
mod diagnose;
mod doc;
mod duration;
mod expand;
mod item;
mod private;
mod rename;
mod strategy;
mod tokens;

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
/// See the documentation of the crate for the keys.
#[proc_macro_attribute]
pub fn retry(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(args.into(), &item.into()).into()
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
    block::block(input.into()).into()
}
