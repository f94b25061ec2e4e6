use retry::Transient;
use std::io;
use std::time::Duration;

#[derive(Transient)]
enum ApiError {
    #[transient(forward, throttled)]
    Io(io::Error),
    #[transient(retry_after = 1, forward)]
    Late(io::Error, Duration),
    #[ambiguous(forward)]
    Sent(io::Error),
    #[permanent(forward)]
    Never(io::Error),
}

fn main() {}

// errors: 4
