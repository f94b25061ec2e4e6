//! Guards of a policy that guard nothing.

use retry::policy;

fn main() {
    let _ = policy! { stop = attempts(3), wait = none(), on = any_error(), budget = 160 };
    let _ = policy! { stop = attempts(3), wait = none(), on = any_error(), deadline = 0s };
    let _ = policy! { stop = attempts(3), wait = fixed(5s), on = any_error(), deadline = 5s };
    let _ = policy! { stop = attempts(3), wait = none(), on = any_error(), attempt_timeout = 5s };
    let _ = policy! { stop = attempts(3), wait = none(), on = any_error(), deadline = 5s, attempt_timeout = 5s, idempotent };
    let _ = policy! { stop = attempts(3), wait = none(), on = any_error(), cancel = || false };
    let _ = policy! { stop = attempts(3), wait = none(), on = any_error(), nested = twice };
}

// errors: 6
