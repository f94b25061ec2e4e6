use retry::retry;

#[derive(Debug)]
pub struct Busy;

async fn fetch() -> Result<u32, Busy> {
    Err(Busy)
}

#[retry(stop = attempts(3), wait = none(), on = any_error())]
async fn call() -> Result<u32, Busy> {
    fetch()
}

fn main() {}
