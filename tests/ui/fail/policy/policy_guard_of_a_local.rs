//! A budget that is gone before the policy may be.

use retry::{Budget, policy};

fn main() {
    let budget = Budget::new(160);
    let _ = policy! { stop = attempts(3), wait = none(), on = any_error(), budget = &budget };
}
