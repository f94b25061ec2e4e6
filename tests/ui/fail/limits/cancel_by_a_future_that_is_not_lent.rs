use std::io::Error;

use retry::retry;
use tokio::sync::oneshot::Receiver;

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), cancel = stop)]
async fn call(stop: Receiver<()>) -> Result<u32, Error> {
    unimplemented!()
}

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), cancel = stop)]
async fn opaque(stop: impl Future<Output = ()> + Unpin) -> Result<u32, Error> {
    unimplemented!()
}

fn main() {}

// errors: 2
