use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
    Status(u16),
}

#[retry(stop = attempts(3), wait = exponential(100ms).cap(), on = is_busy)]
fn one() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

#[retry(stop = attempts(3), wait = exponential(100ms).cap("10s"), on = is_busy)]
fn two() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

#[retry(stop = attempts(3), wait = exponential(100ms).full_jitter(0.5), on = is_busy)]
fn three() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

#[retry(stop = attempts(3), wait = exponential(100ms).jitter(), on = is_busy)]
fn four() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

#[retry(stop = attempts(3), wait = exponential(100ms).jitter_factor(100ms), on = is_busy)]
fn five() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

#[retry(stop = attempts(3), wait = exponential(100ms).factor(2s), on = is_busy)]
fn six() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

#[retry(stop = attempts(3), wait = fixed(1s).factor(2), on = is_busy)]
fn seven() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

#[retry(stop = attempts(3), wait = exponential(100ms).full_jitter, on = is_busy)]
fn eight() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

fn is_busy(error: &ApiError) -> bool {
    matches!(error, ApiError::Busy)
}

fn main() {}

// errors: 8
