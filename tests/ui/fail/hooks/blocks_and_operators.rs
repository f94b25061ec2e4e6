use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
    Status(u16),
}

#[retry(stop = attempts(3), wait = none(), on = is_busy, before = { println!("again"); })]
fn one() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

#[retry(stop = attempts(3), wait = none(), on = is_busy, before = {})]
fn two() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

#[retry(stop = attempts(3), wait = none(), on = is_busy, after = is_busy | is_busy)]
fn three() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

#[retry(stop = attempts(3), wait = none(), on = is_busy, reset = true)]
fn four() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

#[retry(stop = attempts(3), wait = none(), on = is_busy, warn_after = attempts(3))]
fn five() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

fn is_busy(error: &ApiError) -> bool {
    matches!(error, ApiError::Busy)
}

fn main() {}

// errors: 5
