use std::io::Error;

use retry::retry;
use tokio::sync::Notify;

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), cancel = stop.notified())]
fn call(stop: &Notify) -> Result<u32, Error> {
    unimplemented!()
}

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), cancel = async {})]
fn block() -> Result<u32, Error> {
    unimplemented!()
}

fn main() {}

// errors: 2
