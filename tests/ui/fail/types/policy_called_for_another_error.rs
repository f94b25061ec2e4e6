use retry::BoxedPolicy;

fn call(policy: &BoxedPolicy<std::io::Error>) -> Result<u32, String> {
    policy.call(|| Ok(1))
}

fn main() {}
