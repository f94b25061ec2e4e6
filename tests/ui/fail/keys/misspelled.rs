use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
}

#[retry(stops = attempts(3), wiat = none(), on = any_error())]
fn call() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

fn main() {}

// errors: 2
