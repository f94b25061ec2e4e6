use std::io::Error;

use retry::retry;

#[retry(
    stop = attempts(3),
    wait = fixed(1s),
    on = any_error(),
    attempt_timeout = 30s,
    reset = 20s,
    idempotent,
)]
async fn one() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(
    stop = attempts(3),
    wait = fixed(1s),
    on = any_error(),
    attempt_timeout = 30s,
    reset = 30s,
    idempotent,
)]
async fn two() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(
    stop = attempts(3),
    wait = fixed(1s),
    on = any_error(),
    attempt_timeout = idle(1m),
    reset = 30s,
    idempotent,
)]
async fn three() -> Result<u32, Error> {
    unimplemented!()
}

fn main() {}

// errors: 3
