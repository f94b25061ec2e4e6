//! Errors that may be what `is` asks for, as far as the compiler knows.
#![deny(warnings)]

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use retry::retry;

#[derive(Debug)]
pub struct ApiError;

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unavailable")
    }
}

impl Error for ApiError {}

#[retry(stop = attempts(3), wait = none(), on = is::<ApiError>())]
pub fn itself() -> Result<u32, ApiError> {
    Err(ApiError)
}

#[retry(stop = attempts(3), wait = none(), on = is::<ApiError>())]
pub async fn boxed() -> Result<u32, Box<dyn Error + Send + Sync>> {
    Err(ApiError)?
}

#[retry(stop = attempts(3), wait = none(), on = is::<ApiError>())]
pub fn shared() -> Result<u32, Arc<dyn Error>> {
    Err(Arc::new(ApiError))
}

#[retry(stop = attempts(3), wait = none(), on = is::<ApiError>())]
pub fn anyhow() -> anyhow::Result<u32> {
    Err(ApiError)?
}

#[retry(stop = attempts(3), wait = none(), on = is::<ApiError>())]
pub fn hidden() -> Result<u32, impl Error + 'static> {
    Err::<u32, _>(ApiError)
}

#[retry(stop = attempts(3), wait = none(), on = is::<ApiError>())]
pub fn generic_error<E: Error + From<ApiError> + 'static>() -> Result<u32, E> {
    Err(ApiError)?
}

#[retry(stop = attempts(3), wait = none(), on = is::<E>())]
pub fn generic_target<E: Error + 'static>() -> Result<u32, ApiError> {
    Err(ApiError)
}

#[retry(stop = attempts(3), wait = none(), on = is::<E>())]
pub fn generic_both<E: Error + From<ApiError> + 'static>() -> Result<u32, E> {
    Err(ApiError)?
}

pub struct Client<E>(E);

impl<E: Error + Clone + 'static> Client<E> {
    #[retry(stop = attempts(3), wait = none(), on = is::<ApiError>())]
    pub fn get(&self) -> Result<u32, E> {
        Err(self.0.clone())
    }
}

pub trait Service {
    type Error: Error + From<ApiError> + 'static;

    #[retry(stop = attempts(3), wait = none(), on = is::<ApiError>())]
    fn call(&self) -> Result<u32, Self::Error> {
        Err(ApiError)?
    }
}

/// Holds an error, and says itself which.
pub struct Report(Box<dyn Error>);

impl Report {
    pub fn is<T: Error + 'static>(&self) -> bool {
        self.0.is::<T>()
    }
}

#[retry(stop = attempts(3), wait = none(), on = is::<ApiError>())]
pub fn with_an_is_of_its_own() -> Result<u32, Report> {
    Err(Report(ApiError.into()))
}

#[allow(deprecated)] // on purpose, as where a type differs from system to system
#[retry(stop = attempts(3), wait = none(), on = is::<ApiError>() | is::<fmt::Error>())]
pub fn known_to_be_another() -> Result<u32, ApiError> {
    Err(ApiError)
}

fn main() {}
