use retry::retry;

#[derive(Debug)]
pub struct Busy;

#[retry(stop = attempts(3), wait = exponential(1s).max(longest), on = any_error())]
fn call(longest: std::time::Duration) -> Result<u32, Busy> {
    Err(Busy)
}

fn main() {}
