use retry::Transient;
use std::io;

#[derive(Transient)]
enum ApiError {
    #[transient(forward)]
    None,
    #[transient(forward)]
    Two { path: String, source: io::Error },
}

#[derive(Transient)]
#[transient(forward)]
struct Empty();

fn main() {}

// errors: 3
