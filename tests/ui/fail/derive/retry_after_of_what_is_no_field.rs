use retry::Transient;
use std::time::Duration;

#[derive(Transient)]
enum ApiError {
    #[transient(retry_after = "after")]
    Quoted { after: Duration },
    #[transient(retry_after = self.after)]
    Selfish { after: Duration },
    #[transient(retry_after = 5s)]
    Constant { after: Duration },
    #[transient(retry_after = Duration::from_secs(5))]
    Expression { after: Duration },
    #[transient(retry_after = after.unwrap())]
    Method { after: Option<Duration> },
    #[transient(retry_after(after))]
    Parentheses { after: Duration },
    #[transient(retry_after)]
    Alone { after: Duration },
    #[transient(retry_after: after)]
    Colon { after: Duration },
}

fn main() {}

// errors: 8
