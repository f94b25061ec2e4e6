use std::io::Error;

use retry::retry;

#[retry(
    stop = attempts(3),
    wait = fixed(1s),
    on = any_error(),
    attempt_timeout = 0s,
    idempotent,
)]
async fn one() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(
    stop = attempts(3),
    wait = fixed(1s),
    on = any_error(),
    attempt_timeout = Some(0s),
    idempotent,
)]
async fn two() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(
    stop = attempts(3),
    wait = fixed(1s),
    on = any_error(),
    attempt_timeout = 2,
    idempotent,
)]
async fn three() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(
    stop = attempts(3),
    wait = fixed(1s),
    on = any_error(),
    attempt_timeout = "2s",
    idempotent,
)]
async fn four() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(
    stop = attempts(3),
    wait = fixed(1s),
    on = any_error(),
    attempt_timeout = within(2s),
    idempotent,
)]
async fn five() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(
    stop = attempts(3),
    wait = fixed(1s),
    on = any_error(),
    attempt_timeout = idle,
    idempotent,
)]
async fn six() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(
    stop = attempts(3),
    wait = fixed(1s),
    on = any_error(),
    attempt_timeout = idle(),
    idempotent,
)]
async fn seven() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(
    stop = attempts(3),
    wait = fixed(1s),
    on = any_error(),
    attempt_timeout = idle(0s),
    idempotent,
)]
async fn eight() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(
    stop = attempts(3),
    wait = fixed(1s),
    on = any_error(),
    attempt_timeout = idle(30),
    idempotent,
)]
async fn nine() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(
    stop = attempts(3),
    wait = fixed(1s),
    on = any_error(),
    attempt_timeout = idle(1s, 2s),
    idempotent,
)]
async fn ten() -> Result<u32, Error> {
    unimplemented!()
}

fn main() {}

// errors: 10
