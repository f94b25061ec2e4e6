//! Documented functions of every shape stay documented, and no lint on documentation fires.
#![deny(warnings, missing_docs, unused_doc_comments, clippy::pedantic, clippy::nursery)]

use retry::retry;

/// Asks.
#[retry(stop = attempts(3), wait = none(), on = any_error())]
pub fn documented() -> Result<u32, String> {
    //! # Errors
    //!
    //! - always
    Err("no".to_owned())
}

macro_rules! ask {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[retry(stop = attempts(3), wait = none(), on = any_error())]
        pub async fn $name() -> Result<u32, String> {
            Ok(1)
        }
    };
}

ask! {
    /// Asks.
    #[doc = concat!("Or", " not.")]
    by_macro
}

fn main() {
    /// Asks within.
    #[retry(stop = attempts(3), wait = none(), on = any_error())]
    fn inner() -> Result<u32, String> {
        Ok(1)
    }
    drop((documented().is_err(), inner(), by_macro()));
}
