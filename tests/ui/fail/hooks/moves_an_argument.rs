use retry::retry;

#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    before = |_| drop(text),
)]
fn call(text: String) -> Result<u32, String> {
    text.parse().map_err(|_| text.clone())
}

fn main() {}
