use std::io::Error;

use retry::retry;

#[retry(
    stop = attempts(3),
    wait = fixed(1s),
    on = any_error(),
    interrupted = |it| Error::other(it),
)]
async fn one() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(
    stop = attempts(3),
    wait = fixed(1s),
    on = any_error(),
    deadline = 3s,
    interrupted = || Error::other("late"),
)]
async fn two() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(
    stop = attempts(3),
    wait = fixed(1s),
    on = any_error(),
    deadline = 3s,
    interrupted = |a, b| Error::other("late"),
)]
async fn three() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(
    stop = attempts(3),
    wait = fixed(1s),
    on = any_error(),
    deadline = 3s,
    interrupted = async |it| Error::other(it),
)]
async fn four() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(
    stop = attempts(3),
    wait = fixed(1s),
    on = any_error(),
    deadline = 3s,
    interrupted = 3,
)]
async fn five() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(
    stop = attempts(3),
    wait = fixed(1s),
    on = any_error(),
    deadline = 3s,
    interrupted = [late],
)]
async fn six() -> Result<u32, Error> {
    unimplemented!()
}

fn main() {}

// errors: 6
