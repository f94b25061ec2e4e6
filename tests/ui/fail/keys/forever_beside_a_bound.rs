use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
    Status(u16),
}

#[retry(forever, stop = attempts(3), wait = none(), on = is_busy)]
fn one() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

#[retry(forever, stop = (|state| state.attempt() > 9) | within(30s), wait = none(), on = is_busy)]
fn two() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

fn is_busy(error: &ApiError) -> bool {
    matches!(error, ApiError::Busy)
}

fn main() {}

// errors: 2
