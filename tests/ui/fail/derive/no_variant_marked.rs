use retry::Transient;

#[derive(Transient)]
enum ApiError {
    Unavailable,
    TimedOut(u16),
    NotFound { path: String },
}

fn main() {}
