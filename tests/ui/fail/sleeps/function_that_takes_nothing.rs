use retry::retry;

#[derive(Debug)]
pub struct Busy;

async fn pause() {}

#[retry(stop = attempts(3), wait = none(), on = any_error(), sleep = pause)]
async fn call() -> Result<u32, Busy> {
    Err(Busy)
}

fn main() {}
