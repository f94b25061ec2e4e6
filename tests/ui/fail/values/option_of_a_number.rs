use retry::retry;

#[derive(Debug)]
pub struct Busy;

#[retry(stop = limit, wait = none(), on = any_error())]
fn call(limit: Option<u32>) -> Result<u32, Busy> {
    Err(Busy)
}

fn main() {}
