use retry::retry;

#[derive(Debug)]
pub struct Busy;

#[retry(stop = limit, wait = none(), on = any_error())]
fn call(limit: retry::wait::Fixed) -> Result<u32, Busy> {
    Err(Busy)
}

fn main() {}
