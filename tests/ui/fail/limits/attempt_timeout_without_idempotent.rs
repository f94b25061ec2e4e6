use std::io::Error;

use retry::retry;

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), attempt_timeout = 2s)]
async fn one() -> Result<u32, Error> {
    unimplemented!()
}

fn main() {}
