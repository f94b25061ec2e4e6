use retry::retry;

#[retry(
    stop = attempts(3),
    wait = none(),
    on = |error| error.is_busy(),
    after = |attempt, outcome| println!("{attempt:?} {outcome:?}"),
    fallback = |_, outcome| outcome,
)]
async fn call() -> Result<u32, ApiError> {
    Ok(1)
}

fn main() {}
