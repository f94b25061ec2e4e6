use retry::policy;

fn main() {
    let _ = policy! { stop = attempts(3), idempotant };
}

// errors: 2
