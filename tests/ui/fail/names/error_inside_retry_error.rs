use retry::{RetryError, retry};

#[retry(stop = attempts(3), wait = none(), on = any_error())]
fn call() -> Result<u32, RetryError<ApiError>> {
    Ok(1)
}

fn main() {}
