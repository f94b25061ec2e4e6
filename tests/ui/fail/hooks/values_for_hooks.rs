use retry::retry;

fn log() {}

#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    before = "again",
    after = (log, log),
    before_sleep = 5,
    on_success = Some(log),
    on_give_up = None,
    gate = true,
    fallback = Ok(0),
)]
fn call() -> Result<u32, String> {
    Err("busy".to_owned())
}

fn main() {}

// errors: 7
