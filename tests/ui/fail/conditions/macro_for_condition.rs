use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
}

#[retry(stop = attempts(3), wait = none(), on = matches!(Err(ApiError::Busy)))]
fn call() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

fn main() {}
