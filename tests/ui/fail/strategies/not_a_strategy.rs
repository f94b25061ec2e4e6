use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
}

#[retry(stop = 3u32.pow(2), wait = call2(), on = any_error())]
fn call() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

fn call2() -> u64 {
    100
}

fn main() {}

// errors: 2
