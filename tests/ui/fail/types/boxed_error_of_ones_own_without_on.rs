use retry::retry;

#[derive(Debug)]
pub struct Busy;

#[retry(stop = attempts(3), wait = none())]
fn call() -> Result<u32, Box<Busy>> {
    Ok(1)
}

fn main() {}
