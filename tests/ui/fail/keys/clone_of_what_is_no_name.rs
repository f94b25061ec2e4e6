use retry::retry;

#[derive(Debug)]
enum ApiError {
    Busy,
    Status(u16),
}

#[retry(stop = attempts(3), wait = none(), on = is_busy, clone(body.0))]
fn one(body: String, headers: u32) -> Result<u32, ApiError> {
    drop((body, headers));
    Err(ApiError::Busy)
}

#[retry(stop = attempts(3), wait = none(), on = is_busy, clone(&body))]
fn two(body: String, headers: u32) -> Result<u32, ApiError> {
    drop((body, headers));
    Err(ApiError::Busy)
}

#[retry(stop = attempts(3), wait = none(), on = is_busy, clone(bdoy))]
fn three(body: String, headers: u32) -> Result<u32, ApiError> {
    drop((body, headers));
    Err(ApiError::Busy)
}

#[retry(stop = attempts(3), wait = none(), on = is_busy, clone(body headers))]
fn four(body: String, headers: u32) -> Result<u32, ApiError> {
    drop((body, headers));
    Err(ApiError::Busy)
}

#[retry(stop = attempts(3), wait = none(), on = is_busy, clone("body"))]
fn five(body: String, headers: u32) -> Result<u32, ApiError> {
    drop((body, headers));
    Err(ApiError::Busy)
}

fn is_busy(error: &ApiError) -> bool {
    matches!(error, ApiError::Busy)
}

fn main() {}

// errors: 5
