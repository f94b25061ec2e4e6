use anyhow::Result;
use retry::retry;

#[retry(stop = attempts(3), wait = none())]
async fn call() -> Result<u32> {
    Ok(1)
}

fn main() {}
