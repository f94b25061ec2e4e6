use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
}

#[retry(stop = fixed(1s), wait = within(30s), on = attempts(3))]
fn call() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

fn main() {}

// errors: 3
