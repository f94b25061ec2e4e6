use retry::retry;

#[derive(Debug)]
pub struct Busy;

#[retry(stop = attempts(3), wait = none(), on = any_error(), fallback = async |_, outcome| outcome.or_esle(|_| Ok(1)))]
async fn call() -> Result<u32, Busy> {
    Err(Busy)
}

fn main() {}
