use std::io::Error;

use retry::retry;

#[retry(
    stop = attempts(3),
    wait = fixed(1s),
    on = any_error(),
    deadline = 3s,
    interrupted = |it| Error::other(it),
)]
fn one() -> Result<u32, Error> {
    unimplemented!()
}

fn main() {}
