use std::io::Error;

use retry::retry;

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), attempt_timeout = 2s)]
fn one() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(
    stop = attempts(3),
    wait = fixed(1s),
    on = any_error(),
    attempt_timeout = idle(2s),
    idempotent,
)]
fn two() -> Result<u32, Error> {
    unimplemented!()
}

fn main() {}

// errors: 2
