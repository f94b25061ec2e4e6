use retry::retry;

#[derive(Debug)]
pub struct Busy;

#[retry(stop = attempts(3), wait = none(), on = any_error(), sleep = pause)]
async fn call(pause: std::time::Duration) -> Result<u32, Busy> {
    Err(Busy)
}

fn main() {}
