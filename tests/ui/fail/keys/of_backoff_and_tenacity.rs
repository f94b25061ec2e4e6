use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
    Status(u16),
}

#[retry(initial_interval = 100ms, multiplier = 1.5, randomization_factor = 0.5, max_interval = 10s, max_elapsed_time = 30s)]
fn one() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

#[retry(retry_if = is_busy, reraise = true, before_sleep_log = log, stop = attempts(3), wait = none())]
fn two() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

#[retry(retries = 3, delay_ms = 100)]
fn three() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

fn is_busy(error: &ApiError) -> bool {
    matches!(error, ApiError::Busy)
}

fn main() {}

// errors: 10
