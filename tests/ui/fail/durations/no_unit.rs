use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
}

#[retry(stop = within(30), wait = fixed(100).jitter(50), on = any_error())]
fn call() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

fn main() {}

// errors: 3
