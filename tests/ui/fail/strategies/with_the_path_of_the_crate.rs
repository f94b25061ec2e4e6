use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
    Status(u16),
}

#[retry(stop = retry::attempts(3), wait = none(), on = is_busy)]
fn one() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

fn is_busy(error: &ApiError) -> bool {
    matches!(error, ApiError::Busy)
}

fn main() {}
