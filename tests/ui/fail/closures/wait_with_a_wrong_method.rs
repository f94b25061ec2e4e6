use retry::retry;

#[derive(Debug)]
pub struct Busy;

#[retry(stop = attempts(3), wait = |state| 100ms * state.atempt(), on = any_error())]
fn call() -> Result<u32, Busy> {
    Err(Busy)
}

fn main() {}
