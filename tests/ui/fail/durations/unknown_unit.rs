use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
}

#[retry(stop = within(5sec), wait = fixed(100msec), on = any_error())]
fn call() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

fn main() {}

// errors: 2
