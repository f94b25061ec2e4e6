use retry::{RetryError, retry};

#[derive(Debug)]
pub struct Busy;

use retry::RetryError as Failure;

#[retry(stop = attempts(3), wait = none(), on = any_error())]
pub fn call() -> Result<u32, Failure<Busy>> {
    Err(Busy)
}

fn main() {}

// warnings: 2
