use retry::retry;

#[derive(Debug)]
pub struct Busy;

#[retry(stop = attempts(3), wait = BACKOFF, on = any_error())]
async fn call() -> Result<u32, Busy> {
    Err(Busy)
}

fn main() {}
