use retry::retry;

#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    gate = |attempt, _| println!("{attempt:?}"),
)]
fn call() -> Result<u32, String> {
    Err("busy".to_owned())
}

fn main() {}
