use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
}

#[retry(stop = attemps(3), wait = exponentail(1s), on = any_error())]
fn call() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

fn main() {}

// errors: 2
