use std::io::Error;

use retry::{Interrupted, retry};

fn late(_: Interrupted) -> String {
    String::new()
}

fn nothing() -> Error {
    Error::other("late")
}

#[retry(
    stop = attempts(3),
    wait = fixed(1s),
    on = any_error(),
    deadline = 3s,
    interrupted = |it| it.to_string(),
)]
async fn closure() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(
    stop = attempts(3),
    wait = fixed(1s),
    on = any_error(),
    deadline = 3s,
    interrupted = |_| Err(Error::other("late")),
)]
async fn outcome() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(
    stop = attempts(3),
    wait = fixed(1s),
    on = any_error(),
    deadline = 3s,
    interrupted = late,
)]
async fn path() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(
    stop = attempts(3),
    wait = fixed(1s),
    on = any_error(),
    deadline = 3s,
    interrupted = nothing,
)]
async fn takes_nothing() -> Result<u32, Error> {
    unimplemented!()
}

fn main() {}

// errors: 4
