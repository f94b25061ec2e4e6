use retry::retry;

#[retry(policy = retry::stop::attempts(3))]
fn call() -> Result<u32, String> {
    Err("busy".to_owned())
}

fn main() {}
