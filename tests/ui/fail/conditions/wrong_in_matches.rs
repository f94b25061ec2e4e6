use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
    Status(u16),
}

#[retry(stop = attempts(3), wait = none(), on = matches(Err(ApiError::Busy), Err(ApiError::Status(_))))]
fn one() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

#[retry(stop = attempts(3), wait = none(), on = matches(outcome, Err(ApiError::Busy)))]
fn two() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

#[retry(stop = attempts(3), wait = none(), on = matches(Err(error) => is_busy(error)))]
fn three() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

#[retry(stop = attempts(3), wait = none(), on = matches(Err(error), if is_busy(error)))]
fn four() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

#[retry(stop = attempts(3), wait = none(), on = matches(|error| is_busy(error)))]
fn five() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

fn is_busy(error: &ApiError) -> bool {
    matches!(error, ApiError::Busy)
}

fn main() {}

// errors: 5
