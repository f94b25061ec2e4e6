use retry::retry;

#[retry(stop = attempts(3), wait = none(), on = any_error())]
fn call() -> Result<u32, ApiError> {
    Ok(1)
}

fn main() {}
