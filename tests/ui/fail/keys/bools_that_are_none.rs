use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
    Status(u16),
}

#[retry(stop = attempts(3), wait = none(), on = is_busy, enabled = "false")]
fn one() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

#[retry(stop = attempts(3), wait = none(), on = is_busy, idempotent = "yes")]
fn two() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

#[retry(stop = attempts(3), wait = none(), on = is_busy, idempotent(true))]
fn three() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

#[retry(stop = attempts(3), wait = none(), on = is_busy, enabled(false))]
fn four() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

fn is_busy(error: &ApiError) -> bool {
    matches!(error, ApiError::Busy)
}

fn main() {}

// errors: 4
