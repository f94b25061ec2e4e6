use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
}

#[retry(stop = attempts(3), wait = none(), on = !ok(|n| *n > 3))]
fn call() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

fn main() {}
