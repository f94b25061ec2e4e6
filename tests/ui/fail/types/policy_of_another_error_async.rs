use retry::{BoxedPolicy, retry};

#[retry(policy = policy)]
async fn call(policy: &BoxedPolicy<std::io::Error>) -> Result<u32, String> {
    Ok(1)
}

fn main() {}
