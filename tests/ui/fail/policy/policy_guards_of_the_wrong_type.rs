//! Guards of a policy of the wrong type.

use retry::{Breaker, policy};

static BREAKER: Breaker = Breaker::consecutive(5);

fn main() {
    let seconds = 5;
    let _ = policy! { stop = attempts(3), wait = none(), on = any_error(), budget = &BREAKER };
    let _ = policy! { stop = attempts(3), wait = none(), on = any_error(), deadline = seconds };
}

// errors: 2
