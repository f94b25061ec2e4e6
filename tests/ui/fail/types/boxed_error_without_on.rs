use std::error::Error;

use retry::retry;

#[retry(stop = attempts(3), wait = none())]
fn call() -> Result<u32, Box<dyn Error>> {
    Ok(1)
}

fn main() {}
