use retry::retry;

fn log(_: &str) {}

fn count(_: u32, _: &Result<u32, String>) {}

#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    before = log,
    before_sleep = count,
)]
fn call() -> Result<u32, String> {
    Err("busy".to_owned())
}

fn main() {}

// errors: 2
