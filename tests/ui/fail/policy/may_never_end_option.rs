use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
}

#[retry(stop = limit.map(attempts), wait = none(), on = any_error())]
fn call(limit: Option<u32>) -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

fn main() {}
