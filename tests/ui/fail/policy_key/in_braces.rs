use retry::retry;

#[retry(policy = { stop = attempts(3), wait = none() })]
fn call() -> Result<u32, String> {
    Err("busy".to_owned())
}

fn main() {}
