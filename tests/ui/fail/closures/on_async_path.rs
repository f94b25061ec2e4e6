use retry::retry;

#[derive(Debug)]
pub struct Busy;

async fn is_busy(_: &Busy) -> bool {
    true
}

#[retry(stop = attempts(3), wait = none(), on = is_busy)]
async fn call() -> Result<u32, Busy> {
    Err(Busy)
}

fn main() {}
