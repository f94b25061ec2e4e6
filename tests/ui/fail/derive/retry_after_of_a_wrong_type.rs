use retry::Transient;
use std::time::{Duration, SystemTime};

#[derive(Transient)]
enum ApiError {
    #[transient(retry_after = seconds)]
    TooMany { seconds: u64, after: Duration },
}

#[derive(Transient)]
#[ambiguous(retry_after = 1, throttled)]
struct Slow(Duration, Option<SystemTime>);

fn main() {}

// errors: 2
