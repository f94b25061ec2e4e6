use retry::Transient;
use std::time::Duration;

#[derive(Transient)]
enum ApiError {
    #[transient(retry_after = retry_afer)]
    Misspelled { path: String, retry_after: Duration },
    #[transient(retry_after = elsewhere)]
    Another { path: String, after: Duration },
    #[transient(retry_after = after)]
    Numbered(u16, Duration),
    #[transient(retry_after = 0)]
    Named { path: String, after: Option<Duration> },
    #[transient(retry_after = 2)]
    TooFar(u16, Duration),
    #[ambiguous(retry_after = 1)]
    One(Duration),
    #[ambiguous(retry_after = after)]
    Nothing,
}

fn main() {}

// errors: 7
