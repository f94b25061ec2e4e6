use retry::retry;

#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    warn_after = |attempt| attempt.number() > 3,
)]
fn call() -> Result<u32, String> {
    Err("busy".to_owned())
}

fn main() {}
