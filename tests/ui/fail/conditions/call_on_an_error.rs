use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
}

#[retry(stop = attempts(3), wait = none(), on = error.is_busy())]
fn call() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

fn main() {}
