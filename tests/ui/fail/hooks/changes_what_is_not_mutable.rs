use retry::retry;

#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    before = |_| count += 1,
)]
fn call(count: u32) -> Result<u32, String> {
    Err(count.to_string())
}

fn main() {}
