use retry::retry;

#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    before_sleep = |attempt, _| std::fs::write("attempts", attempt.name())?,
)]
fn call() -> Result<u32, String> {
    Err("busy".to_owned())
}

fn main() {}
