use retry::retry;

#[derive(Debug)]
pub struct Busy;

#[retry(stop = attempts(3), wait = none(), on = any_error())]
async fn call<S: Store>(store: &S) -> Result<u32, Busy> {
    store.load().await
}

fn main() {}
