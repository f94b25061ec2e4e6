use retry::{RetryError, retry};

#[derive(Debug)]
pub struct ApiError;

#[retry(
    stop = attempts(3),
    wait = fixed(1s),
    on = any_error(),
    attempt_timeout = 2s,
    idempotent,
)]
async fn call() -> Result<u32, RetryError<ApiError>> {
    unimplemented!()
}

fn main() {}
