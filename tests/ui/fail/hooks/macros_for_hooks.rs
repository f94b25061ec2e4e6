use retry::retry;

#[retry(
    stop = attempts(3),
    wait = none(),
    before_sleep = println!("again"),
    on_give_up = tracing::warn!("gave up"),
)]
fn call() -> std::io::Result<()> {
    Ok(())
}

fn main() {}

// errors: 2
