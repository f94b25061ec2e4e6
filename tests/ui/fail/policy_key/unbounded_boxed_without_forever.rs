use retry::retry;

#[retry(policy = policy)]
fn call(policy: &retry::BoxedPolicy<String, retry::stop::Unbounded>) -> Result<u32, String> {
    Err("busy".to_owned())
}

fn main() {}
