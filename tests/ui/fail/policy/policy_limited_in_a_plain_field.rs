//! A policy with a limit, for a field whose type says that there is none.

use retry::{BoxedPolicy, policy};

struct Store {
    policy: BoxedPolicy<std::io::Error>,
}

fn main() {
    let policy = policy! { stop = attempts(3), wait = none(), on = any_error(), deadline = 20s };
    let _ = Store { policy: policy.boxed() };
}
