use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
}

#[retry(stop = forever, wait = none(), on = any_error())]
fn call() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

fn main() {}
