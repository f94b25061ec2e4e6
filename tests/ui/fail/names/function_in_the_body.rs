use retry::retry;

#[derive(Debug)]
pub struct Busy;

#[retry(stop = attempts(3), wait = none(), on = any_error())]
fn call() -> Result<u32, Busy> {
    fetch()
}

fn main() {}
