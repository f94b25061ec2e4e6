use std::io::Error;

use retry::retry;

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), nested = twice)]
async fn one() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), nested)]
async fn two() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), nested = "once")]
async fn three() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), nested = once())]
async fn four() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), nested = false)]
async fn five() -> Result<u32, Error> {
    unimplemented!()
}

fn main() {}

// errors: 5
