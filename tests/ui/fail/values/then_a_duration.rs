use retry::retry;

#[derive(Debug)]
pub struct Busy;

#[retry(stop = attempts(3), wait = none().times(1).then(pause), on = any_error())]
fn call(pause: std::time::Duration) -> Result<u32, Busy> {
    Err(Busy)
}

fn main() {}
