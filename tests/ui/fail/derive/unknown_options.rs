use retry::Transient;
use std::io;
use std::time::Duration;

#[derive(Transient)]
enum ApiError {
    #[transient(retry_afer = after)]
    Misspelled { after: Duration },
    #[transient(throtled)]
    MisspelledFlag,
    #[transient(after = after)]
    AnothersName { after: Duration },
    #[transient(transparent)]
    Thiserrors(io::Error),
    #[ambiguous(idempotent)]
    UnheardOf,
    #[transient(now)]
    Now,
    #[transient(5)]
    Number,
    #[transient(crate = ::retry)]
    Crate,
}

fn main() {}

// errors: 8
