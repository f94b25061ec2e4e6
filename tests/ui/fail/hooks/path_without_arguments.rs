use retry::retry;

fn log() {}

#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    before = log,
)]
fn call() -> Result<u32, String> {
    Err("busy".to_owned())
}

fn main() {}
