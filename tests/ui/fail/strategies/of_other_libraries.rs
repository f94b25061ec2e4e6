use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
}

#[retry(stop = stop_after_attempt(3), wait = expo(1s), on = always())]
fn call() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

fn main() {}

// errors: 3
