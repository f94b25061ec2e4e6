use retry::Transient;
use std::io;

#[derive(Transient)]
enum ApiError {
    Io(#[transient(forward)] io::Error),
    #[permanent]
    NotFound { #[permanent] path: String },
}

fn main() {}

// errors: 2
