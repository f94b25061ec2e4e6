use retry::retry;

#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    idempotent = match key {
        Some(key) => key.is_empty(),
        None => return Err("no key".to_owned()),
    },
    enabled = { if key.is_none() { break } true },
    max_hint = { if key.is_none() { continue } 1s },
)]
fn call(key: Option<&str>) -> Result<u32, String> {
    Err(format!("{key:?} is busy"))
}

fn main() {}

// errors: 3
