//! What the macro says about the retries is no documentation of the function.
#![deny(missing_docs)]

use retry::retry;

#[retry(stop = attempts(3), wait = none(), on = any_error())]
pub fn undocumented() -> Result<u32, ()> {
    Ok(1)
}

/// A client.
pub struct Client;

impl Client {
    #[retry(stop = attempts(3), wait = none(), on = any_error())]
    pub async fn undocumented(&self) -> Result<u32, ()> {
        Ok(1)
    }

    #[doc(hidden)]
    #[retry(stop = attempts(3), wait = none(), on = any_error())]
    pub async fn hidden(&self) -> Result<u32, ()> {
        Ok(1)
    }
}

fn main() {}

// errors: 2
