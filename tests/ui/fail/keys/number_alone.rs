use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
}

#[retry(3)]
fn call() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

fn main() {}
