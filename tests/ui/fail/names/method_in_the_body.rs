use retry::retry;

#[derive(Debug)]
pub struct Busy;

#[retry(stop = attempts(3), wait = none(), on = any_error())]
async fn call(name: &str) -> Result<u32, Busy> {
    name.fetch().await
}

fn main() {}
