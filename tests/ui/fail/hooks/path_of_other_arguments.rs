use retry::retry;

fn log(text: &str) {}

fn count(attempt: u32, outcome: &Result<u32, String>) {}

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
