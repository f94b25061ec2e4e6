//! Nothing in the expansion sets off a lint. What is denied here is checked by `cargo clippy`, and
//! as far as rustc's own lints go by compiling it.

#![deny(
    warnings,
    unused,
    deprecated,
    nonstandard_style,
    private_bounds,
    private_interfaces,
    rust_2018_idioms,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unreachable_pub,
    unused_lifetimes,
    unused_qualifications,
    unused_results,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::exhaustive_enums,
    clippy::impl_trait_in_params,
    clippy::indexing_slicing,
    clippy::items_after_statements,
    clippy::min_ident_chars,
    clippy::missing_docs_in_private_items,
    clippy::missing_inline_in_public_items,
    clippy::missing_trait_methods,
    clippy::panic,
    clippy::pattern_type_mismatch,
    clippy::ref_patterns,
    clippy::rest_pat_in_fully_bound_structs,
    clippy::same_name_method,
    clippy::semicolon_inside_block,
    clippy::shadow_reuse,
    clippy::shadow_same,
    clippy::shadow_unrelated,
    clippy::single_char_lifetime_names,
    clippy::unneeded_field_pattern,
    clippy::wildcard_enum_match_arm
)]
// Not every error here is made.
#![allow(dead_code)]

use std::io;
use std::time::Duration;

use retry::{Transient, Verdict};

/// Every kind of mark, several with the same verdict.
#[derive(Debug, Transient)]
#[non_exhaustive]
enum ApiError<E> {
    /// None.
    #[transient]
    One,
    /// The same.
    #[transient]
    Two(u8),
    /// A hint.
    #[transient(retry_after = after, throttled)]
    Three {
        /// How long.
        after: Option<Duration>,
    },
    /// Another.
    #[ambiguous(retry_after = 0)]
    Four(Duration),
    /// Asks.
    #[transient(forward)]
    Five(io::Error),
    /// Asks too.
    #[transient(forward)]
    Six(E),
    /// Never.
    #[permanent]
    Seven,
    /// Long gone.
    #[deprecated]
    #[permanent]
    Eight,
    /// With a field that is.
    #[transient(retry_after = after)]
    Nine {
        /// How long.
        #[deprecated]
        after: Duration,
    },
}

/// One.
#[derive(Debug, Transient)]
#[transient(retry_after = after)]
struct Busy {
    /// How long.
    after: Duration,
}

/// Another.
#[derive(Debug, Transient)]
#[permanent]
struct Never;

/// Nothing but a question.
#[derive(Debug, Transient)]
#[transient(forward)]
struct Asks<E>(E);

/// Its type is not to be used any more, and its user knows.
#[derive(Debug, Transient)]
#[transient(forward)]
#[allow(deprecated)]
struct AsksTheOld<E>(Old<E>);

/// Not to be used any more either.
#[derive(Debug)]
#[deprecated]
struct Old<E>(E);

#[allow(deprecated)]
impl<E> Transient for Old<E> {
    fn verdict(&self) -> Verdict {
        Verdict::Final
    }
}

/// Not to be used any more.
#[derive(Debug, Transient)]
#[deprecated]
#[transient]
struct Gone;

#[test]
fn errors_are_quiet_and_work() {
    let after = Duration::from_secs(1);
    let busy = ApiError::Six(Asks(Busy { after }));
    assert_eq!(busy.verdict(), Verdict::Retry.retry_after(after));
    assert_eq!(ApiError::<Never>::Two(1).verdict(), Verdict::Retry);
    assert_eq!(ApiError::Six(Never).verdict(), Verdict::Final);
}
