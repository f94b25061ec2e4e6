use std::io::Error;

use retry::retry;

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), cancel = stop)]
async fn call() -> Result<u32, Error> {
    unimplemented!()
}

fn main() {}
