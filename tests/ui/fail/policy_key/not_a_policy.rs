use retry::retry;

#[retry(policy = 5)]
fn call() -> Result<u32, String> {
    Err("busy".to_owned())
}

fn main() {}
