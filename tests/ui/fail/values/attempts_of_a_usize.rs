use retry::retry;

#[derive(Debug)]
pub struct Busy;

#[retry(stop = attempts(limit), wait = none(), on = any_error())]
fn call(limit: usize) -> Result<u32, Busy> {
    Err(Busy)
}

fn main() {}
