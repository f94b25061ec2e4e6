use retry::retry;

#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    gate = [|_| true, |_| false],
    fallback = [|_, o| o],
)]
fn call() -> Result<u32, String> {
    Err("busy".to_owned())
}

fn main() {}
