use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
}

#[retry(stop = attempts(3), wait = exponential(1s).max(30s).min(2s), on = any_error())]
fn call() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

fn main() {}

// errors: 2
