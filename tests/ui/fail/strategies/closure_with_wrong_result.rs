use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
}

#[retry(stop = attempts(3) | (|_| 5), wait = |_| 100, on = any_error())]
fn call() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

fn main() {}

// errors: 2
