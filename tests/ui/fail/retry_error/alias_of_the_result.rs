use retry::{RetryError, retry};

#[derive(Debug)]
pub struct Busy;

type Outcome<T> = Result<T, RetryError<Busy>>;

#[retry(stop = attempts(3), wait = none(), on = any_error())]
pub fn call() -> Outcome<u32> {
    Err(Busy)
}

fn main() {}

// warnings: 1
