use retry::retry;

#[retry(stop = attempts(3), wait = none(), on = any_error())]
fn call() -> Result<u32, gateway::Error> {
    Ok(1)
}

fn main() {}
