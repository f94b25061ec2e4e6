use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
}

#[retry(max_attempts = 5, backoff = 100, when = is_busy, timeout = 30s, infinite)]
fn call() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

fn main() {}

// errors: 5
