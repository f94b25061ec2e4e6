use retry::retry;

async fn refresh(_: &retry::Attempt, _: &Result<u32, String>) -> Result<(), String> {
    Ok(())
}

#[retry(
    stop = attempts(3),
    wait = none(),
    on = any_error(),
    gate = refresh,
)]
async fn call() -> Result<u32, String> {
    Err("busy".to_owned())
}

fn main() {}
