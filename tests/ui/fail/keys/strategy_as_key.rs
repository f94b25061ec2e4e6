use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
}

#[retry(attempts(5), fixed(1s), any_error())]
fn call() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

fn main() {}

// errors: 3
