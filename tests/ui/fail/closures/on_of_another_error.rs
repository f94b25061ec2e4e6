use retry::retry;

#[derive(Debug)]
pub struct Busy;

#[retry(stop = attempts(3), wait = none(), on = |error: &std::io::Error| error.kind() == std::io::ErrorKind::TimedOut)]
fn call() -> Result<u32, Busy> {
    Err(Busy)
}

fn main() {}
