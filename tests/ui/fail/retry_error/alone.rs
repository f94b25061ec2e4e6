use retry::{RetryError, retry};

#[derive(Debug)]
pub struct Busy;

#[retry(stop = attempts(3), wait = none(), on = any_error())]
pub fn call() -> RetryError<Busy> {
    Err(Busy)
}

fn main() {}

// errors: 2
