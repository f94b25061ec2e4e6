use retry::{State, Stop, retry, stop};

#[derive(Debug)]
enum ApiError {
    Busy,
}

struct Throttled;

impl Stop for Throttled {
    type Ends = stop::Unbounded;

    fn stop(&self, state: &State) -> bool {
        state.verdict().is_throttled()
    }
}

#[retry(stop = Throttled, wait = none(), on = any_error())]
fn call() -> Result<u32, ApiError> {
    Err(ApiError::Busy)
}

fn main() {}
