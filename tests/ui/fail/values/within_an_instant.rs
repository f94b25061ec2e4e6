use retry::retry;

#[derive(Debug)]
pub struct Busy;

#[retry(stop = within(limit), wait = none(), on = any_error())]
fn call(limit: std::time::Instant) -> Result<u32, Busy> {
    Err(Busy)
}

fn main() {}
