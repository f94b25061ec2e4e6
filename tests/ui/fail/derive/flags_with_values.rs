use retry::Transient;
use std::io;

#[derive(Transient)]
enum ApiError {
    #[transient(throttled = true)]
    TooMany,
    #[transient(forward = source)]
    Io { source: io::Error },
    #[transient(forward(0))]
    Other(io::Error),
    #[transient = "throttled"]
    Busy,
    #[transient(throttled; retry_after = 0)]
    Semicolon(std::time::Duration),
    #[transient(throttled retry_after = 0)]
    NoComma(std::time::Duration),
}

fn main() {}

// errors: 6
