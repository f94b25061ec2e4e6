use retry::retry;

#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    before = |attempt| attempt.number(),
    after = async |_, outcome| outcome.is_err(),
)]
async fn call() -> Result<u32, String> {
    Err("busy".to_owned())
}

fn main() {}

// errors: 2
