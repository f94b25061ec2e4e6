use retry::retry;

#[derive(Debug)]
pub struct Busy;

#[retry(stop = until(limit), wait = none(), on = any_error())]
fn call(limit: std::time::Duration) -> Result<u32, Busy> {
    Err(Busy)
}

fn main() {}
