use std::io::Error;

use retry::retry;

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), deadline = 0s)]
async fn one() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), deadline = Some(0s))]
async fn two() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), deadline = 20)]
async fn three() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), deadline = 5.5)]
async fn four() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), deadline = "20s")]
async fn five() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), deadline = -20s)]
async fn six() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), deadline = within(20s))]
async fn seven() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), deadline = || 20s)]
async fn eight() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), deadline)]
async fn nine() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), deadline = 1s)]
async fn ten() -> Result<u32, Error> {
    unimplemented!()
}

fn main() {}

// errors: 10
