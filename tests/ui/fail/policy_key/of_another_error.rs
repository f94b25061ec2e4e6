use retry::retry;

#[retry(policy = policy)]
fn call(policy: &retry::BoxedPolicy<std::io::Error>) -> Result<u32, String> {
    Err("busy".to_owned())
}

fn main() {}
