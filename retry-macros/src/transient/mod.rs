//! `#[derive(Transient)]`: marks on variants → what each of them means.
//!
//! ```text
//! enum E { #[transient(retry_after = after)] Busy { after: Duration }, #[transient(forward)] Io(io::Error) }
//!
//! match self {
//!     Self::Busy { after: field, .. } => asks_for(Verdict::Retry, field),
//!     Self::Io { 0: field, .. } => forwarded(field),
//! }
//! ```

mod bounds;
mod check;
mod emit;
mod options;
mod read;

use proc_macro2::TokenStream;
use syn::{Error, Item};

use crate::diagnose::Errors;
use crate::transient::read::Target;

/// Expands the derive on `item`.
pub(crate) fn derive(item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let target = match syn::parse2::<Item>(item) {
        Ok(item) => Target::read(item, &mut errors),
        Err(error) => return Error::into_compile_error(error),
    };
    let Some(target) = target else { return errors.into_compile_error() };
    check::check(&target, &mut errors);
    if errors.is_empty() {
        return emit::by_marks(&target);
    }
    let mut tokens = errors.into_compile_error();
    tokens.extend(emit::in_place(&target));
    tokens
}
