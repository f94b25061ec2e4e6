use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
}

#[retry(stop = attempts(3), wait = none(), on = five())]
fn call() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

fn five() -> u8 {
    5
}

fn main() {}
