use std::error::Error;

use retry::retry;

#[retry(stop = attempts(3), wait = none())]
async fn call() -> Result<u32, Box<dyn Error + Send + Sync>> {
    Ok(1)
}

fn main() {}
