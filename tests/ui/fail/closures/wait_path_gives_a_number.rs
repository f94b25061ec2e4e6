use retry::{State, retry};

#[derive(Debug)]
pub struct Busy;

fn pause(_: &State) -> u64 {
    3
}

#[retry(stop = attempts(3), wait = pause, on = any_error())]
fn call() -> Result<u32, Busy> {
    Err(Busy)
}

fn main() {}
