use retry::retry;

#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    reset = -5s,
    warn_after = -5s,
    gate = |a, _| a.elapsed() > Some(-5s),
)]
fn call() -> Result<u32, String> {
    Err("busy".to_owned())
}

fn main() {}

// errors: 3
