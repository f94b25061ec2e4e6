#![deny(warnings)]

use std::{fmt, io};

use retry::retry;

#[derive(Debug)]
pub struct ApiError;

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unavailable")
    }
}

impl std::error::Error for ApiError {}

#[retry(stop = attempts(3), wait = none(), on = is::<io::Error>())]
pub fn another_type() -> Result<u32, ApiError> {
    Err(ApiError)
}

#[retry(stop = attempts(3), wait = none(), on = is::<ApiError>() | is::<fmt::Error>().at_most(1))]
pub async fn one_of_two() -> Result<u32, ApiError> {
    Err(ApiError)
}

#[retry(stop = attempts(3), wait = none(), on = is::<ApiError>())]
pub fn in_a_box() -> Result<u32, Box<ApiError>> {
    Err(Box::new(ApiError))
}

pub fn block() -> Result<u32, ApiError> {
    retry::block!(stop = attempts(3), wait = none(), on = !is::<io::Error>(), || Err(ApiError))
}

fn main() {}

// errors: 4
