use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
}

#[retry(stop = give_up_soon(), wait = none(), on = any_error())]
fn call() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

fn main() {}
