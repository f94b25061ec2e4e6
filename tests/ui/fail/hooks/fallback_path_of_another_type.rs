use retry::retry;

fn recover(_: &retry::Report, _: Result<u32, String>) -> Option<u32> {
    None
}

#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    fallback = recover,
)]
fn call() -> Result<u32, String> {
    Err("busy".to_owned())
}

fn main() {}
