use retry::{Breaker, retry};

static BREAKER: Breaker = Breaker::consecutive(5);

#[retry(stop = attempts(3), wait = fixed(1s), on = any_error(), breaker = &BREAKER)]
async fn call() -> Result<u32, String> {
    unimplemented!()
}

fn main() {}
