use retry::retry;

#[derive(Debug)]
pub struct Busy;

#[retry(stop = attempts(3), wait = none(), on = any_error(), gate = |_, _| 5)]
async fn call() -> Result<u32, Busy> {
    Err(Busy)
}

fn main() {}
