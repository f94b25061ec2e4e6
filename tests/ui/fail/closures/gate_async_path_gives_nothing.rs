use retry::{Attempt, retry};

#[derive(Debug)]
pub struct Busy;

async fn refresh(_: &Attempt, _: &Result<u32, Busy>) {}

#[retry(stop = attempts(3), wait = none(), on = any_error(), gate = refresh)]
async fn call() -> Result<u32, Busy> {
    Err(Busy)
}

fn main() {}
