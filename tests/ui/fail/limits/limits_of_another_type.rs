use std::io::Error;

use retry::retry;

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), deadline = limit)]
async fn seconds(limit: u64) -> Result<u32, Error> {
    unimplemented!()
}

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), deadline = limit)]
async fn date(limit: std::time::SystemTime) -> Result<u32, Error> {
    unimplemented!()
}

#[retry(
    stop = attempts(3),
    wait = fixed(1s),
    on = any_error(),
    attempt_timeout = limit,
    idempotent,
)]
async fn timeout(limit: u64) -> Result<u32, Error> {
    unimplemented!()
}

#[retry(
    stop = attempts(3),
    wait = fixed(1s),
    on = any_error(),
    attempt_timeout = idle(limit),
    idempotent,
)]
async fn idle(limit: Option<u64>) -> Result<u32, Error> {
    unimplemented!()
}

#[retry(
    stop = attempts(3),
    wait = fixed(1s),
    on = any_error(),
    attempt_timeout = limit,
    idempotent,
)]
async fn instant(limit: std::time::Instant) -> Result<u32, Error> {
    unimplemented!()
}

fn main() {}

// errors: 5
