use retry::retry;

#[derive(Debug)]
struct NoSettings;

fn setting(_: &str) -> Result<u32, NoSettings> {
    Err(NoSettings)
}

#[retry(
    stop = attempts(setting("attempts")?),
    wait = if setting("fast")? > 0 { none() } else { fixed(1s) },
    on = matches(Err(_) if setting("retry")? > 0),
    idempotent = setting("idempotent")? > 0,
    enabled = setting("enabled")? > 0,
)]
fn call() -> Result<u32, NoSettings> {
    Err(NoSettings)
}

fn main() {}

// errors: 5
