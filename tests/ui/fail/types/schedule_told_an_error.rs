use retry::BoxedPolicy;

fn call(policy: &BoxedPolicy<std::io::Error>, error: std::io::Error) {
    let _ = policy.schedule().failed(&error);
}

fn main() {}
