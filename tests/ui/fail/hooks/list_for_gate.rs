use retry::retry;

#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    gate = [|_, _| true, |_, _| false],
    fallback = [|_, o| o],
)]
fn call() -> Result<u32, String> {
    Err("busy".to_owned())
}

fn main() {}

// errors: 2
