use retry::retry;

#[derive(Debug)]
pub struct Busy;

#[retry(stop = attempts(3), wait = none(), on = any_error())]
async fn call() -> Result<Order, Busy> {
    Err(Busy)
}

fn main() {}
