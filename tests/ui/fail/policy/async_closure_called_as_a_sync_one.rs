use retry::BoxedPolicy;
use std::io;

async fn read(policy: &BoxedPolicy<io::Error>) -> io::Result<u32> {
    policy.call(async || Ok(1)).await
}

fn main() {}
