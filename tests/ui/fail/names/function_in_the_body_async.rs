use retry::retry;

#[derive(Debug)]
pub struct Busy;

#[retry(stop = attempts(3), wait = none(), on = any_error())]
async fn call() -> Result<u32, Busy> {
    Ok(fetch().await?.len())
}

fn main() {}
