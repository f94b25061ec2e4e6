use retry::{RetryError, retry};

#[derive(Debug)]
pub struct Busy;

type Failure = RetryError<Busy>;

fn ask() -> Result<u32, Busy> {
    Err(Busy)
}

#[retry(stop = attempts(3), wait = none(), on = any_error())]
pub fn call() -> Result<u32, Failure> {
    ask()
}

fn main() {}

// warnings: 1
