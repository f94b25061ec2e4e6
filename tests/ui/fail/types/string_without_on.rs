use retry::retry;

#[retry(stop = attempts(3), wait = none())]
async fn call() -> Result<u32, String> {
    Ok(1)
}

fn main() {}
