use retry::retry;

#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    before = || println!("again"),
    after = || {},
    before_sleep = || (),
    gate = || true,
    fallback = || Ok(0),
)]
fn call() -> Result<u32, String> {
    Err("busy".to_owned())
}

fn main() {}

// errors: 5
