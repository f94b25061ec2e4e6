use std::io::Error;

use retry::retry;

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), cancel = limit)]
async fn number(limit: u32) -> Result<u32, Error> {
    unimplemented!()
}

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), cancel = stop)]
async fn copied(stop: bool) -> Result<u32, Error> {
    unimplemented!()
}

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), cancel = || 3)]
async fn closure() -> Result<u32, Error> {
    unimplemented!()
}

fn main() {}

// errors: 3
