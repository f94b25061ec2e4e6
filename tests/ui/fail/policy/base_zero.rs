use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
}

#[retry(stop = attempts(3), wait = exponential(0ms) + fibonacci(0s), on = any_error())]
fn call() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

fn main() {}

// errors: 2
