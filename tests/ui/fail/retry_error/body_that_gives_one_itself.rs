use retry::{RetryError, retry};

#[derive(Debug)]
pub struct Busy;

#[retry(stop = attempts(3), wait = none(), on = any_error())]
fn ask() -> Result<u32, RetryError<Busy>> {
    Err(Busy)
}

#[retry(stop = attempts(3), wait = none(), on = any_error())]
pub fn call() -> Result<u32, RetryError<Busy>> {
    ask()
}

fn main() {}
