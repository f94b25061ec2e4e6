use retry::retry;

fn main() {}

#[retry(stop = attempts(3), wait = |_, outcome| outcome.is_ok(), on = any_error())]
fn bool() -> Result<(), u32> {
    Ok(())
}

#[retry(
    stop = attempts(3),
    wait = |_, outcome| match outcome {
        Err(3) => exponential(1s),
        _ => 5,
    },
    on = any_error(),
)]
async fn number_in_an_arm() -> Result<(), u32> {
    Ok(())
}

#[retry(stop = attempts(3), wait = |_| Some("soon"), on = any_error())]
fn optional_text() -> Result<(), u32> {
    Ok(())
}

fn path(_: &retry::State) -> u64 {
    5
}

#[retry(stop = attempts(3), wait = path, on = any_error())]
fn number_by_a_path() -> Result<(), u32> {
    Ok(())
}

fn block() -> u32 {
    retry::block!(forever, wait = |_| 5, on = any_error(), || -> Result<u32, u32> { Ok(1) })
}

// errors: 5
