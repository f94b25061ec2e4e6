//! A policy that may cut an attempt, in a function whose error cannot be made of that.

use std::sync::LazyLock;

use retry::{BoxedPolicy, Limited, block, policy, retry, stop};

#[derive(Debug)]
enum ApiError {
    Busy,
}

static POLICY: LazyLock<BoxedPolicy<ApiError, stop::Bounded, Limited>> = LazyLock::new(|| {
    policy! { stop = attempts(3), wait = fixed(1s), on = any_error(), deadline = 20s }.boxed()
});

#[retry(policy = POLICY)]
async fn fetch(id: u64) -> Result<u64, ApiError> {
    Err(ApiError::Busy)
}

async fn caller() {
    let _ = block!(policy = POLICY, async { Err::<(), _>(ApiError::Busy) });
}

fn main() {}

// errors: 2
