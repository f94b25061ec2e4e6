use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
    Status(u16),
}

#[retry(stop = attempts(3), wait = none(), on = error.is_busy())]
fn one() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

#[retry(stop = attempts(3), wait = none(), on = error == ApiError::Busy)]
fn two() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

#[retry(stop = attempts(3), wait = none(), on = if true { is_busy } else { is_busy })]
fn three() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

#[retry(stop = attempts(3), wait = none(), on = async |error| is_busy(error))]
fn four() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

#[retry(stop = attempts(3), wait = none(), on = &is_busy)]
fn five() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

#[retry(stop = attempts(3), wait = none(), on = |error, attempt| true)]
fn six() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

fn is_busy(error: &ApiError) -> bool {
    matches!(error, ApiError::Busy)
}

fn main() {}

// errors: 6
