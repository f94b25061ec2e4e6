use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
    Status(u16),
}

#[retry(max_times = 3, min_delay = 100ms, factor = 2, jitter, when = is_busy, notify = log)]
fn one() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

#[retry(max_delay = 10s, max_retries = 3, from_millis = 10)]
fn two() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

fn is_busy(error: &ApiError) -> bool {
    matches!(error, ApiError::Busy)
}

fn main() {}

// errors: 9
