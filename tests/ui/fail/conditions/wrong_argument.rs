use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
}

#[retry(stop = attempts(3), wait = none(), on = is_long)]
fn call() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

fn is_long(text: &str) -> bool {
    text.len() > 9
}

fn main() {}
