use retry::retry;

#[derive(Debug)]
pub struct Busy;

#[retry(stop = attempts(3), wait = none(), on = any_error(), sleep = tokio::time::sleep(1s))]
async fn call() -> Result<u32, Busy> {
    Err(Busy)
}

fn main() {}
