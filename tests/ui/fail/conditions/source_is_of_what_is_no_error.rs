use std::io;

use retry::retry;

#[retry(stop = attempts(3), wait = none(), on = source_is::<io::ErrorKind>())]
pub fn call() -> io::Result<u32> {
    Ok(1)
}

fn main() {}
