use retry::retry;

fn healthy(_: &retry::Attempt, _: &Result<u32, String>) -> bool {
    true
}

#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    reset = healthy,
)]
async fn call() -> Result<u32, String> {
    Err("busy".to_owned())
}

fn main() {}
