use retry::Transient;
use std::time::Duration;

#[derive(Transient)]
enum ApiError {
    #[transient(throttled, retry_after = 0, throttled)]
    TooMany(Duration),
    #[ambiguous(retry_after = 0, retry_after = 1)]
    Slow(Duration, Duration),
}

#[derive(Transient)]
#[transient(crate = ::retry)]
#[transient(crate = ::retry)]
#[permanent]
struct Never;

fn main() {}

// errors: 3
