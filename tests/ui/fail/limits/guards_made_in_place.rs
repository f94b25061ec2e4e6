use std::io::Error;

use retry::retry;

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), budget = Budget::new(100))]
async fn one() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), budget = &Budget::new(0))]
async fn two() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(
    stop = attempts(3),
    wait = fixed(1s),
    on = any_error(),
    breaker = Breaker::consecutive(5),
)]
async fn three() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(
    stop = attempts(3),
    wait = fixed(1s),
    on = any_error(),
    breaker = &Breaker::ratio(1.5),
)]
async fn four() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(
    stop = attempts(3),
    wait = fixed(1s),
    on = any_error(),
    breaker = &retry::Breaker::ratio(0.5).min_throughput(20),
)]
async fn five() -> Result<u32, Error> {
    unimplemented!()
}

fn main() {}

// errors: 5
