use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
}

#[retry(stop = within(30s), wait = fixed(0.5ns), on = any_error())]
fn call() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

fn main() {}
