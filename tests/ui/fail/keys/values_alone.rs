use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
    Status(u16),
}

#[retry("3")]
fn one() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

#[retry(attempts(3))]
fn two() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

#[retry(attempts = 3)]
fn three() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

#[retry(exponential(100ms))]
fn four() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

#[retry(3, 100ms)]
fn five() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

#[retry(|error| is_busy(error), stop = attempts(3), wait = none())]
fn six() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

fn is_busy(error: &ApiError) -> bool {
    matches!(error, ApiError::Busy)
}

fn main() {}

// errors: 7
