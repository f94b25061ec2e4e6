use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
}

#[retry]
fn call() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

fn main() {}
