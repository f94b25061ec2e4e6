use std::sync::LazyLock;

use retry::{BoxedPolicy, policy};

static POLICY: LazyLock<BoxedPolicy<std::io::Error>> = LazyLock::new(|| policy! { stop = attempts(3), wait = none() });

fn main() {
    drop(POLICY.clone());
}
