//! A policy that may cut an attempt, called with an error that cannot be made of that.

use retry::policy;

#[derive(Debug)]
enum ApiError {
    Busy,
}

#[allow(clippy::let_underscore_future)]
fn main() {
    let policy = policy! { stop = attempts(3), wait = fixed(1s), on = any_error(), deadline = 20s };
    let _ = policy.call_async(async || Err::<(), _>(ApiError::Busy));
}
