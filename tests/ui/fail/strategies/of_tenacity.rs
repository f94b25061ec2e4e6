use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
    Status(u16),
}

#[retry(stop = stop_after_attempt(3) | stop_after_delay(30), wait = wait_fixed(3) + wait_random(0, 2), on = is_busy)]
fn one() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

#[retry(stop = attempts(3), wait = wait_random_exponential(multiplier = 1), on = is_busy)]
fn two() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

fn is_busy(error: &ApiError) -> bool {
    matches!(error, ApiError::Busy)
}

fn main() {}

// errors: 5
