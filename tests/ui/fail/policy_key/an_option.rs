use retry::retry;

#[retry(policy = policy)]
fn call(policy: Option<retry::BoxedPolicy<String>>) -> Result<u32, String> {
    Err("busy".to_owned())
}

fn main() {}
