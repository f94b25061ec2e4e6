use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
}

#[retry(stop = within(0x10s), wait = fixed(0x1d), on = any_error())]
fn call() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

fn main() {}

// errors: 2
