use retry::retry;

#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    before = async |_| (),
    after = |_, _| async {},
    gate = async |_, _| true,
    fallback = async |_, o| o,
    reset = async |_, _| true,
)]
fn call() -> Result<u32, String> {
    Err("busy".to_owned())
}

fn main() {}

// errors: 5
