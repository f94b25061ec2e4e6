use retry::retry;

#[derive(Debug)]
pub struct Busy;

#[retry(stop = attempts(3), wait = none(), on = any_error(), before_sleep = |attempt, _| log(attempt))]
async fn call() -> Result<u32, Busy> {
    Err(Busy)
}

fn main() {}
