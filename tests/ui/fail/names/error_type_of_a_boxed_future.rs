use std::pin::Pin;

use retry::retry;

#[retry(stop = attempts(3), wait = none(), on = any_error())]
fn call() -> Pin<Box<dyn Future<Output = Result<u32, ApiError>> + Send>> {
    Box::pin(async move { Ok(1) })
}

fn main() {}
