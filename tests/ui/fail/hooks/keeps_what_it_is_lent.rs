use retry::retry;

#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    before = |attempt| seen.push(attempt),
)]
fn call(seen: &mut Vec<&retry::Attempt>) -> Result<u32, String> {
    Err("busy".to_owned())
}

fn main() {}
