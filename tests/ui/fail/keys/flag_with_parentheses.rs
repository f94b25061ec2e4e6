use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
    Status(u16),
}

#[retry(forever(), wait = none(), on = is_busy)]
fn one() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

#[retry(forever(true), wait = none(), on = is_busy)]
fn two() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

#[retry(forever: true, wait = none(), on = is_busy)]
fn three() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

fn is_busy(error: &ApiError) -> bool {
    matches!(error, ApiError::Busy)
}

fn main() {}

// errors: 3
