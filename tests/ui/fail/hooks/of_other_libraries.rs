use retry::retry;

#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    notify = |e, d| (),
    on_retry = |e| (),
    default = 0,
)]
fn call() -> Result<u32, String> {
    Err("busy".to_owned())
}

fn main() {}

// errors: 3
