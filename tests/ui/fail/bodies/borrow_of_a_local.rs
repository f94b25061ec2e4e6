use retry::retry;

#[derive(Debug)]
pub struct Busy;

#[retry(stop = attempts(3), wait = none(), on = any_error())]
async fn call(_: &str) -> Result<&str, Busy> {
    let text = String::new();
    Ok(&text)
}

fn main() {}
