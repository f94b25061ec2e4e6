use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
}

#[retry(stop = within(999999999999999999d), wait = none(), on = any_error())]
fn call() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

fn main() {}
