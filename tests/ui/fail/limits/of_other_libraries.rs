use std::io::Error;

use retry::retry;

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), timeout = 3s)]
async fn one() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), time_limit = 3)]
async fn two() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), overall_timeout = self.limit)]
async fn three() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), attempt_time_limit = 3s)]
async fn four() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), idle_timeout = 30s)]
async fn five() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), circuit_breaker = &SEARCH)]
async fn six() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), circuit_breaker)]
async fn seven() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), cancellation_token = token)]
async fn eight() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(
    stop = attempts(3),
    wait = fixed(1s),
    on = any_error(),
    token = self.stop.child_token(),
)]
async fn nine() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), shutdown = rx.recv())]
async fn ten() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), retry_budget = &SEARCH)]
async fn eleven() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), once)]
async fn twelve() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), on_timeout = |it| it)]
async fn thirteen() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), expires_at = self.end)]
async fn fourteen() -> Result<u32, Error> {
    unimplemented!()
}

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), expires)]
async fn fifteen() -> Result<u32, Error> {
    unimplemented!()
}

fn main() {}

// errors: 15
