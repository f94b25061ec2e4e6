use retry::retry;

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), sleep = tokio::time::sleep)]
fn call() -> Result<u32, ()> {
    Ok(1)
}

fn main() {}
