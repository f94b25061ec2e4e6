use retry::retry;

fn write(attempt: &retry::Attempt, _: &Result<u32, String>) -> std::io::Result<()> {
    std::fs::write("attempts", attempt.number().to_string())
}

#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    before_sleep = write,
)]
fn call() -> Result<u32, String> {
    Err("busy".to_owned())
}

fn main() {}
