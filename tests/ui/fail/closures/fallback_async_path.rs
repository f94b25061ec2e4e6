use retry::{Report, retry};

#[derive(Debug)]
pub struct Busy;

async fn cached(_: &Report, _: Result<u32, Busy>) -> u32 {
    1
}

#[retry(stop = attempts(3), wait = none(), on = any_error(), fallback = cached)]
async fn call() -> Result<u32, Busy> {
    Err(Busy)
}

fn main() {}
