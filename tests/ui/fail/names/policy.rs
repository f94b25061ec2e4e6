use retry::retry;

#[derive(Debug)]
pub struct Busy;

#[retry(policy = POLICY)]
async fn call() -> Result<u32, Busy> {
    Err(Busy)
}

fn main() {}
