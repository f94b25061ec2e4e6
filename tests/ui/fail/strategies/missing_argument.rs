use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
}

#[retry(stop = attempts(), wait = linear(1s), on = any_error())]
fn call() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

fn main() {}

// errors: 2
