use std::io::Error;

use retry::retry;

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), cancel = limit)]
fn number(limit: u32) -> Result<u32, Error> {
    unimplemented!()
}

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), cancel = stop)]
fn copied(stop: bool) -> Result<u32, Error> {
    unimplemented!()
}

fn main() {}

// errors: 2
