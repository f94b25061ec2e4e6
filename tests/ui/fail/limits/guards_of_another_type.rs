use std::io::Error;

use retry::{Breaker, Budget, retry};

static BUDGET: Budget = Budget::new(160);
static BREAKER: Breaker = Breaker::consecutive(5);

fn make() -> Breaker {
    Breaker::consecutive(5)
}

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), budget = &BREAKER)]
async fn one() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), breaker = &BUDGET)]
async fn two() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), budget = n)]
async fn three(n: u32) -> Result<u32, Error> {
    unimplemented!()
}

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), breaker = make())]
async fn four() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), budget = locked)]
async fn five(locked: &std::sync::Mutex<Budget>) -> Result<u32, Error> {
    unimplemented!()
}

fn main() {}

// errors: 5
