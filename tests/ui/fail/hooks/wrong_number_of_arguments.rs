use retry::retry;

#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    before = |attempt, outcome| (),
    after = |outcome| (),
    before_sleep = |attempt, outcome, delay| (),
    on_success = |outcome| (),
    on_give_up = |a, b, c| (),
    gate = |attempt| true,
    reset = |attempt| true,
    fallback = |outcome| outcome,
)]
fn call() -> Result<u32, String> {
    Err("busy".to_owned())
}

fn main() {}

// errors: 8
