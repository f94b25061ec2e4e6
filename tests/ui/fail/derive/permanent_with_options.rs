use retry::Transient;
use std::time::Duration;

#[derive(Transient)]
enum ApiError {
    #[permanent(retry_after = after)]
    Late { after: Duration },
    #[permanent(throttled)]
    TooMany,
}

fn main() {}

// errors: 2
